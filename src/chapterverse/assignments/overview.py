"""An assignment as its teacher sees it: who has submitted what, what is ready, what is released."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from textwrap import shorten

from chapterverse.accounts.model import Person
from chapterverse.assignments.model import Assignment, AssignmentSubmission, ClassStudent, SentScore
from chapterverse.assignments.service import AssignmentContext, is_nowhere
from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayState
from chapterverse.essays.edits import NO_EDITS, TeacherEdits
from chapterverse.essays.history import visible_feedback
from chapterverse.essays.model import Comment, CommentKind, Feedback, StoredFeedback
from chapterverse.essays.review import approve
from chapterverse.essays.revision.model import CommentState
from chapterverse.messages import Message

MAX_NEED = 90  # characters of the first thing to do


class EssayProgress(StrEnum):
    """Where a student's essay is. VISIBLE: its student sees the feedback at once, and nobody had to release it; GONE: its
    feedback is not stored, or no longer."""

    MISSING = "missing"
    WAITING = "waiting"
    FAILED = "failed"
    READY = "ready"
    VISIBLE = "visible"
    RELEASED = "released"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class EssaySummary:
    """What a row says of feedback. need: the first thing to do, in a few words, null if nothing; comments, evidence: how many;
    resolved, earlier: of the comments on the version before, how many are answered, and how many there were."""

    need: str | None
    comments: int
    evidence: int
    resolved: int = 0
    earlier: int = 0
    nbytes: int = 200


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A student of an assignment. student: an id, of the learning platform or the class; email: empty for a student without
    one; handed_in: when the student submitted, null: not yet; feedback: its id, null: not stored (any more); approved: since
    when students may see it; score: as sent to the gradebook; problem: why there is no feedback; summary: null without
    feedback; version: of the essay, from 1; edits: the teacher's note, grade and levels."""

    student: str
    name: str
    email: str
    handed_in: datetime | None
    feedback: str | None
    approved: datetime | None
    score: SentScore | None
    state: EssayProgress = EssayProgress.MISSING
    problem: Message | None = None
    summary: EssaySummary | None = None
    version: int = 1
    edits: TeacherEdits = NO_EDITS


@dataclass(frozen=True, slots=True)
class Roster:
    """The students, by name. whole: true if the class or the platform's roster is known; false: only students who submitted."""

    students: tuple[RosterEntry, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Submissions:
    """The submissions of an assignment by e-mail address, with the feedback on them by the same, and the essays of batches.
    earlier: the id of the feedback on the version before, by that of the feedback on a later one."""

    by_email: Mapping[str, AssignmentSubmission]
    feedback: Mapping[str, StoredFeedback]
    essays: Mapping[tuple[str, int], BatchEssay]
    earlier: Mapping[str, str]

    def entry(
        self, student: str, name: str, email: str, context: AssignmentContext, written_to: str | None = None
    ) -> RosterEntry:
        """The row of a student. written_to: the address to show, by default `email`."""
        essay, stored = self.by_email.get(email), self.feedback.get(email)
        state, problem = self._state(essay, stored)
        return RosterEntry(
            student=student,
            name=name,
            email=email if written_to is None else written_to,
            handed_in=essay.at if essay else None,
            feedback=stored.id if stored else None,
            approved=stored.approved if stored else None,
            score=essay.score if essay else None,
            state=state,
            problem=problem,
            summary=summary_of(stored, context) if stored else None,
            version=self._version(stored.id) if stored else 1,
            edits=stored.edits if stored else NO_EDITS,
        )

    def _version(self, id: str | None) -> int:
        seen: set[str] = set()
        while id and id not in seen:
            seen.add(id)
            id = self.earlier.get(id)
        return len(seen)

    def _state(self, essay: AssignmentSubmission | None, stored: StoredFeedback | None) -> tuple[EssayProgress, Message | None]:
        if stored and stored.approved:
            return (EssayProgress.VISIBLE if stored.approved == stored.created else EssayProgress.RELEASED), None
        if stored:
            return EssayProgress.READY, None
        if essay is None:
            return EssayProgress.MISSING, None
        written = self.essays.get((essay.batch, essay.number)) if essay.batch and essay.number else None
        if written and written.state is EssayState.WAITING:
            return EssayProgress.WAITING, written.message
        failed = written is not None and written.state is EssayState.FAILED
        return (EssayProgress.FAILED if failed else EssayProgress.GONE), written.message if written else None


def submissions_of(
    of: Assignment, context: AssignmentContext, some: Iterable[AssignmentSubmission] | None = None
) -> Submissions:
    """The submissions of the assignment, or some of them, with their feedback. Raises CatalogUnavailable."""
    by_email = {each.email: each for each in (context.store.submissions(of.id) if some is None else some)}
    history, batches = context.history, {each.batch for each in by_email.values() if each.batch}
    ids = [each.feedback for each in by_email.values() if each.feedback]
    written = {each.id: each for each in history.store.with_ids(of.school, ids, history.since)}
    in_batches: dict[tuple[str, int], StoredFeedback] = {}
    essays: dict[tuple[str, int], BatchEssay] = {}
    for batch in batches:
        key = BatchKey(of.school, batch)
        in_batches |= {(batch, each.origin.number): each for each in history.store.in_batch(key, history.since) if each.origin}
        with suppress(NotFound):  # removed
            essays |= {(batch, each.number): each for each in context.batches.store.essays(key)}
    found = {email: _feedback(each, written, in_batches) for email, each in by_email.items()}
    feedback = {email: each for email, each in found.items() if each}
    return Submissions(by_email, feedback, essays, history.store.earlier_of(of.school, list(feedback)))


def _feedback(
    essay: AssignmentSubmission,
    written: Mapping[str, StoredFeedback],
    in_batches: Mapping[tuple[str, int], StoredFeedback],
) -> StoredFeedback | None:
    if essay.batch and essay.number:
        return in_batches.get((essay.batch, essay.number))
    return written.get(essay.feedback or "")


def roster_of_class(of: Assignment, context: AssignmentContext) -> Roster:
    """The students of the assignment's class, by name, and others who have submitted. Raises CatalogUnavailable."""
    students = context.store.students(of.school, of.class_id or "")
    submitted = submissions_of(of, context)
    entries = [submitted.entry(each.id, each.name, each.email, context, _address(each)) for each in students]
    return Roster(tuple(sorted(entries, key=_by_name)), whole=True)


def _address(student: ClassStudent) -> str:
    return "" if is_nowhere(student.email) else student.email


def _by_name(entry: RosterEntry) -> tuple[str, str]:
    return entry.name.casefold(), entry.student


def summary_of(stored: StoredFeedback, context: AssignmentContext) -> EssaySummary | None:
    """The summary of feedback as students see it, cached; None if another version of chapterverse wrote it."""
    key = ("summary", stored.id, stored.created, stored.choices, stored.edits)

    def made() -> EssaySummary:
        return _summary(visible_feedback(stored))

    try:
        return context.batches.services.recent.get(key, made)
    except NotFound:
        return None


def _summary(feedback: Feedback) -> EssaySummary:
    states = [one.state for one in feedback.revision.comments] if feedback.revision else []
    wanted = [one for one in feedback.comments if one.kind is not CommentKind.STRENGTH]
    first = next((one for one in wanted if not one.evidence), wanted[0] if wanted else None)  # a passage is an offer
    need = shorten(_need(first, feedback), MAX_NEED, placeholder=" …") if first else None
    resolved = states.count(CommentState.RESOLVED)
    return EssaySummary(need, len(feedback.comments), len(feedback.evidence.evidence), resolved, len(states))


def _need(comment: Comment, feedback: Feedback) -> str:
    """What to do, with the essay's words that a correction is of."""
    if comment.paragraph is None or comment.about is None or comment.instead is None:
        return comment.text
    words = feedback.evidence.paragraphs[comment.paragraph].paragraph.text[slice(*comment.about)]
    return f"{words} → {comment.instead or '∅'}: {comment.text}"


def release(of: Assignment, ids: Sequence[str] | None, is_released: bool, context: AssignmentContext) -> list[str]:
    """Release feedback to its students, or take it back; return the ids whose state has changed: with them, the same call
    undoes it. ids: None: all that is ready. Raises NotFound for feedback that is not on the assignment."""
    there = {each.id: each for each in submissions_of(of, context).feedback.values()}
    if ids is not None and not there.keys() >= set(ids):
        raise NotFound("no_such_feedback")
    wanted = list(there) if ids is None else list(dict.fromkeys(ids))
    changing = [id for id in wanted if bool(there[id].approved) is not is_released]
    for id in changing:
        with suppress(NotFound):  # deleted meanwhile
            approve(of.school, id, is_released, context.history)
    return changing


def names_of(people: Iterable[Person], students: Iterable[ClassStudent]) -> dict[str, str]:
    """The name of each student by e-mail address, as classes have it, else as the school has it."""
    return {each.email: each.name for each in people} | {each.email: each.name for each in students}
