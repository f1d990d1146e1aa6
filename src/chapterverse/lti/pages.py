"""Pages of LTI 1.3 launches and of assignments.

A platform shows our pages in a frame, where browsers may block our session. Only these pages may be framed, and only by that
platform; they show nothing but the launch, and one button opens our own tab by a link that works once (docs/adr)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from http import HTTPStatus
from json import dumps
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Response, request

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.pages import begin_browser_session
from chapterverse.accounts.sign_in import begin_session, link_for
from chapterverse.assignments.model import DEFAULT_POINTS
from chapterverse.core.errors import BadRequest, ChapterverseError, Unauthenticated
from chapterverse.library.versions import ready_books
from chapterverse.lti import launching
from chapterverse.lti.hand_ins import agree, begin_agreement, receive_notices
from chapterverse.lti.model import LaunchKind, Platform
from chapterverse.web import auth
from chapterverse.web.bare import problem_of, respond
from chapterverse.web.context import AppContext
from chapterverse.web.frame import POLICY, Pages, page
from chapterverse.web.limits import RateLimit
from lti_assets.notices import Notice, NoticeInvalid, jwts_in, named_in

BUTTON_LIFETIME = timedelta(minutes=10)
LOGINS_PER_MINUTE = 600  # of one platform: a lesson begins
NO_ORIGIN = "'none'"
ANY_PLATFORM = "https:"  # may frame a registration: which page of a platform opens it is not known, and the address is secret
MAX_GIVEN = 4000  # characters of a value that a platform gives
pages = Pages()


@pages.offer("GET", "/lti/login", None)
@pages.offer("POST", "/lti/login", None, from_elsewhere=True)  # begins a login and changes no session
def login(context: AppContext) -> Response:
    """Third-party login of OpenID Connect: redirect to the platform, with a state in a cookie."""
    given = request.values
    try:
        _count_login(given.get("iss", ""), context)
        address, state = launching.begin_login(given, context.lti, context.now())
    except ChapterverseError as error:
        return _failed(error, given.get("iss", ""), given.get("client_id", ""), context)
    answer = Response(status=302, headers={"Location": address})
    auth.keep(answer, state, launching.LOGIN_LIFETIME, _cookie(state), in_frame=True)
    return answer


@pages.offer("POST", "/lti/launch", None, from_elsewhere=True)  # protected by state and signature
def launch(context: AppContext) -> Response:
    """Check a launch and show it. It must come from the browser that began it; a browser that blocks cookies in frames
    begins again in a tab."""
    state, now = request.form.get("state", ""), context.now()
    try:
        begun, platform = launching.take_login(state, context.lti, now)
    except ChapterverseError as error:
        return _failed(error, *context.lti.messages.named(request.form), context)
    if auth.secret_in_cookie(_cookie(state)) != state:
        hints = {name: begun.data[name] for name in launching.HINTS if name in begun.data}
        return _framed("lti_tab", platform.origins, 409, again=f"/lti/login?{urlencode(hints)}")
    try:
        launched = launching.launch_result(request.form, begun, platform, tool=context.lti, sign_in=context.sign_in, now=now)
        views = {LaunchKind.CHOICE: _choice, LaunchKind.EULA: _terms}
        answer = views.get(launched.launch.kind, _open)(launched, context)
    except ChapterverseError as error:
        return _failed(error, platform.issuer, platform.client_id, context)
    auth.drop(answer, _cookie(state), in_frame=True)
    return answer


@pages.offer("GET", "/lti/jwks", None)
def keys(context: AppContext) -> Response:
    """Our public keys (RFC 7517), also those that were rotated out recently."""
    public = [key.public for key in context.lti.keys.all()]
    return Response(dumps({"keys": public}), headers={"Cache-Control": "max-age=300"}, content_type="application/json")


@pages.offer("POST", "/lti/choose", None)
def choose(context: AppContext) -> Response:
    """Send a teacher's choice back to the platform, signed."""
    form = request.form
    origins = _origins(form.get("platform", ""), context)
    chosen = (form.get("title", ""), form.get("instructions", ""), form.getlist("books"), form.get("most", ""))
    try:
        catalog, now = context.services.catalog, context.now()
        begun, answer = launching.choose(form.get("secret", ""), *chosen, tool=context.lti, catalog=catalog, now=now)
    except ChapterverseError as error:
        return _problem(error, origins)
    back = launching.origin(begun["return_url"])
    return _framed("lti_back", (*origins, back), sends_to=back, address=begun["return_url"], answer=answer)


@pages.offer("POST", "/lti/notices", None, from_elsewhere=True)  # each notice is signed
def notices(context: AppContext) -> Response:
    """Take the notices of a platform (PNS 1.0). 202: all are stored; a refused or unknown one refuses them all."""
    try:
        received = [_notice(token, context) for token in jwts_in(request.get_json(silent=True))]
        receive_notices(received, context.hand_ins)
    except NoticeInvalid as error:
        return respond(BadRequest("notice_invalid", reason=str(error)))
    except ChapterverseError as error:
        return respond(error)
    return Response(status=HTTPStatus.ACCEPTED)


def _notice(token: str, context: AppContext) -> tuple[Platform, Notice]:
    issuer, clients, _ = named_in(token)
    known = [each for each in context.lti.store.of_issuer(issuer) if each.client_id in clients]
    if len(known) != 1:
        raise Unauthenticated("lms_unknown")
    _count_login(issuer, context)
    return known[0], context.lti.messages.notice(known[0], token)


@pages.offer("POST", "/lti/agree", None)
def answer_terms(context: AppContext) -> Response:
    """Store a student's answer to the terms; the platform then closes our page."""
    form, now = request.form, context.now()
    origins = _origins(form.get("platform", ""), context)
    try:
        pending, _ = launching.take_login(form.get("secret", ""), context.lti, now)
        agree(pending, form.get("answer") == "yes", tool=context.lti, now=now)
    except ChapterverseError as error:
        return _problem(error, origins)
    return _framed("lti_close", origins, is_registered=False)


@pages.offer("GET", "/lti/register", None)
def registration(context: AppContext) -> Response:
    """A page with a button that registers us, which the platform opens."""
    given = _registration_in(request.args)
    origins = [ANY_PLATFORM, launching.origin(given.offer_url)]
    try:
        school = launching.school_of(given.key, context.lti)
    except ChapterverseError as error:
        return _problem(error, origins)
    return _framed("lti_register", origins, given=given, school=school, host=urlsplit(given.offer_url).netloc)


@pages.offer("POST", "/lti/register", None)
def register(context: AppContext) -> Response:
    """Register us with the platform and the platform with us."""
    given = _registration_in(request.form)
    origins = [ANY_PLATFORM, launching.origin(given.offer_url)]
    try:
        launching.register_by_offer(given, context.lti, context.setups, context.now())
    except ChapterverseError as error:
        return _problem(error, origins)
    return _framed("lti_close", origins, is_registered=True)


def _terms(launched: launching.LaunchResult, context: AppContext) -> Response:
    """What happens with an essay, with a yes and a no."""
    secret = begin_agreement(launched, context.lti, context.now())
    days = context.batches.history.days
    return _framed("lti_terms", launched.platform.origins, secret=secret, platform=launched.platform.id, days=days)


def _open(launched: launching.LaunchResult, context: AppContext) -> Response:
    """Begin a session in a tab of its own; in a frame, show a button that opens one."""
    next_ = _goal(launched)
    if request.headers.get("Sec-Fetch-Dest") == "document":
        return begin_browser_session(begin_session(launched.person, context.sign_in, context.now()), next_, context)
    link = link_for(launched.person, context.sign_in, context.now(), good_for=BUTTON_LIFETIME)
    named, origins = launched.person.name, launched.platform.origins
    return _framed("lti_open", origins, person=named, link=link, next=next_, assignment=launched.assignment)


def _choice(launched: launching.LaunchResult, context: AppContext) -> Response:
    secret = launching.begin_choice(launched, context.lti, context.now())
    books = ready_books(launched.platform.school, context.services)
    origins = (*launched.platform.origins, launching.origin(launched.launch.return_url))
    filled: dict[str, Any] = {"books": books, "platform": launched.platform.id, "max_score": f"{DEFAULT_POINTS:g}"}
    return _framed("lti_choose", origins, secret=secret, is_processor=launched.launch.takes_processors, **filled)


def _failed(error: ChapterverseError, issuer: str, client_id: str, context: AppContext) -> Response:
    """A page with the error, which the named platform may frame."""
    try:
        return _problem(error, launching.platform_of(issuer, client_id, context.lti).origins)
    except ChapterverseError:
        return _problem(error, ())


def _origins(platform: str, context: AppContext) -> Sequence[str]:
    try:
        return context.lti.store.platform(platform).origins
    except ChapterverseError:
        return ()


def _count_login(issuer: str, context: AppContext) -> None:
    RateLimit(LOGINS_PER_MINUTE, context.rates, "platform logins", who="one_learning_platform").take(issuer)


def _goal(launched: launching.LaunchResult) -> str:
    """Where the launch leads: students to the essay page or their feedback, teachers to the submissions or an essay."""
    if not launched.assignment:
        return "/"
    teaches = as_wide(launched.person.role, KeyScope.TEACHER)
    if launched.launch.kind is LaunchKind.REVIEW:
        if not launched.feedback:
            return "/"
        review = f"/essay/assignments/{launched.assignment.id}/essays/{launched.feedback}"
        return review if teaches else f"/essay/mine/{launched.feedback}"
    return f"/essay/assignments/{launched.assignment.id}" if teaches else f"/essay?assignment={launched.assignment.id}"


def _cookie(state: str) -> str:
    """The cookie of one login: several tabs may begin at once."""
    return f"lti-{digest_of(state)[:16]}"


def _registration_in(given: Mapping[str, str]) -> launching.RegistrationRequest:
    names = ("key", "openid_configuration", "registration_token")
    return launching.RegistrationRequest(*(given.get(name, "")[:MAX_GIVEN] for name in names))


def _problem(error: ChapterverseError, origins: Sequence[str]) -> Response:
    problem = problem_of(error)
    return _framed("lti_problem", origins, problem.status, problem=problem)


def _framed(template: str, origins: Sequence[str], status: int = 200, sends_to: str = "", **filled: Any) -> Response:
    """A page that these origins may frame, and whose forms may post to us or to sends_to."""
    answer = page(template, "Sign in", status=status, **filled)
    framed = POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(dict.fromkeys(origins)) or NO_ORIGIN}")
    sent = framed.replace("form-action 'self'", f"form-action 'self' {sends_to}".rstrip())
    answer.headers["Content-Security-Policy"] = sent
    return answer
