"""Which page leads where: the bar at the top, and below it what belongs to the page that is open.

A page: its frame, its language, and what it may load."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, redirect, request

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import who_is
from chapterverse.core.errors import ChapterverseError, Forbidden, Unauthenticated
from chapterverse.templates import template
from chapterverse.texts import LANGUAGES
from chapterverse.web import auth
from chapterverse.web.assets import address_of
from chapterverse.web.context import AppContext
from chapterverse.web.language import spoken
from chapterverse.web.problems import problem_of


@dataclass(frozen=True, slots=True)
class Link:
    """For people of that role and wider ones. beside: pages of the same kind, below its path."""

    path: str
    text: str
    role: KeyScope = KeyScope.STUDENT
    beside: tuple["Link", ...] = ()

    def leads_to(self, here: str) -> bool:
        """The page itself, or one below it."""
        return here == self.path or here.startswith(f"{self.path}/")


LINKS = (
    Link("/books", "Books", KeyScope.TEACHER),
    Link(
        "/essay",
        "Essay",
        beside=(
            Link("/essay/mine", "My essays"),
            Link("/essay/classes", "Classes", KeyScope.TEACHER),
            Link("/essay/assignments", "Assignments", KeyScope.TEACHER),
        ),
    ),
    Link("/ask", "Ask", beside=(Link("/ask/figures", "Figures", KeyScope.TEACHER),)),
    Link("/textbook", "Textbook"),
    Link("/lecture", "Lecture"),
    Link(
        "/help",
        "Help desk",
        beside=(Link("/help/inbox", "Inbox", KeyScope.TEACHER), Link("/help/answers", "Answers", KeyScope.TEACHER)),
    ),
    Link(
        "/settings",
        "Settings",
        KeyScope.TEACHER,
        beside=(
            Link("/settings/evaluation", "Evaluation", KeyScope.TEACHER),
            Link("/settings/people", "People", KeyScope.ADMIN),
        ),
    ),
)


def links_for(role: KeyScope, links: Sequence[Link] = LINKS) -> tuple[Link, ...]:
    """Those in the bar."""
    return tuple(link for link in links if as_wide(role, link.role))


def beside(here: str, role: KeyScope) -> tuple[Link, ...]:
    """The page of the bar that is open or above the one that is, first, and those beside it; nothing where it stands alone."""
    for link in links_for(role):
        if (others := links_for(role, link.beside)) and link.leads_to(here):
            return (link, *others)
    return ()


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
class WebSite:
    """The app that pages are offered by."""

    app: Flask
    context: AppContext

    def offer(
        self, method: str, path: str, view: View, role: KeyScope | None = KeyScope.STUDENT, *, from_elsewhere: bool = False
    ) -> None:
        """A page, or what a form on one is sent to, for people of that role and wider ones, whom the view is told
        first; None: for everybody, with no such argument. from_elsewhere: other sites' pages send it, and what they send proves
        by itself that it is meant."""

        def answer(**named: Any) -> Response:
            try:
                if not from_elsewhere:
                    auth.refuse_other_sites()
                return view(self._let_in(role), **named) if role else view(**named)
            except Unauthenticated:
                return see_other(f"/sign-in?next={quote(request.full_path.rstrip('?'), safe='/')}")
            except ChapterverseError as error:
                return _failed(error)

        self.app.add_url_rule(path, f"{method} {path}".replace(".", "_"), answer, methods=[method])

    def _let_in(self, role: KeyScope) -> Person:
        """Whoever is signed in. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        who = who_is(auth.session(), self.context.sign_in, self.context.now())
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
