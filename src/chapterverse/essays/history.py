"""Feedback is kept for some days, so that a teacher can look at it and a student come back to it; then it is forgotten."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import token_hex

from pydantic import TypeAdapter, ValidationError

from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.model import EVIDENCE, Item, KeptFeedback, Mark, Origin, Submission
from chapterverse.essays.ports import FeedbackStore
from chapterverse.essays.service import Feedback

LEAST_OF_A_BATCH = timedelta(days=7)

"""It is handed in to be written on in a night and fetched later; whoever wants it gone sooner deletes it."""

ANYHOW = Submission()

ID_BYTES = 16  # 128 random bits: an id cannot be guessed, and who has it was given it

FEEDBACK = TypeAdapter(Feedback)


def utc_now() -> datetime:
    """The moment, with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where feedback is kept, and for how many days; 0: not at all. approval: whether students see it only when a teacher
    has approved it. forget_questions, remove_conversations, remove_lectures: remove what other components stored before a
    moment; None where there is nothing to remove."""

    store: FeedbackStore
    days: int
    approval: bool = False
    now: Callable[[], datetime] = utc_now
    forget_questions: Callable[[datetime], object] | None = None
    remove_conversations: Callable[[datetime], int] | None = None
    remove_lectures: Callable[[datetime], int] | None = None

    @property
    def since(self) -> datetime:
        """What was given before is shown to nobody any more, deleted already or not."""
        return self.now() - timedelta(days=self.days)

    @property
    def batches_since(self) -> datetime:
        """Batches created before, and the feedback on their essays, are deleted."""
        return min(self.since, self.now() - LEAST_OF_A_BATCH)

    def until(self, kept: KeptFeedback) -> datetime:
        """When it will be forgotten."""
        return kept.created + timedelta(days=self.days)

    def ids_in(self, key: BatchKey) -> Mapping[int, str]:
        """Ids of what is still shown of the feedback on the batch's essays, by their numbers. Raises CatalogUnavailable."""
        return self.store.ids_in(key, self.since)


def keep_feedback(
    given: Feedback, school: str, keeping: Keeping, origin: Origin | None = None, submission: Submission = ANYHOW
) -> Feedback:
    """The same with the id that it is kept under, one for each essay of a batch; without one where nothing is kept. Raises
    CatalogUnavailable."""
    if not keeping.days:
        return given
    now, answer = keeping.now(), FEEDBACK.dump_json(given).decode()
    approved = None if keeping.approval else now
    owner, earlier = submission.owner, submission.version_of
    id = submission.id or token_hex(ID_BYTES)
    kept = KeptFeedback(id, school, now, approved, answer, origin=origin, owner=owner, version_of=earlier)
    return replace(given, id=keeping.store.keep(kept))


def find_feedback(school: str, id: str, keeping: Keeping) -> KeptFeedback:
    """Raises NotFound, also where its days are over, CatalogUnavailable."""
    kept = keeping.store.find(school, id)
    if kept.created < keeping.since:
        raise NotFound("feedback_expired", days=keeping.days)
    return kept


def list_feedback(
    school: str,
    keeping: Keeping,
    before: datetime | None = None,
    limit: int = 100,
    *,
    waiting: bool = False,
    alone: bool = False,
) -> list[KeptFeedback]:
    """The school's, newest first, of what was given before that moment; waiting: of what is not approved; alone: of what is on
    no essay of a batch. Raises CatalogUnavailable."""
    return keeping.store.of_school(school, keeping.since, before, limit, waiting=waiting, alone=alone)


def remove_feedback(school: str, id: str, keeping: Keeping) -> None:
    """Forget it at once, with its essay and all that was said of it. Raises NotFound, CatalogUnavailable."""
    keeping.store.remove(school, id)


def expire(keeping: Keeping) -> int:
    """Forget what has been kept long enough, of all schools, and what is on essays of batches as long as those: how many that
    were. Raises CatalogUnavailable."""
    return keeping.store.remove_before(keeping.since, keeping.batches_since)


def feedback_of(kept: KeptFeedback) -> Feedback:
    """As it was first given. Raises NotFound where another version of chapterverse gave it, which this one does not read."""
    try:
        return replace(FEEDBACK.validate_json(kept.answer), id=kept.id)
    except ValidationError:  # which would quote the essay
        raise NotFound("feedback_of_other_version") from None


def with_mark(marks: Iterable[Mark], new: Mark) -> tuple[Mark, ...]:
    """`new` in the place of what was said of its item; one that says nothing takes that away."""
    others = [each for each in marks if each.item != new.item]
    said = [*others, new] if new.thumb or new.comment else others
    return tuple(sorted(said, key=lambda each: (each.item.part, each.item.number)))


def items_of(given: Feedback) -> set[Item]:
    """Whatever a mark or a thumb can be about."""
    comments = {Item(review.dimension.value, one.number) for review in given.reviews for one in review.comments}
    return comments | {Item(EVIDENCE, one.number) for one in given.evidence.evidence}
