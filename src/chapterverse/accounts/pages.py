"""Pages to sign in, by a link or by an account of the school (OpenID Connect), to sign out, and to manage a school: its people,
settings and set-up."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote, unquote

from flask import Response, request

from chapterverse.accounts import api
from chapterverse.accounts import sign_in as our
from chapterverse.accounts.model import Flow, KeyScope, Person, Provider
from chapterverse.core.errors import ChapterverseError, PostUnavailable, ProviderUnavailable, SignInRefused, Unauthenticated
from chapterverse.questions.api import AnswersQuery, answer_metrics
from chapterverse.texts import LANGUAGES
from chapterverse.web import auth
from chapterverse.web.bare import read_query
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, own_path, page, see_other
from chapterverse.web.language import COOKIE, in_readers_words, spoken
from chapterverse.web.limits import RateLimit, quietly
from chapterverse.web.operations import answer_to


def sign_in_page(context: AppContext, *, sent: bool = False, refused: str = "", leave: str | None = None) -> Response:
    """The sign-in page. sent: a link was sent; refused: why the school's account was refused; leave: address that signs the
    person out of that account too."""
    status = 403 if refused else 200
    schools, wanted = context.schools.accounts.providers(), own_path(request.args.get("next", "/"))
    filled: dict[str, Any] = {"sent": sent, "refused": refused, "leave": leave, "schools": schools, "next": wanted}
    filled |= {"ended": "ended" in request.args, "minutes": context.sign_in.link // timedelta(minutes=1)}
    filled["is_mailed"] = not context.sign_in.is_outbox or context.setups.has_mail()
    return page("sign_in", "Sign in", status=status, **filled)


def begin_browser_session(secret: str, wanted: str, context: AppContext) -> Response:
    """Redirect to the wanted page with the new session in a cookie; an earlier session ends. wanted: as in the request, not
    checked yet."""
    our.sign_out(auth.secret_in_cookie(), context.sign_in, context.now())
    answer = see_other(own_path(wanted))
    auth.keep(answer, secret, context.sign_in.session + REMEMBERED)
    return answer


REMEMBERED = timedelta(days=7)  # that the cookie outlives its session, so that the sign-in page can say that it has ended


FLOW, PROVIDER = "flow", "school"  # cookies: a sign-in that was begun; the provider by which the person signed in
FLOW_LIFETIME = timedelta(minutes=10)  # from our page to the provider and back
RETURNS_PER_MINUTE = 240  # of one provider: a class signs in at once, and each return asks the provider


@dataclass(frozen=True, slots=True)
class SchoolSignInPages:
    """Sign-in by an account of the school."""

    context: AppContext
    often: RateLimit

    def begin(self, provider: str) -> Response:
        """Redirect to the provider; a cookie holds what the return needs."""
        registered = our.provider_of(provider, self.context.schools)
        flow = Flow(token_urlsafe(32), registered.id, own_path(request.args.get("next", "/")))
        try:
            answer = see_other(self.context.schools.ask(registered).begin(flow, self._back(registered)))
        except ProviderUnavailable:
            return sign_in_page(self.context, refused="away")
        auth.keep(answer, f"{flow.secret}.{flow.provider}.{quote(flow.next, safe='')}", FLOW_LIFETIME, FLOW)
        return answer

    def come_back(self, provider: str) -> Response:
        """Begin a session, or show why not."""
        try:
            answer = self._signed_in(provider)
        except SignInRefused as error:
            answer = sign_in_page(self.context, refused=error.reason)
        except ProviderUnavailable:
            answer = sign_in_page(self.context, refused="away")
        auth.drop(answer, FLOW)
        return answer

    def _signed_in(self, provider: str) -> Response:
        registered = our.provider_of(provider, self.context.schools)
        flow = _begun_flow(registered)
        self.often.take(registered.id)
        if not (code := request.args.get("code")):  # the provider refused, or the person cancelled
            raise SignInRefused("refused", "school_sign_in_refused", school=registered.title)
        claims = self.context.schools.ask(registered).finish(flow, code, self._back(registered))
        now = self.context.now()
        person = our.person_for(claims, registered, self.context.schools, self.context.sign_in, now)
        answer = begin_browser_session(our.begin_session(person, self.context.sign_in, now), flow.next, self.context)
        auth.keep(answer, registered.id, self.context.sign_in.session, PROVIDER)
        return answer

    def _back(self, registered: Provider) -> str:
        """Our return address as registered at the provider; never taken from the request, which can be forged."""
        if not (site := self.context.sign_in.site):
            raise PostUnavailable("school_sign_in_needs_site")
        return f"{site}/sign-in/school/{registered.id}/back"


def leave_address(context: AppContext) -> str | None:
    """The address that signs the person out of their school's account too: on a shared machine, the next person could use it
    with one click. None: not signed in by the school, or not offered."""
    if not (provider := auth.secret_in_cookie(PROVIDER)):
        return None
    try:
        return context.schools.ask(our.provider_of(provider, context.schools)).end(f"{context.sign_in.site}/sign-in")
    except ChapterverseError:  # here the person is signed out all the same
        return None


def _begun_flow(registered: Provider) -> Flow:
    """The flow that this browser began with this provider (RFC 9700, 4.4 and 4.7). Raises SignInRefused."""
    secret, _, rest = auth.secret_in_cookie(FLOW).partition(".")
    provider, _, wanted = rest.partition(".")
    flow = Flow(secret, registered.id, own_path(unquote(wanted)))
    state = request.args.get("state", "")
    if not secret or provider != registered.id or not compare_digest(state.encode(), flow.state.encode()):
        raise SignInRefused("stale", "sign_in_stale")
    if request.args.get("iss", registered.issuer) != registered.issuer:  # RFC 9207
        raise SignInRefused("invalid", "sign_in_of_other_provider")
    return flow


FORMS_PER_MINUTE = 240  # by one caller: a school, or a proxy, is one address
LETTERS_PER_MINUTE = 6  # to one address, so that no mailbox is flooded
YEAR = 365 * 24 * 3600
MAX_NEXT = 500  # characters of the page to open after a link: it stands in a letter


def offer_sign_in(site: WebSite) -> None:
    """The sign-in, sign-out and language forms."""
    rates = site.context.rates
    pages = SignInPages(
        site.context,
        RateLimit(LETTERS_PER_MINUTE, rates, "sign-in links", who="one_address"),
        RateLimit(FORMS_PER_MINUTE, rates, "sign-in of caller", who="one_address"),
    )
    site.offer("GET", "/sign-in", pages.ask, role=None)
    site.offer("POST", "/sign-in", pages.send, role=None)
    site.offer("GET", "/sign-in/link", pages.confirm, role=None)
    site.offer("POST", "/sign-in/link", pages.enter, role=None)
    by_school = SchoolSignInPages(site.context, RateLimit(RETURNS_PER_MINUTE, rates, "school sign-ins", who="one_school"))
    site.offer("GET", "/sign-in/school/<provider>", by_school.begin, role=None)
    site.offer("GET", "/sign-in/school/<provider>/back", by_school.come_back, role=None)  # as registered at the provider
    site.offer("POST", "/sign-out", pages.leave, role=None)
    site.offer("POST", "/language", speak, role=None)


@dataclass(frozen=True, slots=True)
class SignInPages:
    """Sign-in by a link, and sign-out. often: rate of letters to one address; forms: rate of forms from one caller."""

    context: AppContext
    often: RateLimit
    forms: RateLimit

    def ask(self) -> Response:
        """The sign-in page."""
        return sign_in_page(self.context)

    def send(self) -> Response:
        """Send a link. Neither the response nor its time reveals whether the address is known: it is sent afterwards, and a
        failure to send it is only logged."""
        email, sign_in, now = request.form.get("email", ""), self.context.sign_in, self.context.now()
        self.forms.take(request.remote_addr or "")
        self.often.take(email.strip().lower())
        sign_in.own_site()
        our.plain_email(email)
        given = request.form.get("next", "/")
        wanted = own_path(given) if len(given) <= MAX_NEXT else "/"
        send = partial(our.send_links, email, sign_in, now, wanted=wanted, language=spoken().code)
        self.context.later(partial(quietly, send))
        return sign_in_page(self.context, sent=True)

    def confirm(self) -> Response:
        """A page with a button: mail programs open links before people do, and this one works once."""
        return page("link", "Sign in", refused="")

    def enter(self) -> Response:
        """Begin a session by the link."""
        try:
            pasted = request.form.get("typed", "").rpartition("link=")[2].partition("&")[0].strip()
            link = request.form.get("link") or pasted  # filled in by the page's script
            _, secret = our.redeem_link(link, self.context.sign_in, self.context.now())
        except Unauthenticated as error:
            return page("link", "Sign in", status=401, refused=in_readers_words(error.message))
        return begin_browser_session(secret, request.form.get("next", "/"), self.context)

    def leave(self) -> Response:
        """End the session; offer to sign out of the school's account too."""
        our.sign_out(auth.secret_in_cookie(), self.context.sign_in, self.context.now())
        leave = leave_address(self.context)
        answer = sign_in_page(self.context, leave=leave) if leave else see_other("/sign-in")
        auth.drop(answer)
        auth.drop(answer, PROVIDER)
        answer.headers["Clear-Site-Data"] = '"storage"'  # an essay that was being typed: W3C Clear Site Data, 3.1
        return answer


def speak() -> Response:
    """Choose the language of the pages."""
    answer = see_other(own_path(request.form.get("next", "/")))
    if (code := request.form.get("language", "")) in LANGUAGES:
        answer.set_cookie(COOKIE, code, YEAR, samesite="Lax")
    return answer


def offer_people(site: WebSite) -> None:
    """/settings/people."""

    def people(who: Person) -> Response:
        sign_in = site.context.sign_in
        titles = [each.title for each in site.context.schools.accounts.providers(who.school)]
        shown = {"titles": titles, "people": answer_to(who, site.context, api.people)}
        return page("people", "People", who, days=our.INVITATION.days, has_post=sign_in.has_post(who.school), **shown)

    site.offer("GET", "/settings/people", people, KeyScope.ADMIN)


def offer_settings(site: WebSite) -> None:
    """GET /settings, /settings/advanced, /settings/setup."""

    def settings(who: Person) -> Response:
        return page("settings", "Settings", who, settings=answer_to(who, site.context, api.settings))

    def advanced(who: Person) -> Response:
        answers = answer_to(who, site.context, answer_metrics, read_query(AnswersQuery))
        return page("advanced", "Advanced", who, settings=answer_to(who, site.context, api.settings), answers=answers)

    def setup(who: Person) -> Response:
        return page("setup", "Setup", who, setup=answer_to(who, site.context, api.setup))

    site.offer("GET", "/settings/setup", setup, KeyScope.ADMIN)
    site.offer("GET", "/settings", settings, KeyScope.TEACHER)
    site.offer("GET", "/settings/advanced", advanced, KeyScope.ADMIN)
