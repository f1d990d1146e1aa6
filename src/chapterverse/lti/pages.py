"""Pages of LTI 1.3 launches and of assignments.

A platform shows our pages in a frame, where browsers may block our session. Only these pages may be framed, and only by that
platform; they show nothing but the launch, and one button opens our own tab by a link that works once (docs/adr)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from chapterverse.web.frame import POLICY, WebSite, page
from chapterverse.web.limits import RateLimit
from lti_assets.notices import Notice, NoticeInvalid, jwts_in, named_in

BUTTON_LIFETIME = timedelta(minutes=10)
LOGINS_PER_MINUTE = 600  # of one platform: a lesson begins
NO_ORIGIN = "'none'"
ANY_PLATFORM = "https:"  # may frame a registration: which page of a platform opens it is not known, and the address is secret
MAX_GIVEN = 4000  # characters of a value that a platform gives


def offer_lti(site: WebSite) -> None:
    """The addresses registered at platforms, and the form of a choice."""
    pages = LtiPages(
        site.context, RateLimit(LOGINS_PER_MINUTE, site.context.rates, "platform logins", who="one_learning_platform")
    )
    site.offer("GET", "/lti/login", pages.login, None)
    site.offer("POST", "/lti/login", pages.login, None, from_elsewhere=True)  # begins a login and changes no session
    site.offer("POST", "/lti/launch", pages.launch, None, from_elsewhere=True)  # protected by state and signature
    site.offer("GET", "/lti/jwks", pages.keys, None)
    site.offer("POST", "/lti/choose", pages.choose, None)
    site.offer("POST", "/lti/notices", pages.notices, None, from_elsewhere=True)  # each notice is signed
    site.offer("POST", "/lti/agree", pages.agree, None)
    site.offer("GET", "/lti/register", pages.registration, None)
    site.offer("POST", "/lti/register", pages.register, None)


@dataclass(frozen=True, slots=True)
class LtiPages:
    """The pages that platforms open. often: rate of logins of one platform."""

    context: AppContext
    often: RateLimit

    def login(self) -> Response:
        """Third-party login of OpenID Connect: redirect to the platform, with a state in a cookie."""
        given = request.values
        try:
            self.often.take(given.get("iss", ""))
            address, state = launching.begin_login(given, self.context.lti, self.context.now())
        except ChapterverseError as error:
            return self._failed(error, given.get("iss", ""), given.get("client_id", ""))
        answer = Response(status=302, headers={"Location": address})
        auth.keep(answer, state, launching.LOGIN_LIFETIME, _cookie(state), in_frame=True)
        return answer

    def launch(self) -> Response:
        """Check a launch and show it. It must come from the browser that began it; a browser that blocks cookies in frames
        begins again in a tab."""
        state, now = request.form.get("state", ""), self.context.now()
        try:
            begun, platform = launching.take_login(state, self.context.lti, now)
        except ChapterverseError as error:
            return self._failed(error, *self.context.lti.messages.named(request.form))
        if auth.secret_in_cookie(_cookie(state)) != state:
            hints = {name: begun.data[name] for name in launching.HINTS if name in begun.data}
            return _framed("lti_tab", platform.origins, 409, again=f"/lti/login?{urlencode(hints)}")
        try:
            launched = launching.launch_result(
                request.form, begun, platform, tool=self.context.lti, sign_in=self.context.sign_in, now=now
            )
            pages = {LaunchKind.CHOICE: self._choice, LaunchKind.EULA: self._terms}
            answer = pages.get(launched.launch.kind, self._open)(launched)
        except ChapterverseError as error:
            return self._failed(error, platform.issuer, platform.client_id)
        auth.drop(answer, _cookie(state), in_frame=True)
        return answer

    def keys(self) -> Response:
        """Our public keys (RFC 7517), also those that were rotated out recently."""
        keys = [key.public for key in self.context.lti.keys.all()]
        return Response(dumps({"keys": keys}), headers={"Cache-Control": "max-age=300"}, content_type="application/json")

    def choose(self) -> Response:
        """Send a teacher's choice back to the platform, signed."""
        form = request.form
        chosen = (form.get("title", ""), form.get("instructions", ""), form.getlist("books"), form.get("most", ""))
        try:
            catalog, now = self.context.services.catalog, self.context.now()
            begun, answer = launching.choose(form.get("secret", ""), *chosen, tool=self.context.lti, catalog=catalog, now=now)
        except ChapterverseError as error:
            return _problem(error, self._origins(form.get("platform", "")))
        back = launching.origin(begun["return_url"])
        origins = self._origins(form.get("platform", ""))
        return _framed("lti_back", (*origins, back), sends_to=back, address=begun["return_url"], answer=answer)

    def notices(self) -> Response:
        """Take the notices of a platform (PNS 1.0). 202: all are stored; a refused or unknown one refuses them all."""
        try:
            received = [self._notice(token) for token in jwts_in(request.get_json(silent=True))]
            receive_notices(received, self.context.hand_ins)
        except NoticeInvalid as error:
            return respond(BadRequest("notice_invalid", reason=str(error)))
        except ChapterverseError as error:
            return respond(error)
        return Response(status=HTTPStatus.ACCEPTED)

    def _notice(self, token: str) -> tuple[Platform, Notice]:
        issuer, clients, _ = named_in(token)
        known = [each for each in self.context.lti.store.of_issuer(issuer) if each.client_id in clients]
        if len(known) != 1:
            raise Unauthenticated("lms_unknown")
        self.often.take(issuer)
        return known[0], self.context.lti.messages.notice(known[0], token)

    def agree(self) -> Response:
        """Store a student's answer to the terms; the platform then closes our page."""
        form, now = request.form, self.context.now()
        origins = self._origins(form.get("platform", ""))
        try:
            pending, _ = launching.take_login(form.get("secret", ""), self.context.lti, now)
            agree(pending, form.get("answer") == "yes", tool=self.context.lti, now=now)
        except ChapterverseError as error:
            return _problem(error, origins)
        return _framed("lti_close", origins, is_registered=False)

    def registration(self) -> Response:
        """A page with a button that registers us, which the platform opens."""
        given = _registration_in(request.args)
        origins = [ANY_PLATFORM, launching.origin(given.offer_url)]
        try:
            school = launching.school_of(given.key, self.context.lti)
        except ChapterverseError as error:
            return _problem(error, origins)
        return _framed("lti_register", origins, given=given, school=school, host=urlsplit(given.offer_url).netloc)

    def register(self) -> Response:
        """Register us with the platform and the platform with us."""
        given = _registration_in(request.form)
        origins = [ANY_PLATFORM, launching.origin(given.offer_url)]
        try:
            launching.register_by_offer(given, self.context.lti, self.context.setups, self.context.now())
        except ChapterverseError as error:
            return _problem(error, origins)
        return _framed("lti_close", origins, is_registered=True)

    def _terms(self, launched: launching.LaunchResult) -> Response:
        """What happens with an essay, with a yes and a no."""
        secret = begin_agreement(launched, self.context.lti, self.context.now())
        days = self.context.batches.history.days
        return _framed("lti_terms", launched.platform.origins, secret=secret, platform=launched.platform.id, days=days)

    def _open(self, launched: launching.LaunchResult) -> Response:
        """Begin a session in a tab of its own; in a frame, show a button that opens one."""
        context, next_ = self.context, _goal(launched)
        if request.headers.get("Sec-Fetch-Dest") == "document":
            return begin_browser_session(begin_session(launched.person, context.sign_in, context.now()), next_, context)
        link = link_for(launched.person, context.sign_in, context.now(), good_for=BUTTON_LIFETIME)
        named, origins = launched.person.name, launched.platform.origins
        return _framed("lti_open", origins, person=named, link=link, next=next_, assignment=launched.assignment)

    def _choice(self, launched: launching.LaunchResult) -> Response:
        secret = launching.begin_choice(launched, self.context.lti, self.context.now())
        books = ready_books(launched.platform.school, self.context.services)
        origins = (*launched.platform.origins, launching.origin(launched.launch.return_url))
        filled: dict[str, Any] = {"books": books, "platform": launched.platform.id, "max_score": f"{DEFAULT_POINTS:g}"}
        return _framed("lti_choose", origins, secret=secret, is_processor=launched.launch.takes_processors, **filled)

    def _failed(self, error: ChapterverseError, issuer: str, client_id: str) -> Response:
        """A page with the error, which the named platform may frame."""
        try:
            return _problem(error, launching.platform_of(issuer, client_id, self.context.lti).origins)
        except ChapterverseError:
            return _problem(error, ())

    def _origins(self, platform: str) -> Sequence[str]:
        try:
            return self.context.lti.store.platform(platform).origins
        except ChapterverseError:
            return ()


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
