"""What LTI stands on.

A role of the course is a role here (LTI 1.3 Core, A.2). Only the course's count: who teaches elsewhere may be a student in
it.

A platform opens Chapterverse for somebody: they are a person of its school from then on, and signed in.

The platform says who somebody is, so it could say that they are anybody. Therefore it gives nobody more than its `widest` role,
and an e-mail address alone makes nobody a person who may do more than the launch itself allows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import SignIn, enrol, is_address
from chapterverse.core.errors import NotFound, Unauthenticated
from chapterverse.lti.model import (
    Assignment,
    AssignmentSubmission,
    CourseServices,
    Guest,
    KeyRing,
    Launch,
    LaunchKind,
    Pending,
    Platform,
    ToolKey,
)
from chapterverse.lti.store import SqlLti

if TYPE_CHECKING:
    from chapterverse.lti.messages import LtiMessages
    from chapterverse.lti.services import PlatformServices


@dataclass(frozen=True, slots=True)
class LtiTool:
    """What LTI stands on. site: where our pages are, "https://…" without a slash: platforms know us by it."""

    store: SqlLti
    keys: KeyRing
    messages: "LtiMessages"
    services: "PlatformServices"
    site: str = ""

    @property
    def key(self) -> ToolKey:
        """What we sign with."""
        return self.keys.all()[0]

    def essay_of(self, assignment: str, email: str) -> AssignmentSubmission | None:
        """What the person of that address has handed in last for that assignment; None: nothing."""
        return next((each for each in self.store.submissions(assignment) if each.email == email), None)

    @property
    def launch_url(self) -> str:
        """Where platforms send people."""
        return f"{self.site}/lti/launch"


COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"

BELOW = "http://purl.imsglobal.org/vocab/lis/v2/membership/"

OF_THE_SCHOOL = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#"

OF_THE_PLATFORM = "http://purl.imsglobal.org/vocab/lis/v2/system/person#"

TEACH = frozenset({f"{COURSE}Instructor", f"{COURSE}Administrator"})

RUN = frozenset(f"{of}{name}" for of in (OF_THE_SCHOOL, OF_THE_PLATFORM) for name in ("Administrator", "SysAdmin"))

ASSIST = "TeachingAssistant"

"""Canvas calls an assistant an Instructor, too; often it is a student, who is not to see the essays of a whole school."""

WIDTH = list(KeyScope)


def role_of(roles: Iterable[str], widest: KeyScope) -> KeyScope:
    """What somebody of these roles may do, at most `widest`."""
    told = frozenset(roles)
    return min(_told(told), widest, key=WIDTH.index)


def learns(roles: Iterable[str]) -> bool:
    """Whether essays are expected of them."""
    told = frozenset(roles)
    return _told(told) is KeyScope.STUDENT and any(each in {f"{COURSE}Learner", "Learner"} for each in told)


def _told(roles: frozenset[str]) -> KeyScope:
    if roles & RUN:
        return KeyScope.ADMIN
    assists = any(each.startswith((BELOW, COURSE)) and ASSIST in each for each in roles)
    teaches = bool(roles & TEACH) or any(each.startswith((f"{BELOW}Instructor#", f"{BELOW}Administrator#")) for each in roles)
    return KeyScope.TEACHER if (teaches or "Instructor" in roles) and not assists else KeyScope.STUDENT


LOGIN = timedelta(minutes=10)  # a platform may ask for a password in between

MOST = 100.0  # points of an assignment that nobody has chosen any for

HINTS = ("iss", "client_id", "login_hint", "lti_message_hint", "lti_deployment_id", "target_link_uri")

LONGEST = 4000  # characters of a hint

ID_BYTES = 16

NAMELESS = "—"


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """Somebody whom a platform has sent. assignment: what they came for, if it is one."""

    person: Person
    launch: Launch
    platform: Platform
    assignment: Assignment | None = None


def begin_login(told: Mapping[str, str], tool: LtiTool, now: datetime) -> tuple[str, str]:
    """Where to send the browser, and the state that has to come back with it. Raises Unauthenticated."""
    hints = {name: told[name][:LONGEST] for name in HINTS if told.get(name)}
    platform = platform_of(hints.get("iss", ""), hints.get("client_id", ""), tool)
    address, state, nonce = tool.messages.begin(platform, hints, tool.launch_url)
    tool.store.forget(now)
    tool.store.begin(Pending(digest_of(state), platform.id, {"nonce": nonce, **hints}, now + LOGIN))
    return address, state


def platform_of(issuer: str, client_id: str, tool: LtiTool) -> Platform:
    """That of the issuer; of several, the one of that client id, which the standard lets platforms leave out. Raises
    Unauthenticated."""
    known = [each for each in tool.store.of_issuer(issuer) if client_id in {"", each.client_id}]
    if len(known) != 1:
        raise Unauthenticated("lms_unknown")
    return known[0]


def take_login(state: str, tool: LtiTool, now: datetime) -> tuple[Pending, Platform]:
    """What was begun with that state, which is good once. Raises Unauthenticated."""
    try:
        pending = tool.store.take(digest_of(state), now)
        return pending, tool.store.platform(pending.platform)
    except NotFound:
        raise Unauthenticated("launch_expired") from None


def arrive(
    form: Mapping[str, str], begun: Pending, platform: Platform, *, tool: LtiTool, sign_in: SignIn, now: datetime
) -> LaunchResult:
    """Who has come, and what for. form: what the platform sent, with a state that the same browser has begun with. Raises
    Unauthenticated, PlatformUnavailable."""
    launch = tool.messages.read(platform, form, form.get("state", ""), begun.told["nonce"])
    person = _person(launch, platform, tool, sign_in, now)
    assignment = _assignment(launch, platform, tool, now) if launch.kind is LaunchKind.LINK else None
    return LaunchResult(person, launch, platform, assignment)


def _person(launch: Launch, platform: Platform, tool: LtiTool, sign_in: SignIn, now: datetime) -> Person:
    """A role that the school gave stays; one that a launch gave follows the platform."""
    told = role_of(launch.roles, platform.widest)
    guest = _guest(launch, platform, tool, sign_in)
    email = guest.email if guest else _address(launch, told, platform, tool, sign_in)
    there = sign_in.find(platform.school, email)
    ours = there is None or (guest is not None and guest.role is there.role)
    if there is None:
        person = enrol(platform.school, email, launch.name or NAMELESS, told, sign_in=sign_in, now=now)
    else:
        person = replace(there, role=told, name=launch.name or there.name) if ours else there
        if person != there:
            sign_in.people.keep(person)
    given = told if ours else guest.role if guest else None
    tool.store.keep_guest(Guest(platform.id, launch.subject, platform.school, email, given))
    return person


def _guest(launch: Launch, platform: Platform, tool: LtiTool, sign_in: SignIn) -> Guest | None:
    """Whom the platform has sent before; not where the school has since let that person do more than the platform may let
    anybody: who runs the platform would else come in as them."""
    try:
        guest = tool.store.guest(platform.id, launch.subject)
    except NotFound:
        return None
    there = sign_in.find(platform.school, guest.email)
    return guest if there is None or as_wide(platform.widest, there.role) else None


def _address(launch: Launch, told: KeyScope, platform: Platform, tool: LtiTool, sign_in: SignIn) -> str:
    """The one that the platform tells, unless it would make them somebody who may do more, or somebody else whom it sent; then,
    and where it tells none, one that no letter reaches (RFC 2606, 2)."""
    there = sign_in.find(platform.school, launch.email)
    more = there is not None and not as_wide(told, there.role)
    if is_address(launch.email) and not more and launch.email not in {each.email for each in tool.store.guests(platform.id)}:
        return launch.email
    return f"{digest_of(launch.subject)[:20]}@{platform.id}.invalid"


def _assignment(launch: Launch, platform: Platform, tool: LtiTool, now: datetime) -> Assignment | None:
    """Behind the link, by the link itself: a course that is copied keeps what was chosen, and gets links of its own."""
    known = _behind(launch, platform, tool)
    if known is None:
        if not launch.services.line_item_url:  # not graded: a link to Chapterverse as a whole
            return None
        title = launch.title or "Essay"
        known = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, "", (), MOST, now)
    elif known.link not in {"", launch.link}:
        known = replace(known, id=token_hex(ID_BYTES), created=now)
    now_told = replace(known, link=launch.link, services=_with_line_item(launch.services, known.services))
    tool.store.keep_assignment(now_told)
    return now_told


def _behind(launch: Launch, platform: Platform, tool: LtiTool) -> Assignment | None:
    try:
        return tool.store.on_link(platform.id, launch.link)
    except NotFound:
        pass
    try:
        chosen = tool.store.assignment(platform.school, launch.chosen)
    except NotFound:
        return None
    return chosen if chosen.platform == platform.id else None


def _with_line_item(told: CourseServices, known: CourseServices) -> CourseServices:
    """One that we made ourselves is not told."""
    return told if told.line_item_url else replace(told, line_item_url=known.line_item_url)
