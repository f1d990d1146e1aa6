"""Pages to sign in, by a link or by an account of the school (OpenID Connect), to sign out, and to manage a school: its people,
settings and set-up."""

from contextlib import suppress
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
from chapterverse.web.frame import Pages, own_path, page, see_other
from chapterverse.web.language import COOKIE, in_readers_words, spoken
from chapterverse.web.limits import RateLimit, quietly
from chapterverse.web.operations import answer_to

pages = Pages()


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


@pages.offer("GET", "/sign-in/school/<provider>", None)
def begin(context: AppContext, provider: str) -> Response:
    """Redirect to the provider; a cookie holds what the return needs."""
    registered = our.provider_of(provider, context.schools)
    flow = Flow(token_urlsafe(32), registered.id, own_path(request.args.get("next", "/")))
    try:
        answer = see_other(context.schools.ask(registered).begin(flow, _back(registered, context)))
    except ProviderUnavailable:
        return sign_in_page(context, refused="away")
    auth.keep(answer, f"{flow.secret}.{flow.provider}.{quote(flow.next, safe='')}", FLOW_LIFETIME, FLOW)
    return answer


@pages.offer("GET", "/sign-in/school/<provider>/back", None)
def come_back(context: AppContext, provider: str) -> Response:
    """Begin a session, or show why not."""
    try:
        answer = _signed_in(provider, context)
    except SignInRefused as error:
        answer = sign_in_page(context, refused=error.reason)
    except ProviderUnavailable:
        answer = sign_in_page(context, refused="away")
    auth.drop(answer, FLOW)
    return answer


def _signed_in(provider: str, context: AppContext) -> Response:
    registered = our.provider_of(provider, context.schools)
    flow = _begun_flow(registered)
    RateLimit(RETURNS_PER_MINUTE, context.rates, "school sign-ins", who="one_school").take(registered.id)
    if not (code := request.args.get("code")):  # the provider refused, or the person cancelled
        raise SignInRefused("refused", "school_sign_in_refused", school=registered.title)
    claims = context.schools.ask(registered).finish(flow, code, _back(registered, context))
    now = context.now()
    person = our.person_for(claims, registered, context.schools, context.sign_in, now)
    answer = begin_browser_session(our.begin_session(person, context.sign_in, now), flow.next, context)
    auth.keep(answer, registered.id, context.sign_in.session, PROVIDER)
    return answer


def _back(registered: Provider, context: AppContext) -> str:
    """Our return address as registered at the provider; never taken from the request, which can be forged."""
    if not (site := context.sign_in.site):
        raise PostUnavailable("school_sign_in_needs_site")
    return f"{site}/sign-in/school/{registered.id}/back"


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


@pages.offer("GET", "/sign-in", None)
def ask(context: AppContext) -> Response:
    """The sign-in page."""
    return sign_in_page(context)


@pages.offer("POST", "/sign-in", None)
def send(context: AppContext) -> Response:
    """Send a link. Neither the response nor its time reveals whether the address is known: it is sent afterwards, and a
    failure to send it is only logged."""
    email, sign_in, now = request.form.get("email", ""), context.sign_in, context.now()
    RateLimit(FORMS_PER_MINUTE, context.rates, "sign-in of caller", who="one_address").take(request.remote_addr or "")
    RateLimit(LETTERS_PER_MINUTE, context.rates, "sign-in links", who="one_address").take(email.strip().lower())
    sign_in.own_site()
    our.plain_email(email)
    given = request.form.get("next", "/")
    wanted = own_path(given) if len(given) <= MAX_NEXT else "/"
    letters = partial(our.send_links, email, sign_in, now, wanted=wanted, language=spoken().code)
    context.later(partial(quietly, letters))
    return sign_in_page(context, sent=True)


@pages.offer("GET", "/sign-in/link", None)
def confirm(_: AppContext) -> Response:
    """A page with a button: mail programs open links before people do, and this one works once."""
    return page("link", "Sign in", refused="")


@pages.offer("POST", "/sign-in/link", None)
def enter(context: AppContext) -> Response:
    """Begin a session by the link."""
    try:
        pasted = request.form.get("typed", "").rpartition("link=")[2].partition("&")[0].strip()
        link = request.form.get("link") or pasted  # filled in by the page's script
        _, secret = our.redeem_link(link, context.sign_in, context.now())
    except Unauthenticated as error:
        return page("link", "Sign in", status=401, refused=in_readers_words(error.message))
    return begin_browser_session(secret, request.form.get("next", "/"), context)


@pages.offer("POST", "/sign-out", None)
def leave(context: AppContext) -> Response:
    """End the session; offer to sign out of the school's account too: on a shared machine, the next person could use it with
    one click."""
    our.sign_out(auth.secret_in_cookie(), context.sign_in, context.now())
    address = None
    with suppress(ChapterverseError):  # here the person is signed out all the same
        if provider := auth.secret_in_cookie(PROVIDER):
            registered = our.provider_of(provider, context.schools)
            address = context.schools.ask(registered).end(f"{context.sign_in.site}/sign-in")
    answer = sign_in_page(context, leave=address) if address else see_other("/sign-in")
    auth.drop(answer)
    auth.drop(answer, PROVIDER)
    answer.headers["Clear-Site-Data"] = '"storage"'  # an essay that was being typed: W3C Clear Site Data, 3.1
    return answer


@pages.offer("POST", "/language", None)
def speak(_: AppContext) -> Response:
    """Choose the language of the pages."""
    answer = see_other(own_path(request.form.get("next", "/")))
    if (code := request.form.get("language", "")) in LANGUAGES:
        answer.set_cookie(COOKIE, code, YEAR, samesite="Lax")
    return answer


@pages.offer("GET", "/settings/people", KeyScope.ADMIN)
def people(who: Person, context: AppContext) -> Response:
    """The people of the school."""
    titles = [each.title for each in context.schools.accounts.providers(who.school)]
    shown = {"titles": titles, "people": answer_to(who, context, api.people)}
    return page("people", "People", who, days=our.INVITATION.days, has_post=context.sign_in.has_post(who.school), **shown)


@pages.offer("GET", "/settings", KeyScope.TEACHER)
def settings(who: Person, context: AppContext) -> Response:
    """The settings of the school."""
    return page("settings", "Settings", who, settings=answer_to(who, context, api.settings))


@pages.offer("GET", "/settings/advanced", KeyScope.ADMIN)
def advanced(who: Person, context: AppContext) -> Response:
    """The settings that few change, and statistics."""
    answers = answer_to(who, context, answer_metrics, read_query(AnswersQuery))
    return page("advanced", "Advanced", who, settings=answer_to(who, context, api.settings), answers=answers)


@pages.offer("GET", "/settings/setup", KeyScope.ADMIN)
def setup(who: Person, context: AppContext) -> Response:
    """What the school is set up with."""
    return page("setup", "Setup", who, setup=answer_to(who, context, api.setup))
