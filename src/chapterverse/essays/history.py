"""Stored feedback: save, find, list, show and expire it. A teacher's choices are applied whenever it is read."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex

from pydantic import ValidationError

from bookreader.text.sentences import split_sentences
from chapterverse.accounts.model import SchoolSettings
from chapterverse.citations.contract import evidence_in
from chapterverse.citations.model import Evidence
from chapterverse.core.errors import NotFound
from chapterverse.core.names import fingerprint
from chapterverse.core.requests import adapter
from chapterverse.core.words import language_in
from chapterverse.essays import model
from chapterverse.essays.offline import offered
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.sql import utc_now

MIN_BATCH_AGE = timedelta(days=7)  # before a batch expires, because its results are fetched later
ID_BYTES = 16  # 128 random bits: an id cannot be guessed
MAX_OWN = 500  # essays of one student's history
ALONE = model.Submission()
OF_ROW = {"id", "earlier", "edits", "written_by"}  # fields of Feedback that are no part of the stored answer


@dataclass(frozen=True, slots=True)
class StoredEssay:
    """The essay in stored feedback, which every version of chapterverse can read: its title, None without one, the text of
    each paragraph, and all of it as it was handed in, to edit."""

    title: str | None
    paragraphs: list[str]
    text: str


@dataclass(frozen=True, slots=True)
class FeedbackHistory:
    """Where feedback is stored, and for how many days; 0: nothing is stored. settings_of: of a school, which decides
    whether students see feedback only after a teacher approved it."""

    store: SqlFeedback
    days: int
    now: Callable[[], datetime] = utc_now
    settings_of: Callable[[str], SchoolSettings] = lambda _school: SchoolSettings()

    def needs_approval(self, school: str) -> bool:
        """Whether students of the school see feedback only after a teacher approved it. Raises CatalogUnavailable."""
        return bool(self.days and self.settings_of(school).approval)

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

    def expires(self, feedback: model.StoredFeedback) -> datetime:
        return feedback.created + timedelta(days=self.days_for(feedback.school))


def store_feedback(
    feedback: model.Feedback, school: str, history: FeedbackHistory, submission: model.Submission = ALONE
) -> model.Feedback:
    """Store the feedback and return it with its id; without an id if nothing is stored. That on an essay of a batch is always
    stored, as the batch's result.

    Raises CatalogUnavailable."""
    if not history.days and not submission.origin:
        return feedback
    now, origin = history.now(), submission.origin
    stored = model.StoredFeedback(
        id=submission.id or token_hex(ID_BYTES),
        school=school,
        created=now,
        approved=None if submission.is_held or history.needs_approval(school) else now,
        answer=adapter(model.Feedback).dump_json(feedback, exclude=OF_ROW).decode(),
        batch=origin.batch if origin else None,
        number=origin.number if origin else None,
        owner=submission.owner,
        version_of=submission.version_of,
    )
    history.store.save(stored)
    return replace(feedback, id=stored.id)


def hidden_before(school: str, version_of: str | None, history: FeedbackHistory) -> set[tuple[object, ...]]:
    """What the comments say that a teacher hid in the earlier versions (contents_of)."""
    hidden: set[tuple[object, ...]] = set()
    with suppress(NotFound):
        while version_of is not None:
            earlier = find_feedback(school, version_of, history)
            if gone := earlier.edits.hidden:
                before = feedback_of(earlier)
                hidden |= {each for one in before.comments if one.number in gone for each in contents_of(one, before.evidence)}
            version_of = earlier.version_of
    return hidden


def contents_of(comment: model.Comment, found: model.EssayEvidence) -> set[tuple[object, ...]]:
    """What a comment says in each of its places: text, passages, the words or the paragraph, and the words mended."""
    at = comment.paragraph
    passages = frozenset(one.passage.sentence.id for one in found.evidence if one.number in comment.evidence)
    words = at if at is None or comment.about is None else found.words(at, comment.about)
    places = {(found.words(one.paragraph, one.about), one.instead) for one in comment.places}
    text = "" if comment.kind is model.CommentKind.PASSAGE else comment.text  # the same for every passage
    return {(text, passages, *each) for each in places or [(words,)]}


def find_feedback(school: str, id: str, history: FeedbackHistory) -> model.StoredFeedback:
    """The stored feedback with this id. Raises NotFound, also after it expired, and CatalogUnavailable."""
    stored, own = history.store.find(school, id), history.for_school(school)
    if stored.created < own.since:
        raise NotFound("feedback_expired", days=own.days)
    return stored


def list_feedback(
    school: str, history: FeedbackHistory, before: datetime | None = None, limit: int = 100, *, alone: bool = False
) -> list[model.StoredFeedback]:
    """The school's feedback created before `before`, newest first. alone: only on essays outside batches. Raises
    CatalogUnavailable."""
    return history.store.of_school(school, history.since, before, limit, alone=alone)


def expire(history: FeedbackHistory, since: datetime, school: str | None = None) -> int:
    """Delete feedback of the school, else of all, created before `since`, that of batches when the batch expires; return how
    many were deleted. Raises CatalogUnavailable."""
    return history.store.remove_before(since, history.batches_since(since), school)


def feedback_of(stored: model.StoredFeedback) -> model.Feedback:
    """The feedback as it was written. Raises NotFound if another version of chapterverse wrote it in an unknown form."""
    try:
        return replace(adapter(model.Feedback).validate_json(stored.answer), id=stored.id)
    except ValidationError:  # its message would quote the essay
        raise NotFound("feedback_of_other_version") from None


def visible_feedback(stored: model.StoredFeedback) -> model.Feedback:
    """The feedback with the teacher's choices and edits; with a hidden comment go the passages that no other one cites. Raises
    NotFound as feedback_of does."""
    feedback, hidden = feedback_of(stored), stored.edits.hidden
    cited = [(number, one.number in hidden) for one in feedback.comments for number in one.evidence]
    gone = {number for number, is_gone in cited if is_gone} - {number for number, is_gone in cited if not is_gone}
    gone |= {number for number in hidden if number >= model.FIRST_OWN}  # a passage that was added, as its comment
    choices = (*stored.choices, *(model.Choice(number, model.Show.HIDDEN) for number in gone))
    return with_edits(with_choices(feedback, choices), stored.edits)


def earlier_feedback(
    school: str, id: str | None, history: FeedbackHistory, *, for_student: bool = False
) -> model.Feedback | None:
    """The feedback on an earlier draft, with the teacher's choices; None if it is gone, or for a student if a teacher has
    withdrawn it. Raises CatalogUnavailable."""
    with suppress(NotFound):
        stored = find_feedback(school, id, history) if id else None
        return visible_feedback(stored) if stored and (stored.approved or not for_student) else None
    return None


def with_earlier(feedback: model.Feedback, school: str, history: FeedbackHistory, *, for_student: bool) -> model.Feedback:
    """The feedback with that on the earlier draft, as earlier_feedback finds it."""
    id = feedback.revision.earlier if feedback.revision else None
    return replace(feedback, earlier=earlier_feedback(school, id, history, for_student=for_student))


def versions_of(stored: model.StoredFeedback, history: FeedbackHistory) -> list[model.StoredFeedback]:
    """The stored feedback on all versions of the same essay, the first one first. Raises CatalogUnavailable."""
    if stored.owner is None:
        return [stored]
    earlier = history.store.earlier_of(stored.school, [stored.owner])
    later = {before: id for id, before in earlier.items()}
    ids = [*chain(stored.id, earlier)[:0:-1], *chain(stored.id, later)]
    found = {each.id: each for each in history.store.with_ids(stored.school, ids, history.since)}
    return [found[id] for id in ids if id in found and found[id].owner == stored.owner]


def chain(id: str, following: Mapping[str, str]) -> list[str]:
    """The id and those that follow from it, each once."""
    ids: list[str] = []
    while id not in ids:
        ids.append(id)
        id = following.get(id, id)
    return ids


def essay_of(stored: model.StoredFeedback) -> StoredEssay:
    """The essay in stored feedback, also if another version of chapterverse wrote it."""
    answer = json.loads(stored.answer)
    found = answer["evidence"]
    return StoredEssay(found["title"], [each["paragraph"]["text"] for each in found["paragraphs"]], answer["text"])


def with_choices(feedback: model.Feedback, choices: Sequence[model.Choice]) -> model.Feedback:
    """The feedback with a teacher's choices of evidence: hidden evidence disappears with the comments that rest only on it;
    under a sentence that replaces another one, or was added, stands that it is a passage to use. Numbers stay the same."""
    hidden = {each.number for each in choices if each.show is model.Show.HIDDEN}
    new = {each.number: each.instead for each in choices if each.instead and each.number not in hidden}
    there = {one.number for one in feedback.evidence.evidence}
    added = [one for number, one in sorted(new.items()) if number not in there]
    comments = [rest for one in feedback.comments if (rest := _with_evidence(one, hidden, new))]
    comments += [model.Comment(one.found_by[0].query.paragraph, "", evidence=(one.number,), number=one.number) for one in added]
    if any(one.evidence and not one.text for one in comments):
        language = language_in("\n".join(each.paragraph.text for each in feedback.evidence.paragraphs))
        comments = [one if one.text or not one.evidence else offered(one, language) for one in comments]
    shown = [new.get(one.number, one) for one in feedback.evidence.evidence if one.number not in hidden]
    paragraphs = list[model.ParagraphEvidence]()
    for at, one in enumerate(feedback.evidence.paragraphs):
        left = tuple(number for number in one.numbers if number not in hidden)
        more = tuple(each.number for each in added if each.found_by[0].query.paragraph == at)
        paragraphs.append(replace(one, numbers=(*left, *more), hidden=left != one.numbers))
    evidence = replace(feedback.evidence, paragraphs=tuple(paragraphs), evidence=(*shown, *added))
    return replace(feedback, evidence=evidence, comments=tuple(comments))


def _with_evidence(comment: model.Comment, hidden: set[int], new: Mapping[int, Evidence]) -> model.Comment | None:
    """The comment without evidence that is gone and the sentences that name it, or else with what replaces that alone; None if
    nothing is left of it."""
    gone = hidden | new.keys()
    if not gone & set(comment.evidence):
        return comment
    left = tuple(number for number in comment.evidence if number not in gone)
    sentences = (comment.text[slice(*span)] for span in split_sentences(comment.text))
    if left and (text := " ".join(sentence for sentence in sentences if not evidence_in(sentence) & gone)):
        return replace(comment, text=text, evidence=left)
    instead = tuple(number for number in comment.evidence if number in new)
    return replace(comment, text="", evidence=instead) if instead else None


def with_edits(feedback: model.Feedback, edits: model.TeacherEdits) -> model.Feedback:
    """The feedback with a teacher's edits: a comment whose paragraph is gone has no place."""
    if edits == model.NO_EDITS:
        return feedback
    said = {each.number: each.text for each in edits.changes if each.text}
    left = [replace(one, text=said.get(one.number, one.text)) for one in feedback.comments if one.number not in edits.hidden]
    comments = [*left, *(_own(one, feedback) for one in edits.own)]
    places = {number: place for place, number in enumerate(edits.order)}
    comments.sort(key=lambda one: places.get(one.number, len(places)))
    return replace(feedback, comments=tuple(comments), edits=edits)


def _own(comment: model.OwnComment, feedback: model.Feedback) -> model.Comment:
    if comment.paragraph is None or comment.paragraph >= len(feedback.evidence.paragraphs):
        return model.Comment(None, comment.text, number=comment.number)
    about = (comment.start, comment.end) if comment.start is not None and comment.end is not None else None
    return model.Comment(comment.paragraph, comment.text, about, number=comment.number)


def submission_of(
    owner: str | None, caller: str, school: str, history: FeedbackHistory, *, key: str | None, earlier: str | None
) -> model.Submission:
    """The submission of an essay. key: random, chosen by the client; a repeated request gets the same id, and no other caller
    can produce it. earlier: id of the owner's feedback on an earlier version; an id of another owner is ignored."""
    id = fingerprint(school, caller, key, digits=32) if key else None
    with suppress(NotFound):
        return model.Submission(owner, find_own(school, owner, earlier, history).id if earlier is not None else None, id)
    return model.Submission(owner, None, id)


def list_own(school: str, owner: str | None, history: FeedbackHistory) -> list[model.StoredFeedback]:
    """The feedback on a student's own essays, newest first; empty without an owner. Raises CatalogUnavailable."""
    return history.store.of_owner(school, owner, history.since, MAX_OWN) if owner else []


def find_own(school: str, owner: str | None, id: str, history: FeedbackHistory) -> model.StoredFeedback:
    """The feedback on a student's own essay. Raises NotFound, also for another student's essay."""
    stored = find_feedback(school, id, history)
    if owner is None or stored.owner != owner:
        raise NotFound("no_such_own_feedback")
    return stored


def rate_own(school: str, owner: str | None, id: str, rating: model.ItemRating, history: FeedbackHistory) -> None:
    """Store a student's rating of an item; an empty one removes it. Raises NotFound, also for an unknown item."""
    feedback = visible_feedback(find_own(school, owner, id, history))
    comments, evidence = feedback.comments, feedback.evidence.evidence
    numbers = {model.COMMENT: [one.number for one in comments], model.EVIDENCE: [one.number for one in evidence]}
    if rating.number not in numbers.get(rating.part, ()):
        raise NotFound("no_such_part_of_feedback", part=rating.part, number=rating.number)

    def change(stored: model.StoredFeedback) -> model.StoredFeedback:
        by_item = {(each.part, each.number): each for each in (*stored.ratings, rating)}
        return replace(stored, ratings=tuple(by_item[each] for each in sorted(by_item) if by_item[each].thumb))

    history.store.change(school, id, change)
