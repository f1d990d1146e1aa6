"""Stored feedback: save, find, list, show and expire it. A teacher's choices are applied whenever it is read."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex

from pydantic import BaseModel, TypeAdapter, ValidationError

from bookreader.text.sentences import split_sentences
from chapterverse.accounts.model import SchoolSettings
from chapterverse.citations.model import Evidence
from chapterverse.citations.quotations import numbers_in
from chapterverse.core.errors import NotFound
from chapterverse.core.names import fingerprint
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.edits import NO_EDITS, CommentEdit, OwnComment, TeacherEdits
from chapterverse.essays.model import (
    EVIDENCE,
    Annotation,
    Choice,
    Comment,
    EssayEvidence,
    Feedback,
    Item,
    ParagraphEvidence,
    Rating,
    Review,
    Show,
    StoredFeedback,
    Submission,
)
from chapterverse.essays.revision.model import Revision
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.sql.engine import utc_now

MIN_BATCH_AGE = timedelta(days=7)  # before a batch expires, because its results are fetched later
ID_BYTES = 16  # 128 random bits: an id cannot be guessed
MAX_OWN = 500  # essays of one student's history
ALONE = Submission()
VERSION = 1  # of StoredAnswer


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The stored part of a Feedback, as JSON; its id is the id of the row."""

    evidence: EssayEvidence
    reviews: tuple[Review, ...]
    version: int = VERSION
    revision: Revision | None = None


class _StoredText(BaseModel):
    text: str


class _Paragraph(BaseModel):
    paragraph: _StoredText


class _Essay(BaseModel):
    title: str | None
    paragraphs: list[_Paragraph]


class StoredEssay(BaseModel):
    """The essay in a StoredAnswer, which every version of chapterverse can read."""

    evidence: _Essay

    @property
    def title(self) -> str | None:
        """The essay's title; None without one."""
        return self.evidence.title

    @property
    def paragraphs(self) -> list[str]:
        """The text of each paragraph."""
        return [each.paragraph.text for each in self.evidence.paragraphs]

    @property
    def text(self) -> str:
        """The essay to edit: its title as a heading, and its paragraphs, separated by empty lines."""
        return "\n\n".join([*([f"# {self.title}"] if self.title else []), *self.paragraphs])


@dataclass(frozen=True, slots=True)
class Replacement:
    """A sentence that replaces evidence, and the new comments, numbered as those they replace."""

    evidence: Evidence
    comments: tuple[Comment, ...]


ANSWER = TypeAdapter(StoredAnswer)
REPLACEMENT = TypeAdapter(Replacement)


def _no_settings(_school: str) -> SchoolSettings:
    return SchoolSettings()


@dataclass(frozen=True, slots=True)
class FeedbackHistory:
    """Where feedback is stored, and for how many days; 0: nothing is stored. approval: students see feedback only after a
    teacher approved it; settings_of: of a school, which may decide that otherwise."""

    store: SqlFeedback
    days: int
    approval: bool = False
    now: Callable[[], datetime] = utc_now
    settings_of: Callable[[str], SchoolSettings] = _no_settings

    def needs_approval(self, school: str) -> bool:
        """Whether students of the school see feedback only after a teacher approved it. Raises CatalogUnavailable."""
        chosen = self.settings_of(school).approval
        return bool(self.days) and (self.approval if chosen is None else chosen)

    @property
    def since(self) -> datetime:
        """Feedback created before this moment has expired, whether deleted yet or not."""
        return self.now() - timedelta(days=self.days)

    def batches_since(self, since: datetime) -> datetime:
        """Batches created before this moment are deleted, with the feedback on their essays; since: for other feedback."""
        return min(since, self.now() - MIN_BATCH_AGE)

    def days_for(self, school: str) -> int:
        """Days that the school's feedback is stored: at most the operator's. Raises CatalogUnavailable."""
        return self.for_school(school).days

    def for_school(self, school: str) -> "FeedbackHistory":
        """The same with the school's own days and settings, which are read once. Raises CatalogUnavailable."""
        settings = self.settings_of(school)
        days = min(self.days, settings.keep_days or self.days)
        return replace(self, days=days, settings_of=lambda _school: settings)

    def expires(self, feedback: StoredFeedback) -> datetime:
        """When the feedback expires."""
        return feedback.created + timedelta(days=self.days_for(feedback.school))

    def ids_in(self, key: BatchKey) -> Mapping[int, str]:
        """Ids of the batch's feedback that has not expired, by essay number. Raises CatalogUnavailable."""
        return self.store.ids_in(key, self.since)


def store_feedback(feedback: Feedback, school: str, history: FeedbackHistory, submission: Submission = ALONE) -> Feedback:
    """Store the feedback and return it with its id; without an id if nothing is stored. An essay of a batch keeps one id.

    Raises CatalogUnavailable."""
    if not history.days:
        return feedback
    now = history.now()
    stored = StoredFeedback(
        id=submission.id or token_hex(ID_BYTES),
        school=school,
        created=now,
        approved=None if submission.is_held or history.needs_approval(school) else now,
        answer=ANSWER.dump_json(StoredAnswer(feedback.evidence, feedback.reviews, revision=feedback.revision)).decode(),
        origin=submission.origin,
        owner=submission.owner,
        version_of=submission.version_of,
    )
    return replace(feedback, id=history.store.save(stored))


def find_feedback(school: str, id: str, history: FeedbackHistory) -> StoredFeedback:
    """The stored feedback with this id. Raises NotFound, also after it expired, and CatalogUnavailable."""
    stored, own = history.store.find(school, id), history.for_school(school)
    if stored.created < own.since:
        raise NotFound("feedback_expired", days=own.days)
    return stored


def list_feedback(
    school: str,
    history: FeedbackHistory,
    before: datetime | None = None,
    limit: int = 100,
    *,
    waiting: bool = False,
    alone: bool = False,
) -> list[StoredFeedback]:
    """The school's feedback created before `before`, newest first. waiting: only unapproved feedback; alone: only on essays
    outside batches. Raises CatalogUnavailable."""
    return history.store.of_school(school, history.since, before, limit, waiting=waiting, alone=alone)


def remove_feedback(school: str, id: str, history: FeedbackHistory) -> None:
    """Delete feedback at once, with its essay and annotations. Raises NotFound, CatalogUnavailable."""
    history.store.remove(school, id)


def expire(history: FeedbackHistory, since: datetime | None = None, school: str | None = None) -> int:
    """Delete feedback of the school, else of all, created before `since` (default: expired), that of batches when the batch
    expires; return how many were deleted.

    Raises CatalogUnavailable."""
    since = since or history.since
    return history.store.remove_before(since, history.batches_since(since), school)


def feedback_of(stored: StoredFeedback) -> Feedback:
    """The feedback as it was written. Raises NotFound if another version of chapterverse wrote it in an unknown form."""
    try:
        answer = ANSWER.validate_json(stored.answer)
    except ValidationError:  # its message would quote the essay
        raise NotFound("feedback_of_other_version") from None
    return Feedback(answer.evidence, answer.reviews, stored.id, answer.revision)


def visible_feedback(stored: StoredFeedback) -> Feedback:
    """The feedback with the teacher's choices and edits. Raises NotFound as feedback_of does."""
    return with_edits(with_choices(feedback_of(stored), stored.choices), stored.edits)


def earlier_feedback(school: str, id: str | None, history: FeedbackHistory) -> Feedback | None:
    """The feedback on an earlier draft, with the teacher's choices; None if it is gone. Raises CatalogUnavailable."""
    with suppress(NotFound):
        return visible_feedback(find_feedback(school, id, history)) if id else None
    return None


def with_earlier(feedback: Feedback, school: str, history: FeedbackHistory, *, for_student: bool) -> Feedback:
    """The feedback with that on the earlier draft, if it still exists, and for a student if a teacher has not withdrawn it.

    Raises CatalogUnavailable."""
    if feedback.revision is None:
        return feedback
    with suppress(NotFound):
        stored = find_feedback(school, feedback.revision.earlier, history)
        if stored.approved or not for_student:
            return replace(feedback, earlier=visible_feedback(stored))
    return feedback


def versions_of(stored: StoredFeedback, history: FeedbackHistory) -> list[StoredFeedback]:
    """The stored feedback on all versions of the same essay, the first one first. Raises CatalogUnavailable."""
    if stored.owner is None:
        return [stored]
    earlier = history.store.earlier_of(stored.school, [stored.owner])
    later = {before: id for id, before in earlier.items()}
    ids = [*_chain(stored.id, earlier)[:0:-1], *_chain(stored.id, later)]
    found = {each.id: each for each in history.store.with_ids(stored.school, ids, history.since)}
    return [found[id] for id in ids if id in found and found[id].owner == stored.owner]


def _chain(id: str, following: Mapping[str, str]) -> list[str]:
    """The id and those that follow from it, each once."""
    chain: dict[str, None] = {}
    while id not in chain:
        chain[id] = None
        id = following.get(id, id)
    return list(chain)


def essay_of(stored: StoredFeedback) -> StoredEssay:
    """The essay in stored feedback, also if another version of chapterverse wrote it."""
    return StoredEssay.model_validate_json(stored.answer)


def ratings_of(stored: StoredFeedback) -> dict[str, int]:
    """How many "up" and "down" ratings the student gave."""
    counted = Counter(each.rating for each in stored.ratings)
    return {rating.value: counted[rating] for rating in Rating}


def with_annotation(annotations: Iterable[Annotation], new: Annotation) -> tuple[Annotation, ...]:
    """The annotations, with `new` in place of the one on the same item; an empty one removes it."""
    others = [each for each in annotations if each.item != new.item]
    annotated = [*others, new] if new.rating or new.comment else others
    return tuple(sorted(annotated, key=lambda each: (each.item.part, each.item.number)))


def items_of(feedback: Feedback) -> set[Item]:
    """The items that can be rated: comments and evidence."""
    comments = {Item(review.dimension.value, one.number) for review in feedback.reviews for one in review.comments}
    return comments | {Item(EVIDENCE, one.number) for one in feedback.evidence.evidence}


def with_choices(feedback: Feedback, choices: Sequence[Choice]) -> Feedback:
    """The feedback with a teacher's choices applied: hidden evidence disappears with the comments that rest only on it,
    replaced evidence gets new comments by rules, pinned evidence and its comments come first. Numbers stay the same."""
    hidden = {each.number for each in choices if each.show is Show.HIDDEN}
    pinned = {each.number for each in choices if each.show is Show.PINNED}
    replaced = {
        each.number: REPLACEMENT.validate_json(each.instead) for each in choices if each.instead and each.number not in hidden
    }
    reviews = tuple(
        replace(
            review,
            comments=_pinned_first(_comments(review.comments, hidden, replaced), pinned),
            outline=review.outline and review.outline.without(hidden),
        )
        for review in feedback.reviews
    )
    return replace(feedback, evidence=_evidence(feedback.evidence, hidden, pinned, replaced), reviews=reviews)


def with_edits(feedback: Feedback, edits: TeacherEdits) -> Feedback:
    """The feedback with a teacher's edits of its comments; a comment without a paragraph there is on the whole essay."""
    if edits == NO_EDITS:
        return feedback
    changes = {(each.part, each.number): each for each in edits.changes}
    places = {(each.part, each.number): place for place, each in enumerate(edits.order)}
    reviews = []
    for review in feedback.reviews:
        part = review.dimension.value
        left = [_changed(one, changes.get((part, one.number))) for one in review.comments]
        own = [_own(one, feedback) for one in edits.own if one.part == part]
        comments = [one for one in (*left, *own) if one]
        comments.sort(key=lambda one: places.get((part, one.number), len(places)))
        reviews.append(replace(review, comments=tuple(comments)))
    return replace(feedback, reviews=tuple(reviews), edits=edits)


def _changed(comment: Comment, change: CommentEdit | None) -> Comment | None:
    if change is None:
        return comment
    return None if change.is_hidden else replace(comment, text=change.text or comment.text)


def _own(comment: OwnComment, feedback: Feedback) -> Comment:
    about = (comment.start, comment.end) if comment.start is not None and comment.end is not None else None
    is_there = comment.paragraph is not None and comment.paragraph < len(feedback.evidence.paragraphs)
    return Comment(comment.paragraph if is_there else None, comment.text, about if is_there else None, number=comment.number)


def without(comment: Comment, gone: Collection[int]) -> Comment | None:
    """The comment without this evidence and the sentences that mention it; None if nothing is left."""
    left = tuple(one for one in comment.citations if one.evidence.number not in gone)
    if len(left) == len(comment.citations):
        return comment
    sentences = (comment.text[slice(*span)] for span in split_sentences(comment.text))
    text = " ".join(sentence for sentence in sentences if not numbers_in(sentence) & set(gone))
    return replace(comment, text=text, citations=left) if left and text else None


def _comments(comments: Sequence[Comment], hidden: set[int], replaced: Mapping[int, Replacement]) -> Iterator[Comment]:
    new = {comment.number: comment for one in replaced.values() for comment in one.comments}
    for comment in comments:
        left = without(comment, hidden | replaced.keys())
        if left is None and comment.citations[0].evidence.number in replaced:
            left = new.get(comment.number)
        if left:
            yield left


def _pinned_first(comments: Iterator[Comment], pinned: set[int]) -> tuple[Comment, ...]:
    return tuple(sorted(comments, key=lambda one: pinned.isdisjoint(cited.evidence.number for cited in one.citations)))


def _evidence(found: EssayEvidence, hidden: set[int], pinned: set[int], replaced: Mapping[int, Replacement]) -> EssayEvidence:
    left = [replaced[one.number].evidence if one.number in replaced else one for one in found.evidence]
    left = [one for one in left if one.number not in hidden]
    paragraphs = tuple(_paragraph(one, hidden) for one in found.paragraphs)
    return replace(found, paragraphs=paragraphs, evidence=tuple(sorted(left, key=lambda one: one.number not in pinned)))


def _paragraph(one: ParagraphEvidence, hidden: set[int]) -> ParagraphEvidence:
    left = tuple(number for number in one.numbers if number not in hidden)
    return replace(one, numbers=left, hidden=left != one.numbers)


def submission_of(
    owner: str | None, caller: str, school: str, history: FeedbackHistory, *, key: str | None, earlier: str | None
) -> Submission:
    """The submission of an essay. key: random, chosen by the client; a repeated request gets the same id, and no other caller
    can produce it. earlier: id of the owner's feedback on an earlier version; an id of another owner is ignored."""
    id = fingerprint(school, caller, key, digits=32) if key else None
    return Submission(owner, _own_id(school, owner, earlier, history), id)


def list_own(school: str, owner: str | None, history: FeedbackHistory) -> list[StoredFeedback]:
    """The feedback on a student's own essays, newest first; empty without an owner. Raises CatalogUnavailable."""
    return history.store.of_owner(school, owner, history.since, MAX_OWN) if owner else []


def find_own(school: str, owner: str | None, id: str, history: FeedbackHistory) -> StoredFeedback:
    """The feedback on a student's own essay. Raises NotFound, also for another student's essay."""
    stored = find_feedback(school, id, history)
    if owner is None or stored.owner != owner:
        raise NotFound("no_such_own_feedback")
    return stored


def refuse_anothers(stored: StoredFeedback, person: str | None) -> None:
    """Raise NotFound if a signed-in student asks for another student's feedback. Feedback without an owner is open to all who
    know its id."""
    if person is not None and stored.owner not in (None, person):
        raise NotFound("no_such_own_feedback")


def rate_own(school: str, owner: str | None, id: str, rating: Annotation, history: FeedbackHistory) -> None:
    """Store a student's rating of an item; an empty one removes it. Raises NotFound, also for an unknown item."""
    item = rating.item
    if item not in items_of(feedback_of(find_own(school, owner, id, history))):
        raise NotFound("no_such_part_of_feedback", part=item.part, number=item.number)

    history.store.change(school, id, lambda stored: replace(stored, ratings=with_annotation(stored.ratings, rating)))


def _own_id(school: str, owner: str | None, id: str | None, history: FeedbackHistory) -> str | None:
    if id is None:
        return None
    try:
        return find_own(school, owner, id, history).id
    except NotFound:
        return None
