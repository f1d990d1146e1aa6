"""Pages: routes, navigation, frame, language and security headers."""

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
    """A link of the navigation, for people with that role or a wider one. subpages: pages below its path."""

    path: str
    text: str
    role: KeyScope = KeyScope.STUDENT
    subpages: tuple["Link", ...] = ()

    def leads_to(self, here: str) -> bool:
        """Whether `here` is the page or one below it."""
        return here == self.path or here.startswith(f"{self.path}/")


LINKS = (
    Link("/", "Start"),
    Link("/books", "Books", KeyScope.TEACHER),
    Link(
        "/essay",
        "Essay",
        subpages=(
            Link("/essay/mine", "My essays"),
            Link("/essay/classes", "Classes", KeyScope.TEACHER),
            Link("/essay/assignments", "Assignments", KeyScope.TEACHER),
        ),
    ),
    Link("/ask", "Ask", subpages=(Link("/ask/figures", "Answer quality", KeyScope.TEACHER),)),
    Link("/textbook", "Textbook"),
    Link("/lecture", "Lecture"),
    Link(
        "/help",
        "Help desk",
        subpages=(Link("/help/inbox", "Inbox", KeyScope.TEACHER), Link("/help/answers", "Answers", KeyScope.TEACHER)),
    ),
    Link(
        "/settings",
        "Settings",
        KeyScope.TEACHER,
        subpages=(
            Link("/settings/evaluation", "Evaluation", KeyScope.TEACHER),
            Link("/settings/people", "People", KeyScope.ADMIN),
        ),
    ),
)


def links_for(role: KeyScope, links: Sequence[Link] = LINKS) -> tuple[Link, ...]:
    """The links for that role."""
    return tuple(link for link in links if as_wide(role, link.role))


def section_links(here: str, role: KeyScope) -> tuple[Link, ...]:
    """The open section's page and its subpages; empty if it has none."""
    for link in links_for(role):
        if (others := links_for(role, link.subpages)) and link.leads_to(here):
            return (link, *others)
    return ()


POLICY = "; ".join(  # CSP 3: only our own files, no inline scripts
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self' https://storage.googleapis.com",  # uploads in the cloud
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

DENIED = "camera=(), display-capture=(), geolocation=(), payment=(), usb=(), microphone="  # Permissions Policy
MICROPHONE_PAGE = "/lecture"
_OWN = re.compile(r"/(?![/\\])[^\s\\]*")
View = Callable[..., Response]


@dataclass(frozen=True, slots=True)
class WebSite:
    """The app to which pages are added."""

    app: Flask
    context: AppContext

    def offer(
        self, method: str, path: str, view: View, role: KeyScope | None = KeyScope.STUDENT, *, from_elsewhere: bool = False
    ) -> None:
        """Add a page, or the target of its form, for people with that role or a wider one; the view's first argument is the
        person. role: None: for everyone, without that argument. from_elsewhere: other sites may send it, because the request
        authenticates itself."""

        def answer(**named: Any) -> Response:
            try:
                if not from_elsewhere:
                    auth.refuse_other_sites()
                return view(self._person(role), **named) if role else view(**named)
            except Unauthenticated:
                return see_other(f"/sign-in?next={quote(request.full_path.rstrip('?'), safe='/')}")
            except ChapterverseError as error:
                return _failed(error)

        self.app.add_url_rule(path, f"{method} {path}".replace(".", "_"), answer, methods=[method])

    def _person(self, role: KeyScope) -> Person:
        """The signed-in person. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        who = who_is(auth.session(), self.context.sign_in, self.context.now())
        if not as_wide(who.role, role):
            raise Forbidden("teachers_only")
        return who


def page(name: str, title: str, who: Person | None = None, status: int = 200, **values: Any) -> Response:
    """The rendered template in the reader's language. title: in English; values: variables of the template."""
    say = spoken()
    navigation = {"links": links_for(who.role) if who else (), "section": section_links(request.path, who.role) if who else ()}
    frame = {"_": say, "title": title, "who": who, "languages": LANGUAGES, "asset": address_of, "here": request.path}
    html = template(f"site/{name}.html").render(**frame, **navigation, **values)
    headers = {"Content-Security-Policy": POLICY, "Content-Language": say.code, "Vary": "Accept-Language, Cookie"}
    headers |= {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": f"{DENIED}{'(self)' if request.path == MICROPHONE_PAGE else '()'}",
        "Referrer-Policy": "same-origin",  # with no-referrer, forms would come from the origin "null"
    }
    return Response(html, status, headers, content_type="text/html; charset=utf-8")


def see_other(path: str) -> Response:
    """Redirect to a path of ours, with GET."""
    answer = redirect(path, 303, Response)
    return answer if isinstance(answer, Response) else Response(status=303, headers={"Location": path})


def own_path(path: str) -> str:
    """The path if it is on this site, else "/". Two slashes at the start lead away; browsers read a backslash as a slash and
    drop tabs and line ends (WHATWG URL, 4.4)."""
    return path if _OWN.fullmatch(path) else "/"


def _failed(error: ChapterverseError) -> Response:
    problem = problem_of(error)
    return page("problem", "That did not work", status=problem.status, problem=problem)
