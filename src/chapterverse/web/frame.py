"""Pages: routes, navigation, frame, language and security headers; and their style sheets and scripts, whose addresses
change with their content, so that browsers can cache them for ever."""

import gzip
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from flask import Flask, Response, redirect, request
from werkzeug.exceptions import HTTPException

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import who_is
from chapterverse.core.errors import ChapterverseError, Forbidden, NotFound, Unauthenticated
from chapterverse.templates import template
from chapterverse.texts import LANGUAGES, catalogue
from chapterverse.web import auth
from chapterverse.web.bare import Problem, of_http, problem_of, respond
from chapterverse.web.context import AppContext
from chapterverse.web.language import spoken

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

ASSETS = Path(__file__).parents[1] / "assets"
PACKED, MIN_PACKED = ("application/json", "text/html"), 2048  # bytes: less gains nothing
GZIP_LEVEL = 5
IMMUTABLE = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file. gzipped: its data, compressed."""

    type: str
    data: bytes
    gzipped: bytes


@cache
def assets() -> dict[str, Asset]:
    """All files by path, with the texts of each language that scripts name as a script; a few dozen kilobytes."""
    paths = (path for path in ASSETS.rglob("*") if path.suffix in TYPES)
    found = {path.relative_to(ASSETS).as_posix(): path.read_bytes() for path in paths}
    scripts = "".join(data.decode() for name, data in found.items() if name.endswith(".js"))
    for code in LANGUAGES:
        texts = {text: said for text, said in catalogue(code).items() if json.dumps(text, ensure_ascii=False) in scripts}
        found[f"js/texts/{code}.js"] = f"export default {json.dumps(texts, ensure_ascii=False)};\n".encode()
    return {name: Asset(TYPES[Path(name).suffix], data, gzip.compress(data, 9, mtime=0)) for name, data in found.items()}


@cache
def edition() -> str:
    """Twelve hex digits of the digest of all files: scripts import each other by relative address."""
    digest = sha256()
    for name, asset in sorted(assets().items()):
        digest.update(f"{name}\0{len(asset.data)}\0".encode() + asset.data)
    return digest.hexdigest()[:12]


def address_of(name: str) -> str:
    return f"/assets/{edition()}/{name}"


def offer_assets(app: Flask) -> None:
    """GET /assets/{edition}/{name}."""

    def view(edition: str, name: str) -> Response:  # noqa: ARG001  # only makes the address unique
        if (asset := assets().get(name)) is None:
            raise NotFound("no_such_asset")
        packed = request.accept_encodings["gzip"] > 0
        response = Response(asset.gzipped if packed else asset.data, content_type=asset.type)
        response.headers.update({"Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"})
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        return response

    app.add_url_rule("/assets/<edition>/<path:name>", "asset", view)


def pack(response: Response) -> Response:
    """The response (for Flask's after_request), compressed if it is much text and the caller takes gzip. Lengths tell a secret
    to who has a browser ask often, with guesses (BREACH): no page may have one beside words of its own address."""
    packable = response.mimetype in PACKED and not response.is_streamed and not response.get_etag()[0]
    if not packable or len(response.get_data()) < MIN_PACKED:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] > 0 and "Content-Encoding" not in response.headers:
        response.set_data(gzip.compress(response.get_data(), GZIP_LEVEL))
        response.headers["Content-Encoding"] = "gzip"
    return response


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the navigation, for people with that role or a wider one; of_students: for students alone. subpages: listed
    where the page or one of them is open."""

    path: str
    text: str
    role: KeyScope = KeyScope.STUDENT
    subpages: tuple["Link", ...] = ()
    of_students: bool = False

    def leads_to(self, here: str) -> bool:
        """Whether `here` is the page, one below it, or a subpage."""
        below = here == self.path or here.startswith(f"{self.path}/")
        return below or any(page.leads_to(here) for page in self.subpages)


LINKS = (
    Link("/", "Home"),
    Link("/essay/assignments", "Assignments", KeyScope.TEACHER),
    Link("/books", "Books", KeyScope.TEACHER),
    Link("/ask", "Ask", KeyScope.TEACHER),
    Link("/ask", "Books", of_students=True),
    Link("/help/inbox", "Help desk", KeyScope.TEACHER),
    Link("/help", "Help", of_students=True),
)
SETTINGS = Link(
    "/settings",
    "Settings",
    KeyScope.TEACHER,
    (
        Link("/settings/people", "People", KeyScope.ADMIN),
        Link("/settings/setup", "Setup", KeyScope.ADMIN),
        Link("/settings/advanced", "Advanced", KeyScope.ADMIN),
    ),
)  # beside the name of who is signed in


def links_for(role: KeyScope, links: Sequence[Link] = LINKS) -> tuple[Link, ...]:
    return tuple(link for link in links if as_wide(role, link.role) and not (link.of_students and role is not KeyScope.STUDENT))


def section_links(here: str, role: KeyScope) -> tuple[Link, ...]:
    """The open section's page and its subpages; empty if it has none."""
    for link in links_for(role, (*LINKS, SETTINGS)):
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
DATA = ("/api/", "/assets/")  # never pages
NOT_FOUND = "Page not found"
TITLES = {"teachers_only": "This page is for teachers", "admins_only": "This page is for admins"}  # by id of the problem
_OWN = re.compile(r"/(?![/\\])[^\s\\]*")
View = Callable[..., Response]


@dataclass(frozen=True, slots=True)
class WebSite:
    """The app to which pages are added."""

    app: Flask
    context: AppContext

    def offer(self, method: str, path: str, view: View, role: KeyScope | None, *, from_elsewhere: bool) -> None:
        """Add what Pages.offer describes."""

        def answer(**named: Any) -> Response:
            try:
                if not from_elsewhere:
                    auth.refuse_other_sites()
                who = (self._person(role),) if role else ()
                return view(*who, self.context, **named)
            except Unauthenticated:
                return see_other(_sign_in_address())
            except ChapterverseError as error:
                return self._failed(problem_of(error))

        self.app.add_url_rule(path, f"{method} {path}".replace(".", "_"), answer, methods=[method])

    def show_problems(self) -> None:
        """Answer browsers with a page where programs get a problem: an address without a page, a defect of ours."""

        def show(error: Exception) -> Response | HTTPException:
            answer = of_http(error) if isinstance(error, HTTPException) else respond(error)
            is_page = any(kind == "text/html" for kind, _ in request.accept_mimetypes) and not request.path.startswith(DATA)
            if is_page and isinstance(answer, Response):
                return self._failed(Problem.model_validate_json(answer.get_data()))
            return answer

        for kind in (HTTPException, Exception):  # Flask looks for the handler of the nearest class
            self.app.register_error_handler(kind, show)

    def _person(self, role: KeyScope) -> Person:
        """The signed-in person. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        who = who_is(auth.secret_in_cookie(), self.context.sign_in, self.context.now())
        if not as_wide(who.role, role):
            raise Forbidden("admins_only" if role is KeyScope.ADMIN else "teachers_only")
        return who

    def _failed(self, problem: Problem) -> Response:
        """The page of a problem, with the navigation of whoever is signed in."""
        try:
            who = self._person(KeyScope.STUDENT)
        except ChapterverseError:
            who = None
        title = NOT_FOUND if problem.status == HTTPStatus.NOT_FOUND else TITLES.get(problem.id, "That didn’t work")
        return page("problem", title, who, problem.status, problem=problem)


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a module, and the targets of their forms."""

    offered: list[Callable[[WebSite], None]] = field(default_factory=list)

    def offer(
        self, method: str, path: str, role: KeyScope | None = KeyScope.STUDENT, *, from_elsewhere: bool = False
    ) -> Callable[[View], View]:
        """Add a view for people with that role or a wider one: a function of the person, the app's context, and the parts of
        the path by name. role: None: for everyone, and without the person. from_elsewhere: other sites may send it, because
        the request authenticates itself."""

        def add(view: View) -> View:
            self.offered.append(lambda site: site.offer(method, path, view, role, from_elsewhere=from_elsewhere))
            return view

        return add


def page(name: str, title: str, who: Person | None = None, status: int = 200, **values: Any) -> Response:
    """The rendered template in the reader's language. title: in English; values: variables of the template."""
    say = spoken()
    navigation = {
        "links": links_for(who.role) if who else (),
        "section": section_links(request.path, who.role) if who else (),
        "settings_link": SETTINGS if who and as_wide(who.role, SETTINGS.role) else None,
    }
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
    return redirect(path, 303, Response)  # type: ignore[return-value]  # it is of the class that is given


def own_path(path: str) -> str:
    """The path if it is on this site, else "/". Two slashes at the start lead away; browsers read a backslash as a slash and
    drop tabs and line ends (WHATWG URL, 4.4)."""
    return path if _OWN.fullmatch(path) else "/"


def _sign_in_address() -> str:
    """Where to sign in before coming back here; after a form, to the page that it was on."""
    wanted = request.full_path.rstrip("?") if request.method == "GET" else own_path(urlsplit(request.referrer or "").path)
    return f"/sign-in?next={quote(wanted, safe='/')}{'&ended=1' if auth.secret_in_cookie() else ''}"
