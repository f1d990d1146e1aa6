"""A teacher chooses, within the platform, what essay is asked for; students open it, and what they hand in is noted.

Who has handed in, by the course's own list, and scores into its gradebook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import SignIn
from chapterverse.citations.model import Evidence
from chapterverse.core.errors import BadRequest, NotFound, PlatformRefused, PlatformUnavailable, Unauthenticated
from chapterverse.core.names import one_line
from chapterverse.core.safe_address import is_safe
from chapterverse.essays.history import FeedbackHistory, find_feedback
from chapterverse.essays.model import StoredFeedback
from chapterverse.lti.launching import ID_BYTES, LaunchResult, LtiTool, learns
from chapterverse.lti.model import Assignment, AssignmentSubmission, LaunchKind, Member, Pending, SentScore

CHOICE = timedelta(hours=2)  # a teacher writes instructions meanwhile

SECRET_BYTES = 32

LONGEST_TITLE, LONGEST_TEXT, HIGHEST = 200, 4000, 10_000.0


def begin_choice(arrived: LaunchResult, tool: LtiTool, now: datetime) -> str:
    """The secret that the choice has to come with, once: a page in another's frame has no session. Raises BadRequest, and
    Unauthenticated for who does not teach."""
    launch, platform = arrived.launch, arrived.platform
    if launch.kind is not LaunchKind.CHOICE or not as_wide(arrived.person.role, KeyScope.TEACHER):
        raise Unauthenticated("only_teachers_assign")
    if not is_safe(launch.return_url):
        raise BadRequest("lms_no_return_address")
    secret = token_urlsafe(SECRET_BYTES)
    told = {"return_url": launch.return_url, "data": launch.data, "deployment": launch.deployment}
    tool.store.begin(Pending(digest_of(secret), platform.id, told, now + CHOICE))
    return secret


def choose(
    secret: str, title: str, instructions: str, books: Sequence[str], most: str, *, tool: LtiTool, now: datetime
) -> tuple[Mapping[str, str], str]:
    """Keep the assignment: what the choice was begun with, and the signed answer to be sent to its return_url. Raises
    BadRequest, Unauthenticated."""
    title, instructions = one_line(title), instructions.replace("\0", "").strip()
    if not title or len(title) > LONGEST_TITLE or len(instructions) > LONGEST_TEXT:
        raise BadRequest("assignment_title_invalid", max_title=LONGEST_TITLE, max_text=LONGEST_TEXT)
    points = _points(most)
    try:
        begun = tool.store.take(digest_of(secret), now)
        platform = tool.store.platform(begun.platform)
    except NotFound:
        raise Unauthenticated("launch_expired") from None
    chosen = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, instructions, tuple(books), points, now)
    tool.store.keep_assignment(chosen)
    return begun.told, tool.messages.choose(platform, begun.told, chosen, tool.launch_url, tool.key)


def refuse_other_books(shown: Sequence[Evidence], of: Assignment) -> None:
    """Of evidence from books that the assignment does not name. Raises BadRequest."""
    if of.books and any(str(one.passage.sentence.address.book) not in of.books for one in shown):
        raise BadRequest("feedback_of_other_books")


def submit(school: str, assignment: str, email: str, feedback: str | None, *, tool: LtiTool, now: datetime) -> None:
    """Note what somebody has handed in; what went to the gradebook stays noted. Raises NotFound."""
    of = tool.store.assignment(school, assignment)
    before = tool.essay_of(of.id, email)
    essay = AssignmentSubmission(school, of.id, email, feedback, now)
    tool.store.submit(replace(essay, score=before.score) if before else essay)


def _points(told: str) -> float:
    try:
        points = float(told.strip().replace(",", "."))
    except ValueError:
        points = 0.0
    if not 0 < points <= HIGHEST:
        raise BadRequest("highest_score_invalid", highest=HIGHEST)
    return points


LONGEST = 2000  # characters of a comment


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A student of the course. student: the learning platform's id; handed_in: when the student submitted, null: not yet;
    feedback: its id, null: not stored (any more); approved: since when students may see it; score: as sent to the gradebook."""

    student: str
    name: str
    email: str
    handed_in: datetime | None
    feedback: str | None
    approved: datetime | None
    score: SentScore | None


@dataclass(frozen=True, slots=True)
class Roster:
    """The students, by name. whole: true if the platform sent its roster; false: only students who submitted."""

    students: tuple[RosterEntry, ...]
    whole: bool


def roster_of(of: Assignment, *, tool: LtiTool, sign_in: SignIn, history: FeedbackHistory) -> Roster:
    """The roster sorted by name; without NRPS, or if the platform does not answer, only students who submitted. Raises
    CatalogUnavailable."""
    emails = {guest.subject: guest.email for guest in tool.store.guests(of.platform)}
    essays = {essay.email: essay for essay in tool.store.submissions(of.id)}
    members, whole = _members(of, tool)
    entries = [
        _entry(each, emails.get(each.subject, ""), essays, history) for each in members if learns(each.roles) and each.active
    ]
    listed = {entry.student for entry in entries}
    others = [
        _entry(Member(subject, _name(of.school, email, sign_in), email, ()), email, essays, history)
        for subject, email in emails.items()
        if email in essays and subject not in listed
    ]
    return Roster(tuple(sorted([*entries, *others], key=lambda each: (each.name.casefold(), each.student))), whole)


def send_score(of: Assignment, subject: str, given: float | None, comment: str, *, tool: LtiTool, now: datetime) -> SentScore:
    """A comment, and a score if there is one, into the gradebook; below it where the student finds the feedback. The same twice
    is sent as the same, and changes nothing. Raises BadRequest, NotFound, PlatformRefused, PlatformUnavailable."""
    if (given is not None and not 0 <= given <= of.most) or len(comment) > LONGEST:
        raise BadRequest("grade_invalid", max_score=of.most, max_characters=LONGEST)
    essay = _essay(of, subject, tool)
    score = SentScore(given, of.most, f"{comment.strip()}\n{_link(of, essay, tool)}".strip(), now)
    if essay.score and replace(essay.score, at=now) == score:
        score = essay.score
    platform, key = tool.store.platform(of.platform), tool.key
    column = tool.services.line_item(platform, of, key)
    if column != of.services.line_item_url:
        of = replace(of, services=replace(of.services, line_item_url=column))
        tool.store.keep_assignment(of)
    tool.services.send(platform, of, subject, score, key)
    tool.store.submit(replace(essay, score=score))
    return score


def _link(of: Assignment, essay: AssignmentSubmission, tool: LtiTool) -> str:
    return f"{tool.site}/essay/mine/{essay.feedback}" if essay.feedback else f"{tool.site}/essay?assignment={of.id}"


def _members(of: Assignment, tool: LtiTool) -> tuple[list[Member], bool]:
    if not of.services.members_url:
        return [], False
    try:
        return tool.services.members(tool.store.platform(of.platform), of.services.members_url, tool.key), True
    except (PlatformRefused, PlatformUnavailable):
        return [], False


def _entry(member: Member, email: str, essays: dict[str, AssignmentSubmission], history: FeedbackHistory) -> RosterEntry:
    essay = essays.get(email)
    kept = _kept(essay, history)
    return RosterEntry(
        student=member.subject,
        name=member.name or member.email or email,
        email=member.email or email,
        handed_in=essay.at if essay else None,
        feedback=kept.id if kept else None,
        approved=kept.approved if kept else None,
        score=essay.score if essay else None,
    )


def _kept(essay: AssignmentSubmission | None, history: FeedbackHistory) -> StoredFeedback | None:
    try:
        return find_feedback(essay.school, essay.feedback, history) if essay and essay.feedback else None
    except NotFound:  # its days are over, or somebody has deleted it
        return None


def _name(school: str, email: str, sign_in: SignIn) -> str:
    there = sign_in.find(school, email)
    return there.name if there else email


def _essay(of: Assignment, subject: str, tool: LtiTool) -> AssignmentSubmission:
    if essay := tool.essay_of(of.id, tool.store.guest(of.platform, subject).email):
        return essay
    raise NotFound("nothing_submitted")
