"""Launches: a platform opens Chapterverse for a person, who becomes a person of its school and is signed in. Assignments: a
teacher creates them within the platform, students submit essays, scores go into the course's gradebook.

Only roles in the course count (LTI 1.3 Core, A.2): a teacher elsewhere may be a student in it.

A platform could send the e-mail address of another person. So it makes nobody more than a teacher, and an e-mail address alone
never leads to a person with more rights than the launch itself gives."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe
from typing import TYPE_CHECKING

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import SignIn, enrol, is_address
from chapterverse.assignments.model import DEFAULT_POINTS, Assignment, AssignmentSubmission, SentScore
from chapterverse.assignments.overview import Roster, RosterEntry, submissions_of
from chapterverse.assignments.service import AssignmentContext
from chapterverse.assignments.store import SqlAssignments
from chapterverse.core.errors import BadRequest, NotFound, PlatformRefused, PlatformUnavailable, Unauthenticated
from chapterverse.core.names import fingerprint, is_safe, one_line
from chapterverse.lti.model import Guest, KeyRing, Launch, LaunchKind, Member, Pending, Platform, ToolKey
from chapterverse.lti.services import platform_errors_as_ours
from chapterverse.lti.store import SqlLti
from lti_assets.notices import NoticeType

if TYPE_CHECKING:
    from chapterverse.lti.messages import LtiMessages
    from chapterverse.lti.services import PlatformServices


@dataclass(frozen=True, slots=True)
class LtiTool:
    """What LTI needs. site: address of our pages, "https://…" without a slash at the end, as registered at platforms."""

    store: SqlLti
    assignments: SqlAssignments
    keys: KeyRing
    messages: "LtiMessages"
    services: "PlatformServices"
    site: str = ""

    @property
    def key(self) -> ToolKey:
        """The key that signs."""
        return self.keys.all()[0]

    @property
    def launch_url(self) -> str:
        """The address of launches."""
        return f"{self.site}/lti/launch"

    @property
    def notices_url(self) -> str:
        """The address that platforms send notices to."""
        return f"{self.site}/lti/notices"


COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
LEARNER = f"{COURSE}Learner"
BELOW = "http://purl.imsglobal.org/vocab/lis/v2/membership/"
OF_THE_SCHOOL = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#"
OF_THE_PLATFORM = "http://purl.imsglobal.org/vocab/lis/v2/system/person#"
TEACH = frozenset({"Instructor", f"{COURSE}Instructor", f"{COURSE}Administrator"})
RUN = frozenset(f"{of}{name}" for of in (OF_THE_SCHOOL, OF_THE_PLATFORM) for name in ("Administrator", "SysAdmin"))
ASSISTANT = "TeachingAssistant"  # an Instructor to Canvas, too, but often a student, who must not see the school's essays


def role_of(roles: Iterable[str]) -> KeyScope:
    """Our role for these roles: teacher or student."""
    given = frozenset(roles)
    assists = any(each.startswith((BELOW, COURSE)) and ASSISTANT in each for each in given)
    teaches = given & TEACH or any(each.startswith((f"{BELOW}Instructor#", f"{BELOW}Administrator#")) for each in given)
    return KeyScope.TEACHER if given & RUN or (teaches and not assists) else KeyScope.STUDENT


def learns(roles: Sequence[str]) -> bool:
    """Whether a member with these roles is a student of the course."""
    return role_of(roles) is KeyScope.STUDENT and not {LEARNER, "Learner"}.isdisjoint(roles)


LOGIN_LIFETIME = timedelta(minutes=10)  # the platform may ask for a password meanwhile
HINTS = ("iss", "client_id", "login_hint", "lti_message_hint", "lti_deployment_id", "target_link_uri")
MAX_HINT = 4000  # characters
ID_BYTES = 16
NAMELESS = "—"


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """A person whom a platform has sent. assignment, feedback: what was opened, if any."""

    person: Person
    launch: Launch
    platform: Platform
    assignment: Assignment | None = None
    feedback: str | None = None


def begin_login(request: Mapping[str, str], tool: LtiTool, now: datetime) -> tuple[str, str]:
    """The address to send the browser to, and the state that must come back. Raises Unauthenticated."""
    hints = {name: request[name][:MAX_HINT] for name in HINTS if request.get(name)}
    platform = platform_of(hints.get("iss", ""), hints.get("client_id", ""), tool)
    address, state, nonce = tool.messages.begin(platform, hints, tool.launch_url)
    tool.store.forget(now)
    tool.store.keep(Pending(digest_of(state), platform.id, {"nonce": nonce, **hints}, now + LOGIN_LIFETIME))
    return address, state


def platform_of(issuer: str, client_id: str, tool: LtiTool) -> Platform:
    """The platform with that issuer, and client id if given: platforms may leave it out. Raises Unauthenticated."""
    known = [each for each in tool.store.of_issuer(issuer) if client_id in {"", each.client_id}]
    if len(known) != 1:
        raise Unauthenticated("lms_unknown")
    return known[0]


def take_login(state: str, tool: LtiTool, now: datetime) -> tuple[Pending, Platform]:
    """The login begun with that state, which works once, and its platform. Raises Unauthenticated."""
    try:
        pending = tool.store.take(digest_of(state), now)
        return pending, tool.store.platform(pending.platform)
    except NotFound:
        raise Unauthenticated("launch_expired") from None


def launch_result(
    form: Mapping[str, str], begun: Pending, platform: Platform, *, tool: LtiTool, sign_in: SignIn, now: datetime
) -> LaunchResult:
    """Check the launch message and find its person and assignment. form: sent by the platform, with the state of the same
    browser. Raises Unauthenticated, PlatformUnavailable, NotFound for a report that is not here."""
    launch = tool.messages.read(platform, form, begun.data["nonce"])
    person = _person(launch, platform, tool, sign_in, now)
    if launch.kind is LaunchKind.LINK:
        return LaunchResult(person, launch, platform, _assignment(launch, platform, tool, now))
    if launch.kind is LaunchKind.SETTINGS:
        return LaunchResult(person, launch, platform, _chosen(launch.chosen, platform, tool))
    if launch.kind is LaunchKind.REVIEW:
        of = tool.store.hand_in(hand_in_id(platform, launch.asset))
        return LaunchResult(person, launch, platform, _chosen(of.assignment, platform, tool), of.feedback)
    return LaunchResult(person, launch, platform)


def hand_in_id(platform: Platform, asset: str) -> str:
    """The id of a file that was handed in, and of its feedback. A file that is handed in again is another asset."""
    return fingerprint(platform.id, asset, digits=32)


def known_person(subject: str, platform: Platform, *, tool: LtiTool, sign_in: SignIn, now: datetime) -> Person:
    """The person behind a platform's id; a new student if they never opened us."""
    with suppress(NotFound):
        if there := sign_in.find(platform.school, tool.store.guest(platform.id, subject).email):
            return there
    return _person(Launch(LaunchKind.LINK, subject, "", "", (LEARNER,), ""), platform, tool, sign_in, now)


def _person(launch: Launch, platform: Platform, tool: LtiTool, sign_in: SignIn, now: datetime) -> Person:
    """The person of the launch. A role from the school stays; a role from a launch follows the platform."""
    given = role_of(launch.roles)
    guest = _guest(launch, platform, tool, sign_in)
    email = guest.email if guest else _address(launch, given, platform, tool, sign_in)
    there = sign_in.find(platform.school, email)
    ours = there is None or (guest is not None and guest.role is there.role)
    if there is None:
        person = enrol(platform.school, email, launch.name or NAMELESS, given, sign_in=sign_in, now=now)
    else:
        person = replace(there, role=given, name=launch.name or there.name) if ours else there
        if person != there:
            sign_in.people.keep(person)
    by_platform = given if ours else guest.role if guest else None
    tool.store.keep(Guest(platform.id, launch.subject, platform.school, email, by_platform))
    return person


def _guest(launch: Launch, platform: Platform, tool: LtiTool, sign_in: SignIn) -> Guest | None:
    """The guest, if the platform has sent them before. None also if the school has since made that person an admin: else the
    platform's operator could act as them."""
    try:
        guest = tool.store.guest(platform.id, launch.subject)
    except NotFound:
        return None
    there = sign_in.find(platform.school, guest.email)
    return guest if there is None or as_wide(KeyScope.TEACHER, there.role) else None


def _address(launch: Launch, role: KeyScope, platform: Platform, tool: LtiTool, sign_in: SignIn) -> str:
    """The e-mail address of the launch, unless it belongs to a person with a higher role or to another guest. Then, and if
    there is none, an address that no letter reaches (RFC 2606, 2)."""
    there = sign_in.find(platform.school, launch.email)
    more = there is not None and not as_wide(role, there.role)
    if is_address(launch.email) and not more and launch.email not in {each.email for each in tool.store.guests(platform.id)}:
        return launch.email
    return f"{digest_of(launch.subject)[:20]}@{platform.id}.invalid"


def _assignment(launch: Launch, platform: Platform, tool: LtiTool, now: datetime) -> Assignment | None:
    """The assignment of the link; None: a link to Chapterverse as a whole. A copied course gets a copy of the assignment."""
    known = _behind(launch, platform, tool)
    if known is None:
        if not launch.services.line_item_url:  # not graded
            return None
        title = launch.title or "Essay"
        known = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, "", (), DEFAULT_POINTS, now)
    elif known.link not in {"", launch.link}:
        known = replace(known, id=token_hex(ID_BYTES), created=now)
    column = launch.services.line_item_url or known.services.line_item_url  # launches do not name one that we made ourselves
    updated = replace(known, link=launch.link, services=replace(launch.services, line_item_url=column))
    tool.assignments.keep_assignment(updated)
    return updated


def _behind(launch: Launch, platform: Platform, tool: LtiTool) -> Assignment | None:
    with suppress(NotFound):
        return tool.assignments.on_link(platform.id, launch.link)
    return _chosen(launch.chosen, platform, tool)


def _chosen(assignment: str, platform: Platform, tool: LtiTool) -> Assignment | None:
    """The assignment with this id, if a teacher of the platform chose it."""
    with suppress(NotFound):
        chosen = tool.assignments.assignment(platform.school, assignment)
        return chosen if chosen.platform == platform.id else None
    return None


CHOICE_LIFETIME = timedelta(hours=2)  # a teacher writes instructions meanwhile
SECRET_BYTES = 32
MAX_TITLE, MAX_TEXT, MAX_POINTS = 200, 4000, 10_000.0  # characters, characters, points


def begin_choice(launched: LaunchResult, tool: LtiTool, now: datetime) -> str:
    """The secret that the choice must come with, once: a page in a frame has no session. Raises BadRequest, Unauthenticated if
    the person is no teacher."""
    launch, platform = launched.launch, launched.platform
    if launch.kind is not LaunchKind.CHOICE or not as_wide(launched.person.role, KeyScope.TEACHER):
        raise Unauthenticated("only_teachers_assign")
    if not is_safe(launch.return_url):
        raise BadRequest("lms_no_return_address")
    secret = token_urlsafe(SECRET_BYTES)
    if launch.takes_processors and not launch.notices_url:
        raise BadRequest("lms_no_notices")
    data = {"return_url": launch.return_url, "data": launch.data, "deployment": launch.deployment}
    if launch.takes_processors:
        data |= {"takes_processors": "yes", "notices_url": launch.notices_url}
    tool.store.keep(Pending(digest_of(secret), platform.id, data, now + CHOICE_LIFETIME))
    return secret


def choose(
    secret: str, title: str, instructions: str, books: Sequence[str], max_score: str, *, tool: LtiTool, now: datetime
) -> tuple[Mapping[str, str], str]:
    """Store the assignment; returns the data of the begun choice, and the signed answer for its return_url.

    Raises BadRequest, Unauthenticated, PlatformRefused and PlatformUnavailable if its notices cannot be subscribed to."""
    title, instructions = one_line(title), instructions.replace("\0", "").strip()
    if not title or len(title) > MAX_TITLE or len(instructions) > MAX_TEXT:
        raise BadRequest("assignment_title_invalid", max_title=MAX_TITLE, max_text=MAX_TEXT)
    points = _points(max_score)
    begun, platform = take_login(secret, tool, now)
    chosen = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, instructions, tuple(books), points, now)
    if url := begun.data.get("notices_url"):  # before the answer, so that no notice is missed
        with platform_errors_as_ours():
            tool.services.assets(platform, tool.key).subscribe(url, NoticeType.SUBMISSION, tool.notices_url)
    tool.assignments.keep_assignment(chosen)
    return begun.data, tool.messages.choose(platform, begun.data, chosen, tool.launch_url, tool.key)


def _points(text: str) -> float:
    try:
        points = float(text.strip().replace(",", "."))
    except ValueError:
        points = 0.0
    if not 0 < points <= MAX_POINTS:
        raise BadRequest("highest_score_invalid", highest=MAX_POINTS)
    return points


MAX_COMMENT = 2000  # characters


def roster_of_course(of: Assignment, *, tool: LtiTool, context: AssignmentContext) -> Roster:
    """The roster sorted by name; without NRPS, or if the platform does not answer, only students who submitted. Raises
    CatalogUnavailable."""
    emails = {guest.subject: guest.email for guest in tool.store.guests(of.platform or "")}
    submitted = submissions_of(of, context)
    members, whole = _members(of, tool)
    entries = list[RosterEntry]()
    for each in members:
        if learns(each.roles) and each.active:
            email = emails.get(each.subject, "")
            written_to = each.email or email
            entries.append(submitted.entry(each.subject, each.name or written_to, email, context, written_to))
    listed = {entry.student for entry in entries}
    others = [
        submitted.entry(subject, _name(of.school, email, context.sign_in), email, context)
        for subject, email in emails.items()
        if email in submitted.by_email and subject not in listed
    ]
    return Roster(tuple(sorted([*entries, *others], key=lambda each: (each.name.casefold(), each.student))), whole)


def send_score(of: Assignment, subject: str, given: float | None, comment: str, *, tool: LtiTool, now: datetime) -> SentScore:
    """Send a comment, and a score if given, to the gradebook, with a link to the feedback. Sending it again changes nothing.

    Raises BadRequest, NotFound, PlatformRefused, PlatformUnavailable."""
    if (given is not None and not 0 <= given <= of.most) or len(comment) > MAX_COMMENT:
        raise BadRequest("grade_invalid", max_score=of.most, max_characters=MAX_COMMENT)
    essay = _essay(of, subject, tool)
    score = SentScore(given, of.most, f"{comment.strip()}\n{_link(of, essay, tool)}".strip(), now)
    if essay.score and replace(essay.score, at=now) == score:
        score = essay.score
    platform, key = tool.store.platform(of.platform or ""), tool.key
    column = tool.services.line_item(platform, of, key)
    if column != of.services.line_item_url:
        of = replace(of, services=replace(of.services, line_item_url=column))
        tool.assignments.keep_assignment(of)
    tool.services.send(platform, of, subject, score, key)
    tool.assignments.submit(replace(essay, score=score))
    return score


def _link(of: Assignment, essay: AssignmentSubmission, tool: LtiTool) -> str:
    return f"{tool.site}/essay/mine/{essay.feedback}" if essay.feedback else f"{tool.site}/essay?assignment={of.id}"


def _members(of: Assignment, tool: LtiTool) -> tuple[list[Member], bool]:
    if not of.services.members_url:
        return [], False
    try:
        return tool.services.members(tool.store.platform(of.platform or ""), of.services.members_url, tool.key), True
    except (PlatformRefused, PlatformUnavailable):
        return [], False


def _name(school: str, email: str, sign_in: SignIn) -> str:
    there = sign_in.find(school, email)
    return there.name if there else email


def _essay(of: Assignment, subject: str, tool: LtiTool) -> AssignmentSubmission:
    if essay := tool.assignments.essay_of(of.id, tool.store.guest(of.platform or "", subject).email):
        return essay
    raise NotFound("nothing_submitted")
