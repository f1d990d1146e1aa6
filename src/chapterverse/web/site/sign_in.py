"""Signing in by a link that is sent, and out."""

from flask import Response, request

from chapterverse.errors import Unauthenticated
from chapterverse.texts import LANGUAGES
from chapterverse.usecases.sign_in import send_links, sign_in, sign_out
from chapterverse.web import cookies
from chapterverse.web.limits import RateLimit
from chapterverse.web.site.frame import Site, own_path, page, see_other
from chapterverse.web.site.language import COOKIE

LETTERS = 6  # a minute to one address: who asks for links of others fills their post
YEAR = 365 * 24 * 3600


def offer_sign_in(site: Site) -> None:
    """Pages and forms."""
    parts = site.parts
    often = RateLimit(LETTERS, who="One address")

    def ask() -> Response:
        return page("sign_in", "Sign in", next=own_path(request.args.get("next", "/")), sent=False)

    def send() -> Response:
        """The same answer whether or not there is anybody of that address: nobody finds out who is at a school."""
        email = request.form.get("email", "")
        often.take(email.strip().lower())
        send_links(email, parts.reception, parts.now())
        return page("sign_in", "Sign in", next="/", sent=True)

    def confirm() -> Response:
        """A page with a button: mail programs open links before people do, and this one is good once."""
        return page("link", "Sign in", link=request.args.get("link", ""), next=own_path(request.args.get("next", "/")))

    def enter() -> Response:
        try:
            _, secret = sign_in(request.form.get("link", ""), parts.reception, parts.now())
        except Unauthenticated:
            return page("link", "Sign in", status=401, link="", next="/")
        answer = see_other(own_path(request.form.get("next", "/")))
        cookies.keep(answer, secret, parts.reception.session)
        return answer

    def leave() -> Response:
        sign_out(cookies.session(), parts.reception, parts.now())
        answer = see_other("/sign-in")
        cookies.drop(answer)
        return answer

    def speak() -> Response:
        answer = see_other(own_path(request.form.get("next", "/")))
        if (code := request.form.get("language", "")) in LANGUAGES:
            answer.set_cookie(COOKIE, code, YEAR, samesite="Lax")
        return answer

    site.offer("GET", "/sign-in", ask, role=None)
    site.offer("POST", "/sign-in", send, role=None)
    site.offer("GET", "/sign-in/link", confirm, role=None)
    site.offer("POST", "/sign-in/link", enter, role=None)
    site.offer("POST", "/sign-out", leave, role=None)
    site.offer("POST", "/language", speak, role=None)
