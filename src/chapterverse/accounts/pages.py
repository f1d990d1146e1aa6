"""What all ways in have in common: the page they begin on, and the session they end in.

Signing in by the account that a school gave (OpenID Connect): there, back, and out of it again.

Signing in by a link that is sent, and out.

The school's people, for its admins."""

from dataclasses import dataclass
from datetime import timedelta
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote, unquote

from flask import Response, request

from chapterverse.accounts.model import KeyScope, Person, Provider
from chapterverse.accounts.people import MOST
from chapterverse.accounts.sign_in import (
    Flow,
    SchoolSignInResult,
    SignsIn,
    begin_session,
    let_in,
    provider_of,
    redeem_link,
    send_links,
    sign_out,
)
from chapterverse.core.errors import ChapterverseError, PostUnavailable, ProviderUnavailable, SignInRefused, Unauthenticated
from chapterverse.texts import LANGUAGES
from chapterverse.web import auth
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, own_path, page, see_other
from chapterverse.web.language import COOKIE
from chapterverse.web.limits import RateLimit


def sign_in_page(context: AppContext, *, sent: bool = False, refused: str = "", leave: str | None = None) -> Response:
    """All ways in. sent: a link is on its way; refused: why somebody did not come in by their school; leave: where they are
    signed out of their account there, too."""
    status = 403 if refused else 200
    schools, wanted = context.schools.accounts.providers(), own_path(request.args.get("next", "/"))
    filled: dict[str, Any] = {"sent": sent, "refused": refused, "leave": leave, "schools": schools, "next": wanted}
    return page("sign_in", "Sign in", status=status, **filled)


def come_in(secret: str, wanted: str, context: AppContext) -> Response:
    """On to the page they wanted, with the new session of that secret in their browser; the one they had before is over.
    wanted: as a request told it."""
    sign_out(auth.session(), context.sign_in, context.now())
    answer = see_other(own_path(wanted))
    auth.keep(answer, secret, context.sign_in.session)
    return answer


FLOW, CAME_BY = "flow", "school"  # cookies: what is under way; by which sign-in somebody came

WITHIN = timedelta(minutes=10)  # from our page to there and back

RETURNS = 240  # a minute by one provider: a class signs in at once, and each return asks the provider


def offer_school_sign_in(site: WebSite) -> None:
    """Addresses, of which the provider knows the second: /sign-in/school/{provider}/back."""
    door = SchoolDoor(site.context, RateLimit(RETURNS, site.context.rates, "school sign-ins", who="one_school"))
    site.offer("GET", "/sign-in/school/<provider>", door.begin, role=None)
    site.offer("GET", "/sign-in/school/<provider>/back", door.come_back, role=None)


@dataclass(frozen=True, slots=True)
class SchoolDoor:
    """Where people come in by an account of their school."""

    context: AppContext
    often: RateLimit

    def begin(self, provider: str) -> Response:
        """Over to the school's sign-in; what is needed on the way back stays in the browser."""
        registered = provider_of(provider, self.context.schools)
        flow = Flow(token_urlsafe(32), registered.id, own_path(request.args.get("next", "/")))
        try:
            answer = see_other(self._ask(registered).begin(flow, self._back(registered)))
        except ProviderUnavailable:
            return sign_in_page(self.context, refused="away")
        auth.keep(answer, f"{flow.secret}.{flow.provider}.{quote(flow.next, safe='')}", WITHIN, FLOW)
        return answer

    def come_back(self, provider: str) -> Response:
        """In, with a session of our own as by a link; or a page that says why not."""
        try:
            answer = self._entered(provider)
        except SignInRefused as error:
            answer = sign_in_page(self.context, refused=error.reason)
        except ProviderUnavailable:
            answer = sign_in_page(self.context, refused="away")
        auth.drop(answer, FLOW)
        return answer

    def _entered(self, provider: str) -> Response:
        registered = provider_of(provider, self.context.schools)
        flow = _under_way(registered)
        self.often.take(registered.id)
        claims = self._ask(registered).finish(flow, _code(registered), self._back(registered))
        now = self.context.now()
        person = let_in(SchoolSignInResult(claims, registered), self.context.schools, self.context.sign_in, now)
        answer = come_in(begin_session(person, self.context.sign_in, now), flow.next, self.context)
        auth.keep(answer, registered.id, self.context.sign_in.session, CAME_BY)
        return answer

    def _ask(self, registered: Provider) -> SignsIn:
        return self.context.schools.ask(registered)

    def _back(self, registered: Provider) -> str:
        """As it is registered there; what a request says of our address anybody can make up."""
        if not (site := self.context.sign_in.site):
            raise PostUnavailable("school_sign_in_needs_site")
        return f"{site}/sign-in/school/{registered.id}/back"


def leave_address(context: AppContext) -> str | None:
    """Where whoever is leaving is signed out of their school's account, too: on a machine that several use, the next one would
    be in by it with one click. None where they came otherwise, or the school does not offer it."""
    if not (came_by := auth.kept(CAME_BY)):
        return None
    try:
        return context.schools.ask(provider_of(came_by, context.schools)).end(f"{context.sign_in.site}/sign-in")
    except ChapterverseError:  # whatever is wrong there, here they are out
        return None


def _under_way(registered: Provider) -> Flow:
    """Begun in this browser, by this provider, and answered to this (RFC 9700, 4.4 and 4.7). Raises SignInRefused."""
    secret, _, rest = auth.kept(FLOW).partition(".")
    provider, _, wanted = rest.partition(".")
    flow = Flow(secret, registered.id, own_path(unquote(wanted)))
    told = request.args.get("state", "")
    if not secret or provider != registered.id or not compare_digest(told.encode(), flow.state.encode()):
        raise SignInRefused("stale", "sign_in_stale")
    if request.args.get("iss", registered.issuer) != registered.issuer:  # RFC 9207
        raise SignInRefused("invalid", "sign_in_of_other_provider")
    return flow


def _code(registered: Provider) -> str:
    """Raises SignInRefused where the school's sign-in let nobody in, or somebody changed their mind."""
    if code := request.args.get("code", ""):
        return code
    raise SignInRefused("refused", "school_sign_in_refused", school=registered.title)


LETTERS = 6  # a minute to one address: who asks for links of others fills their post

YEAR = 365 * 24 * 3600


def offer_sign_in(site: WebSite) -> None:
    """Pages and forms."""
    door = FrontDoor(site.context, RateLimit(LETTERS, site.context.rates, "sign-in links", who="one_address"))
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

    context: AppContext
    often: RateLimit

    def ask(self) -> Response:
        """Who they are."""
        return sign_in_page(self.context)

    def send(self) -> Response:
        """The same answer whether or not there is anybody of that address: nobody finds out who is at a school."""
        email = request.form.get("email", "")
        self.often.take(email.strip().lower())
        send_links(email, self.context.sign_in, self.context.now())
        return sign_in_page(self.context, sent=True)

    def confirm(self) -> Response:
        """A page with a button: mail programs open links before people do, and this one is good once."""
        return page("link", "Sign in", refused=False)

    def enter(self) -> Response:
        """In by the link, with a session."""
        try:
            _, secret = redeem_link(_link(), self.context.sign_in, self.context.now())
        except Unauthenticated:
            return page("link", "Sign in", status=401, refused=True)
        return come_in(secret, request.form.get("next", "/"), self.context)

    def leave(self) -> Response:
        """Out; the session is over. Of their school's account they are not signed out unless they say so."""
        sign_out(auth.session(), self.context.sign_in, self.context.now())
        leave = leave_address(self.context)
        answer = sign_in_page(self.context, leave=leave) if leave else see_other("/sign-in")
        auth.drop(answer)
        auth.drop(answer, CAME_BY)
        answer.headers["Clear-WebSite-Data"] = '"storage"'  # an essay that was being typed: W3C Clear WebSite Data, 3.1
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


def offer_people(site: WebSite) -> None:
    """/settings/people."""

    def people(who: Person) -> Response:
        sign_in, doors = site.context.sign_in, site.context.schools
        titles = [each.title for each in doors.accounts.providers(who.school)]
        return page("people", "People", who, outbox=sign_in.is_outbox, titles=titles, most=MOST)

    site.offer("GET", "/settings/people", people, KeyScope.ADMIN)
