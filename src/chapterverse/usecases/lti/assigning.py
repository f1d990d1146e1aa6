"""A teacher chooses, within the platform, what essay is asked for; students open it, and what they hand in is noted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe

from chapterverse.errors import BadRequest, NotFound, Unauthenticated
from chapterverse.evidence.numbering import Evidence
from chapterverse.model import Assignment, HandedIn, KeyScope, LaunchKind, Pending
from chapterverse.names import one_line
from chapterverse.usecases.api_keys import as_wide, digest_of
from chapterverse.usecases.lti.launching import ID_BYTES, Arrived
from chapterverse.usecases.lti.tool import Tool
from chapterverse.usecases.safe_address import is_safe

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
