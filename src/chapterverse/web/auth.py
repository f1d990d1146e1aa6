"""A browser's session: its cookie, and that no other site's page uses it.

A browser sends cookies whoever made the page that asks. It also says who did, and no page can lie about that: Sec-Fetch-Site
(W3C Fetch Metadata, 2.4), and from browsers before 2023 Origin. So a request that changes something is taken from our own
pages only, without a token in each form (as in Go's net/http, CrossOriginProtection).

Who calls: an API key, or a person's session in a browser. It alone says which school's books are meant; nothing in the
request can name another.

Callers that are services: a token signed by Google, for us, of an account that may call (OpenID Connect Core, 3.1.3.7).

Cloud Tasks, Cloud Scheduler and Cloud Run send one as `Authorization: Bearer`."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import requests
from flask import Response, g, request
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport import Request as GoogleRequest
from google.auth.transport import Response as TransportResponse
from google.auth.transport.requests import Request
from google.oauth2 import id_token

from chapterverse.accounts.keys import as_wide, check_key
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import who_is
from chapterverse.core.book import BookId
from chapterverse.core.errors import CertsUnavailable, Forbidden, Unauthenticated
from chapterverse.core.hits import Scope
from chapterverse.web.context import AppContext
from chapterverse.web.limits import RateLimit

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


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds the key or the session. school: whose books they may see; role: what they may do; id: unlike anybody
    else's; person, name: the e-mail address and the name of who is signed in, None and empty for a key."""

    school: str
    role: KeyScope
    id: str
    person: str | None = None
    name: str = ""

    def scope(self, books: Sequence[str]) -> Scope:
        """Those books of the school; all of them if none is named."""
        return Scope(self.school, tuple(BookId(book) for book in books))


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Lets in those whose key or session is good, wide enough and not used too often."""

    context: AppContext
    rate: RateLimit
    often: RateLimit

    def admit(self, needed: KeyScope, often: bool = False) -> Caller:
        """often: whether it comes all the time, and is counted apart. Raises Unauthenticated, RateLimited, Forbidden,
        CatalogUnavailable."""
        caller = self.caller()
        g.school = caller.school  # for the log
        (self.often if often else self.rate).take(caller.id)
        if not as_wide(caller.role, needed):
            raise Forbidden("scope_too_narrow", needed=needed, scope=caller.role)
        return caller

    def caller(self) -> Caller:
        """A key goes before a session: who sends both means the key. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        if token := presented():
            key = check_key(token, self.context.keys, self.context.now())
            return Caller(key.school, key.scope, key.id)
        if secret := session():
            refuse_other_sites()
            person = who_is(secret, self.context.sign_in, self.context.now())
            return Caller(person.school, person.role, f"{person.school}/{person.email}", person.email, person.name)
        raise Unauthenticated("key_missing")


def presented() -> str:
    """The key in the request's headers; empty where there is none. Raises Unauthenticated for what is no key."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    if scheme:
        raise Unauthenticated("key_missing")
    return request.headers.get("X-Api-Key", "").strip()


ISSUERS = {"https://accounts.google.com", "accounts.google.com"}

KEPT = 300.0  # seconds; Google announces new keys hours before they are used

WITHIN = 10.0  # seconds


@dataclass
class KeptAnswers(GoogleRequest):
    """google.auth's way to the network; it remembers, because it would ask for the same public keys at every request."""

    send: Callable[..., TransportResponse] = field(default_factory=lambda: Request(requests.Session()))
    clock: Callable[[], float] = time.monotonic
    _answers: dict[str, tuple[TransportResponse, float]] = field(default_factory=dict)

    def __call__(self, url: str, method: str = "GET", *rest: Any, **how: Any) -> TransportResponse:
        """What that address answers, or did not long ago."""
        answer, when = self._answers.get(url, (None, 0.0))
        if answer is None or self.clock() - when > KEPT:
            answer = self.send(url, method, *rest, **{"timeout": WITHIN} | how)
            if answer.status == HTTPStatus.OK:
                self._answers[url] = answer, self.clock()
        return answer


@dataclass(frozen=True)
class ServiceAuthenticator:
    """audience: the address of the service called; callers: e-mail addresses of the accounts that may call it."""

    audience: str
    callers: frozenset[str]
    certs_url: str
    transport: GoogleRequest = field(default_factory=KeptAnswers)

    def admit(self, authorization: str) -> str:
        """The e-mail address of the account that sent this header. Raises Unauthenticated, Forbidden, CertsUnavailable."""
        claims = self._claims(_bearer(authorization))
        if claims.get("iss") not in ISSUERS:
            raise Unauthenticated("token_not_google")
        email = claims.get("email")
        if claims.get("email_verified") is not True or email not in self.callers:
            raise Forbidden("account_not_allowed")
        return str(email)

    def _claims(self, token: str) -> Mapping[str, Any]:
        try:
            claims: Mapping[str, Any] = id_token.verify_token(token, self.transport, self.audience, self.certs_url)
        except TransportError as error:
            raise CertsUnavailable("token_keys_away") from error
        except (
            GoogleAuthError,
            ValueError,
        ) as error:  # its own errors for what a token says, ValueError for one it cannot read
            raise Unauthenticated("token_not_valid", audience=self.audience) from error
        return claims


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("token_missing")
    return token.strip()
