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
from chapterverse.lti.launching import ID_BYTES, Arrived, Tool, learns
from chapterverse.lti.model import Assignment, HandedIn, LaunchKind, Member, Pending, Score

CHOICE = timedelta(hours=2)  # a teacher writes instructions meanwhile

SECRET_BYTES = 32

LONGEST_TITLE, LONGEST_TEXT, HIGHEST = 200, 4000, 10_000.0


def begin_choice(arrived: Arrived, tool: Tool, now: datetime) -> str:
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
    secret: str, title: str, instructions: str, books: Sequence[str], most: str, *, tool: Tool, now: datetime
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


def hand_in(school: str, assignment: str, email: str, feedback: str | None, *, tool: Tool, now: datetime) -> None:
    """Note what somebody has handed in; what went to the gradebook stays noted. Raises NotFound."""
    of = tool.store.assignment(school, assignment)
    before = tool.essay_of(of.id, email)
    essay = HandedIn(school, of.id, email, feedback, now)
    tool.store.hand_in(replace(essay, score=before.score) if before else essay)


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
class Seat:
    """A student of the course. essay: what they have handed in last; feedback: the id under which it is still kept; approved:
    since when they may see it."""

    subject: str
    name: str
    email: str
    essay: HandedIn | None = None
    feedback: str | None = None
    approved: datetime | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """Everybody of whom an essay is expected. whole: whether that is the platform's list; else only those who have been
    here."""

    seats: tuple[Seat, ...]
    whole: bool


def room_of(of: Assignment, *, tool: Tool, reception: SignIn, history: FeedbackHistory) -> Room:
    """By name. Raises CatalogUnavailable; where the platform tells no list, it is of those who have handed in."""
    emails = {guest.subject: guest.email for guest in tool.store.guests(of.platform)}
    essays = {essay.email: essay for essay in tool.store.handed_in(of.id)}
    members, whole = _members(of, tool)
    seats = [
        _seat(each, emails.get(each.subject, ""), essays, history) for each in members if learns(each.roles) and each.active
    ]
    listed = {seat.subject for seat in seats}
    others = [
        _seat(Member(subject, _name(of.school, email, reception), email, ()), email, essays, history)
        for subject, email in emails.items()
        if email in essays and subject not in listed
    ]
    return Room(tuple(sorted([*seats, *others], key=lambda seat: (seat.name.casefold(), seat.subject))), whole)


def send_score(of: Assignment, subject: str, given: float | None, comment: str, *, tool: Tool, now: datetime) -> Score:
    """A comment, and a score if there is one, into the gradebook; below it where the student finds the feedback. The same twice
    is sent as the same, and changes nothing. Raises BadRequest, NotFound, PlatformRefused, PlatformUnavailable."""
    if (given is not None and not 0 <= given <= of.most) or len(comment) > LONGEST:
        raise BadRequest("grade_invalid", max_score=of.most, max_characters=LONGEST)
    essay = _essay(of, subject, tool)
    score = Score(given, of.most, f"{comment.strip()}\n{_link(of, essay, tool)}".strip(), now)
    if essay.score and replace(essay.score, at=now) == score:
        score = essay.score
    platform, key = tool.store.platform(of.platform), tool.key
    column = tool.services.line_item(platform, of, key)
    if column != of.services.line_item_url:
        of = replace(of, services=replace(of.services, line_item_url=column))
        tool.store.keep_assignment(of)
    tool.services.send(platform, of, subject, score, key)
    tool.store.hand_in(replace(essay, score=score))
    return score


def _link(of: Assignment, essay: HandedIn, tool: Tool) -> str:
    return f"{tool.site}/essay/mine/{essay.feedback}" if essay.feedback else f"{tool.site}/essay?assignment={of.id}"


def _members(of: Assignment, tool: Tool) -> tuple[list[Member], bool]:
    if not of.services.members_url:
        return [], False
    try:
        return tool.services.members(tool.store.platform(of.platform), of.services.members_url, tool.key), True
    except (PlatformRefused, PlatformUnavailable):
        return [], False


def _seat(member: Member, email: str, essays: dict[str, HandedIn], history: FeedbackHistory) -> Seat:
    essay = essays.get(email)
    seat = Seat(member.subject, member.name or member.email or email, member.email or email, essay)
    kept = _kept(essay, history)
    return replace(seat, feedback=kept.id, approved=kept.approved) if kept else seat


def _kept(essay: HandedIn | None, history: FeedbackHistory) -> StoredFeedback | None:
    try:
        return find_feedback(essay.school, essay.feedback, history) if essay and essay.feedback else None
    except NotFound:  # its days are over, or somebody has deleted it
        return None


def _name(school: str, email: str, reception: SignIn) -> str:
    there = reception.find(school, email)
    return there.name if there else email


def _essay(of: Assignment, subject: str, tool: Tool) -> HandedIn:
    if essay := tool.essay_of(of.id, tool.store.guest(of.platform, subject).email):
        return essay
    raise NotFound("nothing_submitted")
