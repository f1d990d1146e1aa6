"""A page: its frame, its language, and what it may load."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, redirect, request

from chapterverse.errors import ChapterverseError, Forbidden, Unauthenticated
from chapterverse.model import KeyScope, Person
from chapterverse.templates import template
from chapterverse.texts import LANGUAGES
from chapterverse.usecases.api_keys import as_wide
from chapterverse.usecases.sign_in import who_is
from chapterverse.web import cookies
from chapterverse.web.parts import Parts
from chapterverse.web.problems import problem_of
from chapterverse.web.site.assets import address_of
from chapterverse.web.site.language import spoken
from chapterverse.web.site.links import beside, links_for

POLICY = "; ".join(  # CSP 3: only what is ours, and nothing that stands in a page itself is run
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self' https://storage.googleapis.com",  # where files are sent to in the cloud
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
POWERS = "camera=(), display-capture=(), geolocation=(), payment=(), usb=(), microphone="  # Permissions Policy: none of them
LISTENS = "/lecture"  # but the microphone there
_OWN = re.compile(r"/(?![/\\])[^\s\\]*")
View = Callable[..., Response]


@dataclass(frozen=True, slots=True)
class Site:
    """The app that pages are offered by."""

    app: Flask
    parts: Parts

    def offer(
        self, method: str, path: str, view: View, role: KeyScope | None = KeyScope.STUDENT, *, from_elsewhere: bool = False
    ) -> None:
        """A page, or what a form on one is sent to, for people of that role and wider ones, whom the view is told
        first; None: for everybody, with no such argument. from_elsewhere: other sites' pages send it, and what they send proves
        by itself that it is meant."""

        def answer(**named: Any) -> Response:
            try:
                if not from_elsewhere:
                    cookies.refuse_other_sites()
                return view(self._let_in(role), **named) if role else view(**named)
            except Unauthenticated:
                return see_other(f"/sign-in?next={quote(request.full_path.rstrip('?'), safe='/')}")
            except ChapterverseError as error:
                return _failed(error)

        self.app.add_url_rule(path, f"{method} {path}".replace(".", "_"), answer, methods=[method])

    def _let_in(self, role: KeyScope) -> Person:
        """Whoever is signed in. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        who = who_is(cookies.session(), self.parts.reception, self.parts.now())
        if not as_wide(who.role, role):
            raise Forbidden("teachers_only")
        return who


def page(name: str, title: str, who: Person | None = None, status: int = 200, **filled: Any) -> Response:
    """The template of that name, in the language of whoever asks; title: in English."""
    say = spoken()
    seen = {"links": links_for(who.role) if who else (), "beside": beside(request.path, who.role) if who else ()}
    frame = {"_": say, "title": title, "who": who, "languages": LANGUAGES, "asset": address_of, "here": request.path}
    html = template(f"site/{name}.html").render(**frame, **seen, **filled)
    headers = {"Content-Security-Policy": POLICY, "Content-Language": say.code, "Vary": "Accept-Language, Cookie"}
    headers |= {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": f"{POWERS}{'(self)' if request.path == LISTENS else '()'}",
        "Referrer-Policy": "same-origin",  # with no-referrer, forms would come from the origin "null"
    }
    return Response(html, status, headers, content_type="text/html; charset=utf-8")


def see_other(path: str) -> Response:
    """Go there, with GET. path: of ours."""
    answer = redirect(path, 303, Response)
    return answer if isinstance(answer, Response) else Response(status=303, headers={"Location": path})


def own_path(told: str) -> str:
    """Where to go next: only on this site. Two slashes at the start lead away, and browsers take a backslash for a slash, and
    leave tabs and line ends out (WHATWG URL, 4.4)."""
    return told if _OWN.fullmatch(told) else "/"


def _failed(error: ChapterverseError) -> Response:
    problem = problem_of(error)
    return page("problem", "That did not work", status=problem.status, problem=problem)
