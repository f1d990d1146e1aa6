"""Moodle, Canvas and their like open Chapterverse (LTI 1.3), and teachers choose within them what is asked for.

A platform shows us in a frame of its page. There a browser may keep no session of ours, and no page of ours may be framed, but
these few: they hold nothing but what was asked for just now, only that platform may frame them, and one button leads on to a
tab of our own by a link that is good once (docs/adr).

Pages of assignments: what a course asks for, and what was handed in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from json import dumps
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.pages import come_in
from chapterverse.accounts.sign_in import begin_session, link_for
from chapterverse.core.errors import ChapterverseError
from chapterverse.library.service import ready_books
from chapterverse.lti.assignments import begin_choice, choose
from chapterverse.lti.launching import HINTS, LOGIN, MOST, LaunchResult, LtiTool, arrive, begin_login, platform_of, take_login
from chapterverse.lti.model import Assignment, LaunchKind, Platform
from chapterverse.lti.registering import origin
from chapterverse.web import auth
from chapterverse.web.context import AppContext
from chapterverse.web.frame import POLICY, WebSite, page
from chapterverse.web.limits import RateLimit
from chapterverse.web.problems import problem_of

CLICK = timedelta(minutes=10)  # until the button is pressed

LOGINS = 600  # a minute of one platform: a lesson begins

NOBODYS = "'none'"


def offer_lti(site: WebSite) -> None:
    """The addresses that a platform's admin types in, and where a choice is sent to."""
    door = LtiPages(site.context, RateLimit(LOGINS, site.context.rates, "platform logins", who="one_learning_platform"))
    site.offer("GET", "/lti/login", door.login, None)
    site.offer("POST", "/lti/login", door.login, None, from_elsewhere=True)  # begins something, and changes nobody's session
    site.offer("POST", "/lti/launch", door.launch, None, from_elsewhere=True)  # its state and signature prove that it is meant
    site.offer("GET", "/lti/jwks", door.keys, None)
    site.offer("POST", "/lti/choose", door.choose, None)


@dataclass(frozen=True, slots=True)
class LtiPages:
    """Where platforms send people in. often: logins of one platform."""

    context: AppContext
    often: RateLimit

    def login(self) -> Response:
        """OpenID Connect's third-party login: to the platform and back, with a state that this browser keeps."""
        told = request.values
        try:
            self.often.take(told.get("iss", ""))
            address, state = begin_login(told, self._tool, self.context.now())
        except ChapterverseError as error:
            return self._failed(error, told.get("iss", ""), told.get("client_id", ""))
        answer = Response(status=302, headers={"Location": address})
        auth.keep_beside(answer, _cookie(state), state, LOGIN)
        return answer

    def launch(self) -> Response:
        """What the platform says of somebody. It is taken from the browser that has begun it alone; one that keeps no cookie in
        the frame begins again in a tab."""
        state, now = request.form.get("state", ""), self.context.now()
        try:
            begun, platform = take_login(state, self._tool, now)
        except ChapterverseError as error:
            return self._failed(error, *self._tool.messages.named(request.form))
        if auth.beside(_cookie(state)) != state:
            hints = {name: begun.told[name] for name in HINTS if name in begun.told}
            return self._no_cookie(platform, hints)
        try:
            arrived = arrive(request.form, begun, platform, tool=self._tool, sign_in=self.context.sign_in, now=now)
            answer = self._choice(arrived) if arrived.launch.kind is LaunchKind.CHOICE else self._open(arrived)
        except ChapterverseError as error:
            return self._failed(error, platform.issuer, platform.client_id)
        auth.drop_beside(answer, _cookie(state))
        return answer

    def keys(self) -> Response:
        """What platforms check our signatures with (RFC 7517): the newest key signs, older ones stay for a while."""
        keys = [key.public for key in self._tool.keys.all()]
        return Response(dumps({"keys": keys}), headers={"Cache-Control": "max-age=300"}, content_type="application/json")

    def choose(self) -> Response:
        """A teacher's choice goes back to the platform, signed."""
        form = request.form
        told = (form.get("title", ""), form.get("instructions", ""), form.getlist("books"), form.get("most", ""))
        try:
            begun, answer = choose(form.get("secret", ""), *told, tool=self._tool, now=self.context.now())
        except ChapterverseError as error:
            return _problem(error, self._origins(form.get("platform", "")))
        back = origin(begun["return_url"])
        origins = self._origins(form.get("platform", ""))
        return _framed("lti_back", (*origins, back), sends_to=back, address=begun["return_url"], answer=answer)

    @property
    def _tool(self) -> LtiTool:
        return self.context.lti

    def _open(self, arrived: LaunchResult) -> Response:
        """In a tab of its own, whoever arrives is in; in a frame there is a button."""
        context, next_ = self.context, _goal(arrived)
        if request.headers.get("Sec-Fetch-Dest") == "document":
            return come_in(begin_session(arrived.person, context.sign_in, context.now()), next_, context)
        link = link_for(arrived.person, context.sign_in, context.now(), good_for=CLICK)
        named, origins = arrived.person.name, arrived.platform.origins
        return _framed("lti_open", origins, person=named, link=link, next=next_, assignment=arrived.assignment)

    def _choice(self, arrived: LaunchResult) -> Response:
        secret = begin_choice(arrived, self._tool, self.context.now())
        books = ready_books(arrived.platform.school, self.context.services)
        origins = (*arrived.platform.origins, origin(arrived.launch.return_url))
        return _framed("lti_choose", origins, secret=secret, books=books, most=f"{MOST:g}", platform=arrived.platform.id)

    def _no_cookie(self, platform: Platform, hints: dict[str, str]) -> Response:
        again = f"/lti/login?{urlencode(hints)}"
        return _framed("lti_tab", platform.origins, 409, again=again)

    def _failed(self, error: ChapterverseError, issuer: str, client_id: str) -> Response:
        """What went wrong, where the page of the platform that is named can show it."""
        try:
            return _problem(error, platform_of(issuer, client_id, self._tool).origins)
        except ChapterverseError:
            return _problem(error, ())

    def _origins(self, platform: str) -> Sequence[str]:
        try:
            return self._tool.store.platform(platform).origins
        except ChapterverseError:
            return ()


def _goal(arrived: LaunchResult) -> str:
    """Students write, teachers look at what was handed in."""
    if not arrived.assignment:
        return "/"
    teaches = as_wide(arrived.person.role, KeyScope.TEACHER)
    return f"/essay/assignments/{arrived.assignment.id}" if teaches else f"/essay?assignment={arrived.assignment.id}"


def _cookie(state: str) -> str:
    """One for each login: several tabs begin at once."""
    return f"lti-{digest_of(state)[:16]}"


def _problem(error: ChapterverseError, origins: Sequence[str]) -> Response:
    problem = problem_of(error)
    return _framed("lti_problem", origins, problem.status, problem=problem)


def _framed(template: str, origins: Sequence[str], status: int = 200, sends_to: str = "", **filled: Any) -> Response:
    """A page that these origins may hold in a frame, and whose forms go to us or to sends_to."""
    answer = page(template, "Sign in", status=status, **filled)
    framed = POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(dict.fromkeys(origins)) or NOBODYS}")
    sent = framed.replace("form-action 'self'", f"form-action 'self' {sends_to}".rstrip())
    answer.headers["Content-Security-Policy"] = sent
    return answer


def offer_assignments(site: WebSite) -> None:
    """For teachers: all of them, and one."""
    store = site.context.lti.store

    def all_(who: Person) -> Response:
        return page("assignments", "Assignments", who, assignments=store.assignments(who.school))

    def one(who: Person, assignment: str) -> Response:
        return page("assignment", "Assignment", who, assignment=store.assignment(who.school, assignment))

    site.offer("GET", "/essay/assignments", all_, KeyScope.TEACHER)
    site.offer("GET", "/essay/assignments/<assignment>", one, KeyScope.TEACHER)


def assignment_of(who: Person, context: AppContext) -> Assignment | None:
    """What the essay is for, where the address says. Raises NotFound."""
    named = request.args.get("assignment")
    return context.lti.store.assignment(who.school, named) if named else None


def has_submitted(who: Person, assignment: Assignment | None, context: AppContext) -> bool:
    """Whether that person has, for that assignment."""
    return assignment is not None and context.lti.essay_of(assignment.id, who.email) is not None
