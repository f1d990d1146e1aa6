"""An assignment as its teacher sees it: who has submitted what, what is ready, what is released; and its feedback in one
archive, a file per student to print or to give out and the table of the class."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from textwrap import shorten
from zipfile import ZIP_DEFLATED, ZipFile

from chapterverse.assignments.model import Assignment, AssignmentSubmission, SentScore
from chapterverse.assignments.service import AssignmentContext, is_nowhere
from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.core.requests import Words
from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayState
from chapterverse.essays.history import chain, find_feedback, visible_feedback, with_earlier
from chapterverse.essays.model import NO_EDITS, ChosenLevel, Comment, CommentState, Feedback, StoredFeedback
from chapterverse.essays.render import feedback_html, feedback_pdf
from chapterverse.essays.review import approve
from chapterverse.infrastructure.storage.folder import ZipParts
from chapterverse.library.services import Printer
from chapterverse.messages import Message

MAX_NEED = 90  # characters of the first thing to do
SUMMARY_BYTES = 700  # of one in memory, about


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
    resolved, earlier: of the comments on the version before, how many are answered, and how many there were; points: of the
    levels that the teacher chose, and the most of their criteria."""

    need: Words | None
    comments: int
    evidence: int
    resolved: int
    earlier: int
    points: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A student of an assignment. student: an id, of the learning platform or the class; email: empty for a student without
    one; handed_in: when the student submitted, null: not yet; progress: of the essay; failed_because: why there is no feedback;
    feedback: its id, null: not stored (any more); approved: since when students may see it; score: as sent to the gradebook;
    in_short: null without feedback; essay_version: from 1; note, grade_given, levels, points: as the teacher gave them last;
    graded_version: of the essay that they are on."""

    student: str
    name: str
    email: str
    handed_in: datetime | None
    progress: EssayProgress
    failed_because: Words | None
    feedback: str | None
    approved: datetime | None
    score: SentScore | None
    in_short: EssaySummary | None
    essay_version: int
    note: str
    grade_given: str
    levels: tuple[ChosenLevel, ...]
    points: tuple[int, int] | None
    graded_version: int


@dataclass(frozen=True, slots=True)
class Roster:
    """The students, by name. whole: true if the class or the platform's roster is known; false: only students who submitted."""

    students: tuple[RosterEntry, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Submissions:
    """The submissions of an assignment by e-mail address, with the feedback on them by the same, and the essays of batches.
    earlier: the id of the feedback on the version before, by that of the feedback on a later one; graded: what has a teacher's
    note, grade or levels, by its id, also of versions before."""

    by_email: Mapping[str, AssignmentSubmission]
    feedback: Mapping[str, StoredFeedback]
    essays: Mapping[tuple[str, int], BatchEssay]
    earlier: Mapping[str, str]
    graded: Mapping[str, StoredFeedback]

    def entry(self, id: str, name: str, email: str, context: AssignmentContext, written_to: str | None = None) -> RosterEntry:
        """The row of the student with this id. written_to: the address to show, by default `email`."""
        essay, stored = self.by_email.get(email), self.feedback.get(email)
        progress, problem = self._progress(essay, stored)
        versions = chain(stored.id, self.earlier) if stored else []
        graded = next((self.graded[each] for each in versions if each in self.graded), stored)
        edits = graded.edits if graded else NO_EDITS
        marked = summary_of(graded, context) if graded else None
        return RosterEntry(
            student=id,
            name=name,
            email=email if written_to is None else written_to,
            handed_in=essay.at if essay else None,
            progress=progress,
            failed_because=problem,
            feedback=stored.id if stored else None,
            approved=stored.approved if stored else None,
            score=essay.score if essay else None,
            in_short=summary_of(stored, context) if stored else None,
            essay_version=max(1, len(versions)),
            note=edits.note,
            grade_given=edits.grade,
            levels=edits.levels,
            points=marked.points if marked else None,
            graded_version=len(versions) - versions.index(graded.id) if graded else 1,
        )

    def _progress(
        self, essay: AssignmentSubmission | None, stored: StoredFeedback | None
    ) -> tuple[EssayProgress, Message | None]:
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


def submissions_of(of: Assignment, context: AssignmentContext, some: list[AssignmentSubmission] | None = None) -> Submissions:
    """The submissions of the assignment, or some of them, with their feedback. Raises CatalogUnavailable."""
    by_email = {each.email: each for each in (context.store.submissions(of.id) if some is None else some)}
    history, ids = context.history, [each.feedback for each in by_email.values() if each.feedback]
    written = {each.id: each for each in history.store.with_ids(of.school, ids, history.since)}
    essays: dict[tuple[str, int], BatchEssay] = {}
    for batch in {each.batch for each in by_email.values() if each.batch}:
        with suppress(NotFound):  # removed
            essays |= {(batch, each.number): each for each in context.batches.store.essays(BatchKey(of.school, batch))}
    feedback = {email: stored for email, each in by_email.items() if (stored := written.get(each.feedback or ""))}
    earlier = history.store.earlier_of(of.school, list(feedback))
    before = [id for each in feedback.values() if not _is_graded(each) for id in chain(each.id, earlier)[1:]]
    versions = [*feedback.values(), *history.store.with_ids(of.school, before, history.since)]
    return Submissions(by_email, feedback, essays, earlier, {each.id: each for each in versions if _is_graded(each)})


def _is_graded(stored: StoredFeedback) -> bool:
    return bool(stored.edits.note or stored.edits.grade or stored.edits.levels)


def roster_of_class(of: Assignment, context: AssignmentContext) -> Roster:
    """The students of the assignment's class, by name, and others who have submitted. Raises CatalogUnavailable."""
    students = context.store.students(of.school, of.class_id or "")
    submitted = submissions_of(of, context)
    shown = {each.email: "" if is_nowhere(each.email) else each.email for each in students}
    entries = [submitted.entry(each.id, each.name, each.email, context, shown[each.email]) for each in students]
    return Roster(tuple(sorted(entries, key=lambda each: (each.name.casefold(), each.student))), whole=True)


def _need(comment: Comment, feedback: Feedback) -> Message:
    """What to do, in a few words, with the essay's words that a correction is of."""
    text = comment.text
    if comment.paragraph is not None and comment.about is not None and comment.instead is not None:
        words = feedback.evidence.paragraphs[comment.paragraph].paragraph.text[slice(*comment.about)]
        text = f"{words} → {comment.instead or '∅'}" + (f": {text}" if text else "")
    return Message(shorten(text, MAX_NEED, placeholder=" …"))


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


COLUMNS = ("student", "email", "submitted", "progress", "version", "first_need", "comments", "evidence")
GIVEN = ("grade", "note", "graded_version", "points", "most_points")  # by the teacher


def summary_of(stored: StoredFeedback, context: AssignmentContext) -> EssaySummary | None:
    """What a row says of feedback as students see it, cached; None if another version of chapterverse wrote it."""
    key = ("summary", stored.id, stored.created, stored.choices, stored.edits)
    with suppress(NotFound):
        return context.batches.services.recent.get(key, lambda: _summary(visible_feedback(stored)), lambda _: SUMMARY_BYTES)
    return None


def _summary(feedback: Feedback) -> EssaySummary:
    need = _need(feedback.start, feedback) if feedback.start else None
    states = [one.state for one in feedback.revision.comments] if feedback.revision else []
    resolved = states.count(CommentState.RESOLVED)
    return EssaySummary(need, len(feedback.comments), len(feedback.evidence.evidence), resolved, len(states), feedback.points)


FORMULA = re.compile(r"(^|[,;|\t\r\n])([\s\x00-\x1f\"'\u200b\ufeff]*)(?=[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r])")
"""Where a spreadsheet may find a formula: at the beginning of a cell, or after what separates cells in any of its languages;
full-width signs count as plain ones. The cell is read with another separator than it was written for."""

Row = Sequence[str | int | None]


def csv_table(rows: Iterable[Row], separator: str = ",") -> bytes:
    """The rows as CSV, in UTF-8 with the byte order mark that spreadsheets need. Cells that a spreadsheet could run as a
    formula get an apostrophe before its sign (OWASP, "CSV Injection"). separator: semicolons are for spreadsheets in languages
    with decimal commas."""
    out = io.StringIO(newline="")
    harmless = ([FORMULA.sub(r"\1'\2", cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(out, delimiter=separator).writerows(harmless)
    return out.getvalue().encode("utf-8-sig", "replace")


def csv_of_roster(roster: Roster, separator: str = ",") -> bytes:
    """A row per student, as a table for a spreadsheet; a column for each criterion of which a level was chosen. separator: of
    cells."""
    criteria = list(dict.fromkeys(one.criterion for each in roster.students for one in each.levels))
    rows: list[Row] = [(*COLUMNS, *GIVEN, *criteria)]
    for each in roster.students:
        short, chosen = each.in_short, {one.criterion: one.level for one in each.levels}
        counts = (short.need and str(short.need), short.comments, short.evidence) if short else (None, None, None)
        when = each.handed_in.isoformat(timespec="minutes") if each.handed_in else None
        version = each.graded_version if each.grade_given or each.note or chosen else None
        given = (each.grade_given, each.note, version, *(each.points or (None, None)))
        row = (each.name, each.email, when, each.progress.value, each.essay_version if when else None, *counts, *given)
        rows.append((*row, *map(chosen.get, criteria)))
    return csv_table(rows, separator)


MAX_NAME = 80  # characters of a student's name in the name of a file
TABLE = "students.csv"


def class_archive(school: str, roster: Roster, context: AssignmentContext, printer: Printer, language: str) -> Iterator[bytes]:
    """Yield a zip in parts, each as soon as it is written: the feedback on every essay as a PDF, as a web page where that is
    too large to print; and the table. language: as feedback_html."""
    parts = ZipParts()
    with ZipFile(parts, "w", ZIP_DEFLATED) as archive:
        archive.writestr(TABLE, csv_of_roster(roster))
        yield parts.take()
        for number, each in enumerate(roster.students, start=1):
            if each.feedback is None:
                continue
            with suppress(NotFound):  # deleted meanwhile, or written by another version of chapterverse
                visible = visible_feedback(find_feedback(school, each.feedback, context.history))
                feedback = replace(with_earlier(visible, school, context.history, for_student=True), written_by=each.name)
                ending, content = _printed(feedback, printer, language)
                name = re.sub(r"[^\w ()'-]+", "_", each.name).strip(" _")[:MAX_NAME] or "_"  # for every file system
                archive.writestr(f"{number:02} {name}.{ending}", content)
                yield parts.take()
    yield parts.take()


def _printed(feedback: Feedback, printer: Printer, language: str) -> tuple[str, str | bytes]:
    """The ending and the content of a student's file."""
    try:
        return "pdf", feedback_pdf(feedback, printer, language)
    except (BadRequest, TooLarge):
        return "html", feedback_html(feedback, language=language)
