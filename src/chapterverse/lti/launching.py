"""Launches: a platform opens Chapterverse for a person, who becomes a person of its school and is signed in. Assignments: a
teacher creates them within the platform, students submit essays, scores go into the course's gradebook. Registration: of a
platform, and what its admin enters there; or an admin pastes one address into Moodle or Canvas, which then registers us itself
(LTI Dynamic Registration 1.0).

Only roles in the course count (LTI 1.3 Core, A.2): a teacher elsewhere may be a student in it. A platform could send the e-mail
address of another person. So it makes nobody more than a teacher, and an e-mail address alone never leads to a person with more
rights than the launch itself gives."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe
from urllib.parse import urlencode, urlsplit

import jwt

from chapterverse.accounts.keys import as_wide, digest_of, refuse_no_school
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.setup import SchoolSetups
from chapterverse.accounts.sign_in import SignIn, enrol, is_address
from chapterverse.assignments.model import DEFAULT_POINTS, MAX_TASK, MAX_TITLE, NO_SERVICES, Assignment, SentScore
from chapterverse.assignments.overview import Roster, RosterEntry, submissions_of
from chapterverse.assignments.service import AssignmentContext
from chapterverse.assignments.store import SqlAssignments
from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest, NotFound, PlatformRefused, PlatformUnavailable, Unauthenticated
from chapterverse.core.names import fingerprint, is_safe, one_line
from chapterverse.library.store import SqlCatalog
from chapterverse.lti.messages import ALGORITHM, PRODUCT, LtiMessages, ToolKeys, private_pem
from chapterverse.lti.model import ANY_DEPLOYMENT, Guest, Launch, LaunchKind, Member, Pending, Platform, PlatformPerson, ToolKey
from chapterverse.lti.services import PlatformServices, platform_errors_as_ours
from chapterverse.lti.store import SqlLti
from lti_assets.notices import SCOPES as ASSET_SCOPES
from lti_assets.notices import NoticeType
from lti_assets.registration import ToolDescription


@dataclass(frozen=True, slots=True)
class LtiTool:
    """What LTI needs. site: address of our pages, "https://…" without a slash at the end, as registered at platforms."""

    store: SqlLti
    assignments: SqlAssignments
    keys: ToolKeys
    messages: LtiMessages
    services: PlatformServices
    site: str = ""

    @property
    def key(self) -> ToolKey:
        """The key that signs."""
        return self.keys.all()[0]

    @property
    def launch_url(self) -> str:
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
    return _person(PlatformPerson.model_validate({"sub": subject, "roles": [LEARNER]}), platform, tool, sign_in, now)


def _person(who: PlatformPerson, platform: Platform, tool: LtiTool, sign_in: SignIn, now: datetime) -> Person:
    """The person whom a platform has sent. A role from the school stays; a role from there follows the platform."""
    given = role_of(who.roles)
    guest = _guest(who, platform, tool, sign_in)
    email = guest.email if guest else _address(who, given, platform, tool, sign_in)
    there = sign_in.find(platform.school, email)
    ours = there is None or (guest is not None and guest.role is there.role)
    if there is None:
        person = enrol(platform.school, email, who.name or NAMELESS, given, sign_in=sign_in, now=now)
    else:
        person = replace(there, role=given, name=who.name or there.name) if ours else there
        if person != there:
            sign_in.people.keep(person)
    by_platform = given if ours else guest.role if guest else None
    tool.store.keep(Guest(platform.id, who.subject, platform.school, email, by_platform))
    return person


def _guest(who: PlatformPerson, platform: Platform, tool: LtiTool, sign_in: SignIn) -> Guest | None:
    """The guest, if the platform has sent them before. None also if the school has since made that person an admin: else the
    platform's operator could act as them."""
    try:
        guest = tool.store.guest(platform.id, who.subject)
    except NotFound:
        return None
    there = sign_in.find(platform.school, guest.email)
    return guest if there is None or as_wide(KeyScope.TEACHER, there.role) else None


def _address(who: PlatformPerson, role: KeyScope, platform: Platform, tool: LtiTool, sign_in: SignIn) -> str:
    """Their e-mail address, unless it belongs to a person with a higher role or to another guest. Then, and if
    there is none, an address that no letter reaches (RFC 2606, 2)."""
    there = sign_in.find(platform.school, who.email)
    more = there is not None and not as_wide(role, there.role)
    if is_address(who.email) and not more and who.email not in {each.email for each in tool.store.guests(platform.id)}:
        return who.email
    return f"{digest_of(who.subject)[:20]}@{platform.id}.invalid"


def _assignment(launch: Launch, platform: Platform, tool: LtiTool, now: datetime) -> Assignment | None:
    """The assignment of the link; None: a link to Chapterverse as a whole. A copied course gets a copy of the assignment."""
    try:
        known: Assignment | None = tool.assignments.on_link(platform.id, launch.link)
    except NotFound:
        known = _chosen(launch.chosen, platform, tool)
    if known is None:
        if not launch.services.line_item_url:  # not graded
            return None
        title = one_line(launch.title or "")[:MAX_TITLE] or "Essay"
        known = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, "", (), DEFAULT_POINTS, now)
    elif known.link not in {"", launch.link}:
        known = replace(known, id=token_hex(ID_BYTES), created=now, services=NO_SERVICES)
    services, before = launch.services, known.services  # launches name no column that we made, nor always the rest
    column, members = services.line_item_url or before.line_item_url, services.members_url or before.members_url
    updated = replace(known, link=launch.link, services=replace(services, line_item_url=column, members_url=members))
    tool.assignments.keep_assignment(updated)
    return updated


def _chosen(assignment: str, platform: Platform, tool: LtiTool) -> Assignment | None:
    """The assignment with this id, if a teacher of the platform chose it."""
    with suppress(NotFound):
        chosen = tool.assignments.assignment(platform.school, assignment)
        return chosen if chosen.platform == platform.id else None
    return None


CHOICE_LIFETIME = timedelta(hours=2)  # a teacher writes instructions meanwhile
SECRET_BYTES = 32
MAX_POINTS = 10_000.0


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
    data = {"return_url": launch.return_url, "data": launch.data or "", "deployment": launch.deployment}
    if launch.takes_processors:
        data |= {"takes_processors": "yes", "notices_url": launch.notices_url}
    tool.store.keep(Pending(digest_of(secret), platform.id, data, now + CHOICE_LIFETIME))
    return secret


def choose(
    secret: str, title: str, task: str, books: Sequence[str], most: str, *, tool: LtiTool, catalog: SqlCatalog, now: datetime
) -> tuple[Mapping[str, str], str]:
    """Store the assignment; returns the data of the begun choice, and the signed answer for its return_url.

    Raises BadRequest, Unauthenticated, NotFound for an unknown book, PlatformRefused and PlatformUnavailable if its notices
    cannot be subscribed to."""
    title, task = one_line(title), task.replace("\0", "").strip()
    if not title or len(title) > MAX_TITLE or len(task) > MAX_TASK:
        raise BadRequest("assignment_title_invalid", max_title=MAX_TITLE, max_text=MAX_TASK)
    points = _points(most)
    begun, platform = take_login(secret, tool, now)
    try:
        for book in map(BookId, books):
            catalog.book(platform.school, book)
    except NotFound:
        tool.store.keep(begun)  # the form may come again
        raise
    chosen = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, task, tuple(books), points, now)
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
    members, whole = list[Member](), False
    if url := of.services.members_url:
        with suppress(PlatformRefused, PlatformUnavailable):
            members, whole = tool.services.members(tool.store.platform(of.platform or ""), url, tool.key), True
    entries = list[RosterEntry]()
    for each in members:
        if learns(each.roles) and each.active:
            email = emails.get(each.subject, "")
            written_to = each.email or email
            entries.append(submitted.entry(each.subject, each.name or written_to, email, context, written_to))
    listed = {entry.student for entry in entries}
    others = [
        submitted.entry(subject, there.name if (there := context.sign_in.find(of.school, email)) else email, email, context)
        for subject, email in emails.items()
        if email in submitted.by_email and subject not in listed
    ]
    return Roster(tuple(sorted([*entries, *others], key=lambda each: (each.name.casefold(), each.student))), whole)


def send_score(of: Assignment, subject: str, given: float | None, comment: str, *, tool: LtiTool, now: datetime) -> SentScore:
    """Send a comment, and a score if given, to the gradebook, with a link to the feedback. Sending it again changes nothing.

    Raises BadRequest, NotFound, PlatformRefused, PlatformUnavailable."""
    if (given is not None and not 0 <= given <= of.most) or len(comment) > MAX_COMMENT:
        raise BadRequest("grade_invalid", max_score=of.most, max_characters=MAX_COMMENT)
    essay = tool.assignments.essay_of(of.id, tool.store.guest(of.platform or "", subject).email)
    if essay is None:
        raise NotFound("nothing_submitted")
    link = f"/essay/mine/{essay.feedback}" if essay.feedback else f"/essay?assignment={of.id}"
    score = SentScore(given, of.most, f"{comment.strip()}\n{tool.site}{link}".strip(), now)
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


PLATFORM_ID_BYTES = 8

DESCRIPTION = "Feedback on essays, backed by the exact sentence of a book."
SCOPES = (
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    *ASSET_SCOPES,
)


def register(new: Platform, tool: LtiTool) -> Platform:
    """Store the platform; of one that is known, its new addresses and further deployments. Raises BadRequest, also if another
    school has it."""
    refuse_no_school(new.school)
    for url in (new.login_url, new.token_url, new.keys_url, *new.origins):  # an issuer is only a name
        if not is_safe(url):
            raise BadRequest("not_https", url=url)
    if not new.issuer or new.issuer != new.issuer.strip():
        raise BadRequest("issuer_missing")
    if known := next((each for each in tool.store.of_issuer(new.issuer) if each.client_id == new.client_id), None):
        if known.school != new.school:
            raise BadRequest("lms_registered_by_other")
        deployments = tuple(dict.fromkeys((*known.deployments, *new.deployments)))
        new = replace(new, id=known.id, deployments=deployments, created=known.created)
    tool.store.keep(new)
    return new


def check(platform: Platform, tool: LtiTool) -> None:
    """Raises PlatformUnavailable unless the platform shows its keys; PlatformRefused unless it gives a token for ours."""
    tool.messages.keys.fetch(platform.keys_url)
    with platform_errors_as_ours():
        tool.services.assets(platform, tool.key).token(SCOPES[:1])


def origin(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


PURPOSE = "chapterverse-registration"  # audience of our token: no other token of ours is one
LINK_LIFETIME = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RegistrationLink:
    """An address to paste into a learning platform, and until when it works."""

    address: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class RegistrationRequest:
    """What a platform opens the address with. key: ours; offer_url, token: of the platform."""

    key: str
    offer_url: str
    token: str


def registration_link(school: str, tool: LtiTool, now: datetime) -> RegistrationLink:
    """A new link for a school. Raises BadRequest if our site is not set."""
    if not tool.site:
        raise BadRequest("lti_needs_site")
    refuse_no_school(school)
    expires = now + LINK_LIFETIME
    claims = {"aud": PURPOSE, "school": school, "exp": int(expires.timestamp())}
    ours = tool.key
    key = jwt.encode(claims, private_pem(ours), ALGORITHM, headers={"kid": ours.private["kid"]})
    return RegistrationLink(f"{tool.site}/lti/register?{urlencode({'key': key})}", expires)


def school_of(key: str, tool: LtiTool) -> str:
    """The school of a link. Raises Unauthenticated for a link that is not ours or too old."""
    for ours in tool.keys.all():
        try:
            claims = jwt.decode(key, jwt.PyJWK.from_dict(ours.public), [ALGORITHM], {"require": ["exp"]}, audience=PURPOSE)
            return str(claims["school"])
        except jwt.InvalidTokenError:
            continue
    raise Unauthenticated("registration_link_expired")


def register_by_offer(given: RegistrationRequest, tool: LtiTool, setups: SchoolSetups, now: datetime) -> Platform:
    """Register us with the platform, and the platform here. Raises Unauthenticated, BadRequest, PlatformRefused,
    PlatformUnavailable."""
    school = school_of(given.key, tool)
    setups.refuse_private(given.offer_url)
    registrar = tool.services.registrar(given.token)
    with platform_errors_as_ours():
        offer = registrar.fetch_offer(given.offer_url)
        setups.refuse_private(offer.registration_endpoint, offer.token_endpoint, offer.jwks_uri)
        registered = registrar.register(offer, description_of(tool))
    pages = (given.offer_url, offer.authorization_endpoint, offer.registration_endpoint)
    platform = Platform(
        offer.issuer,
        offer.authorization_endpoint,
        offer.token_endpoint,
        offer.jwks_uri,
        tuple(dict.fromkeys(map(origin, pages))),
        token_hex(PLATFORM_ID_BYTES),
        school,
        registered.client_id,
        (registered.deployment or ANY_DEPLOYMENT,),
        now,
    )
    return register(platform, tool)


def description_of(tool: LtiTool) -> ToolDescription:
    """What we say of ourselves. Students are asked to agree, so that they hear of the program before their first essay."""
    at, icon = f"{tool.site}/lti", f"{tool.site}/assets/mark.svg"
    return ToolDescription(PRODUCT, DESCRIPTION, tool.site, f"{at}/login", tool.launch_url, f"{at}/jwks", icon, SCOPES)
