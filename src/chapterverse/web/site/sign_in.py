"""Signing in by a link that is sent, and out."""

from dataclasses import dataclass

from flask import Response, request

from chapterverse.errors import Unauthenticated
from chapterverse.texts import LANGUAGES
from chapterverse.usecases.sign_in import send_links, sign_in, sign_out
from chapterverse.web import cookies
from chapterverse.web.limits import RateLimit
from chapterverse.web.parts import Parts
from chapterverse.web.site.by_school import CAME_BY, leave_address, offer_school_sign_in
from chapterverse.web.site.coming_in import come_in, sign_in_page
from chapterverse.web.site.frame import Site, own_path, page, see_other
from chapterverse.web.site.language import COOKIE

LETTERS = 6  # a minute to one address: who asks for links of others fills their post
YEAR = 365 * 24 * 3600


def offer_sign_in(site: Site) -> None:
    """Pages and forms."""
    door = FrontDoor(site.parts, RateLimit(LETTERS, who="one_address"))
    site.offer("GET", "/sign-in", door.ask, role=None)
    site.offer("POST", "/sign-in", door.send, role=None)
    site.offer("GET", "/sign-in/link", door.confirm, role=None)
    site.offer("POST", "/sign-in/link", door.enter, role=None)
    offer_school_sign_in(site)
    site.offer("POST", "/sign-out", door.leave, role=None)
    site.offer("POST", "/language", speak, role=None)


@dataclass(frozen=True, slots=True)
class FrontDoor:
    """Where people come in and go out. often: letters to one address."""

    parts: Parts
    often: RateLimit

    def ask(self) -> Response:
        """Who they are."""
        return sign_in_page(self.parts)

    def send(self) -> Response:
        """The same answer whether or not there is anybody of that address: nobody finds out who is at a school."""
        email = request.form.get("email", "")
        self.often.take(email.strip().lower())
        send_links(email, self.parts.reception, self.parts.now())
        return sign_in_page(self.parts, sent=True)

    def confirm(self) -> Response:
        """A page with a button: mail programs open links before people do, and this one is good once."""
        return page("link", "Sign in", refused=False)

    def enter(self) -> Response:
        """In by the link, with a session."""
        try:
            _, secret = sign_in(_link(), self.parts.reception, self.parts.now())
        except Unauthenticated:
            return page("link", "Sign in", status=401, refused=True)
        return come_in(secret, request.form.get("next", "/"), self.parts)

    def leave(self) -> Response:
        """Out; the session is over. Of their school's account they are not signed out unless they say so."""
        sign_out(cookies.session(), self.parts.reception, self.parts.now())
        leave = leave_address(self.parts)
        answer = sign_in_page(self.parts, leave=leave) if leave else see_other("/sign-in")
        cookies.drop(answer)
        cookies.drop(answer, CAME_BY)
        answer.headers["Clear-Site-Data"] = '"storage"'  # an essay that was being typed: W3C Clear Site Data, 3.1
        return answer


def speak() -> Response:
    """In this language from now on."""
    answer = see_other(own_path(request.form.get("next", "/")))
    if (code := request.form.get("language", "")) in LANGUAGES:
        answer.set_cookie(COOKIE, code, YEAR, samesite="Lax")
    return answer


def _link() -> str:
    """The secret: put in by the page's script, or the whole link by hand."""
    return request.form.get("link") or request.form.get("typed", "").rpartition("link=")[2].partition("&")[0].strip()
