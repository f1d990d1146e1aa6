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
from typing import Protocol

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import Reception, enrol, is_address
from chapterverse.core.errors import NotFound, Unauthenticated
from chapterverse.lti.model import (
    Assignment,
    CourseServices,
    Guest,
    HandedIn,
    Launch,
    LaunchKind,
    Member,
    Pending,
    Platform,
    Score,
)
from chapterverse.lti.ports import KeyRing, LtiStore, ToolKey


class Messages(Protocol):
    """Speaks LTI 1.3 with browsers between us and a platform; lti.messages."""

    def begin(self, platform: Platform, told: Mapping[str, str], launch_url: str) -> tuple[str, str, str]:
        """Where to send the browser, the state and the nonce that have to come back. Raises Unauthenticated."""

    def read(self, platform: Platform, form: Mapping[str, str], state: str, nonce: str) -> Launch:
        """What a message says that comes back with that state and nonce. Raises Unauthenticated, PlatformUnavailable."""

    def named(self, form: Mapping[str, str]) -> tuple[str, str]:
        """Issuer and client id that a message names, which nobody has checked: for telling what is wrong with it; empty where
        it names none."""

    def choose(self, platform: Platform, told: Mapping[str, str], chosen: Assignment, url: str, key: ToolKey) -> str:
        """The signed answer to a choice."""


class CourseService(Protocol):
    """Speaks LTI Advantage with a platform; lti.services. Raises PlatformRefused, PlatformUnavailable."""

    def members(self, platform: Platform, url: str, key: ToolKey) -> list[Member]:
        """Everybody in the course."""

    def line_item(self, platform: Platform, of: Assignment, key: ToolKey) -> str:
        """The address of the assignment's column in the gradebook, which is made if there is none."""

    def send(self, platform: Platform, of: Assignment, subject: str, score: Score, key: ToolKey) -> None:
        """A score and comment into it."""


@dataclass(frozen=True, slots=True)
class Tool:
    """What LTI stands on. site: where our pages are, "https://…" without a slash: platforms know us by it."""

    store: LtiStore
    keys: KeyRing
    messages: Messages
    services: CourseService
    site: str = ""

    @property
    def key(self) -> ToolKey:
        """What we sign with."""
        return self.keys.all()[0]

    def essay_of(self, assignment: str, email: str) -> HandedIn | None:
        """What the person of that address has handed in last for that assignment; None: nothing."""
        return next((each for each in self.store.handed_in(assignment) if each.email == email), None)

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
class Arrived:
    """Somebody whom a platform has sent. assignment: what they came for, if it is one."""

    person: Person
    launch: Launch
    platform: Platform
    assignment: Assignment | None = None


def begin_login(told: Mapping[str, str], tool: Tool, now: datetime) -> tuple[str, str]:
    """Where to send the browser, and the state that has to come back with it. Raises Unauthenticated."""
    hints = {name: told[name][:LONGEST] for name in HINTS if told.get(name)}
    platform = platform_of(hints.get("iss", ""), hints.get("client_id", ""), tool)
    address, state, nonce = tool.messages.begin(platform, hints, tool.launch_url)
    tool.store.forget(now)
    tool.store.begin(Pending(digest_of(state), platform.id, {"nonce": nonce, **hints}, now + LOGIN))
    return address, state


def platform_of(issuer: str, client_id: str, tool: Tool) -> Platform:
    """That of the issuer; of several, the one of that client id, which the standard lets platforms leave out. Raises
    Unauthenticated."""
    known = [each for each in tool.store.of_issuer(issuer) if client_id in {"", each.client_id}]
    if len(known) != 1:
        raise Unauthenticated("lms_unknown")
    return known[0]


def take_login(state: str, tool: Tool, now: datetime) -> tuple[Pending, Platform]:
    """What was begun with that state, which is good once. Raises Unauthenticated."""
    try:
        pending = tool.store.take(digest_of(state), now)
        return pending, tool.store.platform(pending.platform)
    except NotFound:
        raise Unauthenticated("launch_expired") from None


def arrive(
    form: Mapping[str, str], begun: Pending, platform: Platform, *, tool: Tool, reception: Reception, now: datetime
) -> Arrived:
    """Who has come, and what for. form: what the platform sent, with a state that the same browser has begun with. Raises
    Unauthenticated, PlatformUnavailable."""
    launch = tool.messages.read(platform, form, form.get("state", ""), begun.told["nonce"])
    person = _person(launch, platform, tool, reception, now)
    assignment = _assignment(launch, platform, tool, now) if launch.kind is LaunchKind.LINK else None
    return Arrived(person, launch, platform, assignment)


def _person(launch: Launch, platform: Platform, tool: Tool, reception: Reception, now: datetime) -> Person:
    """A role that the school gave stays; one that a launch gave follows the platform."""
    told = role_of(launch.roles, platform.widest)
    guest = _guest(launch, platform, tool, reception)
    email = guest.email if guest else _address(launch, told, platform, tool, reception)
    there = reception.find(platform.school, email)
    ours = there is None or (guest is not None and guest.role is there.role)
    if there is None:
        person = enrol(platform.school, email, launch.name or NAMELESS, told, reception=reception, now=now)
    else:
        person = replace(there, role=told, name=launch.name or there.name) if ours else there
        if person != there:
            reception.people.keep(person)
    given = told if ours else guest.role if guest else None
    tool.store.keep_guest(Guest(platform.id, launch.subject, platform.school, email, given))
    return person


def _guest(launch: Launch, platform: Platform, tool: Tool, reception: Reception) -> Guest | None:
    """Whom the platform has sent before; not where the school has since let that person do more than the platform may let
    anybody: who runs the platform would else come in as them."""
    try:
        guest = tool.store.guest(platform.id, launch.subject)
    except NotFound:
        return None
    there = reception.find(platform.school, guest.email)
    return guest if there is None or as_wide(platform.widest, there.role) else None


def _address(launch: Launch, told: KeyScope, platform: Platform, tool: Tool, reception: Reception) -> str:
    """The one that the platform tells, unless it would make them somebody who may do more, or somebody else whom it sent; then,
    and where it tells none, one that no letter reaches (RFC 2606, 2)."""
    there = reception.find(platform.school, launch.email)
    more = there is not None and not as_wide(told, there.role)
    if is_address(launch.email) and not more and launch.email not in {each.email for each in tool.store.guests(platform.id)}:
        return launch.email
    return f"{digest_of(launch.subject)[:20]}@{platform.id}.invalid"


def _assignment(launch: Launch, platform: Platform, tool: Tool, now: datetime) -> Assignment | None:
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


def _behind(launch: Launch, platform: Platform, tool: Tool) -> Assignment | None:
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
