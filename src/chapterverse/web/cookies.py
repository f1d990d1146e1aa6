"""A browser's session: its cookie, and that no other site's page uses it.

A browser sends cookies whoever made the page that asks. It also says who did, and no page can lie about that: Sec-Fetch-Site
(W3C Fetch Metadata, 2.4), and from browsers before 2023 Origin. So a request that changes something is taken from our own
pages only, without a token in each form (as in Go's net/http, CrossOriginProtection)."""

from datetime import timedelta
from typing import Any

from flask import Response, request

from chapterverse.errors import Forbidden

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})  # RFC 9110, 9.2.1
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
PLAIN = "chapterverse"
ALONE = f"__Host-{PLAIN}"  # RFC 6265bis, 4.1.3.2: of this host alone, and over https


def session() -> str:
    """The secret that the browser keeps; empty where there is none."""
    return request.cookies.get(_name(), "")


def keep(response: Response, secret: str, lives: timedelta, what: str = "") -> None:
    """The browser keeps the session, from scripts too, and sends it along when somebody follows a link to us (Lax): links in
    an e-mail lead here. what: another thing than the session that it keeps likewise."""
    response.set_cookie(_name(what), secret, lives, secure=not _on_this_machine(), httponly=True, samesite="Lax", path="/")


def kept(what: str) -> str:
    """What the browser keeps beside the session; empty where there is none."""
    return request.cookies.get(_name(what), "")


def drop(response: Response, what: str = "") -> None:
    """The browser forgets it."""
    response.delete_cookie(_name(what), path="/", secure=not _on_this_machine(), httponly=True, samesite="Lax")


def keep_beside(response: Response, name: str, secret: str, lives: timedelta) -> None:
    """A secret that comes back although another site's page holds ours in a frame, or sends a form: a login at a learning
    platform. Partitioned (CHIPS): browsers that keep no cookies of third parties keep it for that platform's pages alone."""
    told: dict[str, Any] = {"secure": True, "httponly": True, "samesite": "None", "path": "/", "partitioned": True}
    response.set_cookie(_beside(name), secret, lives, **told)


def beside(name: str) -> str:
    """What was kept so; empty where the browser did not."""
    return request.cookies.get(_beside(name), "")


def drop_beside(response: Response, name: str) -> None:
    """The browser forgets it."""
    response.delete_cookie(_beside(name), path="/", secure=True, httponly=True, samesite="None", partitioned=True)


def refuse_other_sites() -> None:
    """Raises Forbidden for a change that a page of another site asks for."""
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site not in {None, "same-origin", "none"} or (site is None and not _is_own_origin()):
        raise Forbidden("other_site")


def _is_own_origin() -> bool:
    """None at all: no browser, so nobody's page; whoever has the cookie then was given it."""
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.host


def _name(what: str = "") -> str:
    return f"{PLAIN if _on_this_machine() else ALONE}{what and f'-{what}'}"


def _beside(name: str) -> str:
    return f"{_name()}-{name}"


def _on_this_machine() -> bool:
    """Browsers take a cookie for https only over https; some of them also on the machine itself, but not all."""
    return request.host.rpartition(":")[0] in LOOPBACK or request.host in LOOPBACK
