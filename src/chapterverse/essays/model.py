"""Facts of essay feedback: the essay, the evidence found for it, comments, stored feedback; and of a revision: the changes
between two drafts, which repeat no words of the earlier draft, so deleting it deletes them all. A teacher
hides, changes, adds and orders comments, writes a note and a grade, and chooses levels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import evidence_section
from chapterverse.core.book import SentenceId
from chapterverse.core.requests import Request, adapter, whole
from chapterverse.essays.task import MAX_CRITERIA, MAX_CRITERION_LENGTH, Rubric, WritingTask
from chapterverse.messages import Message

FIRST_OWN = 1001  # the number of a teacher's first comment or passage; those that are written have fewer


Number = Annotated[int, Field(ge=1, le=100_000), BeforeValidator(whole)]
MAX_CHANGES, MAX_OWN_COMMENTS, MAX_TEXT, MAX_NOTE, MAX_GRADE = 500, 100, 4000, 8000, 40  # of a teacher's edits
COMMENT, EVIDENCE = "comment", "evidence"  # the parts of feedback that people rate: comments, and sentences of books


class CommentEdit(Request):
    """A change of a written comment. is_hidden: students do not see it; text: in place of its own, null: its own."""

    number: Number
    is_hidden: bool = False
    text: str | None = Field(None, min_length=1, max_length=MAX_TEXT)


class OwnComment(Request):
    """A comment that a teacher wrote. number: from 1001; paragraph: its index from 0, null for the whole essay; start, end: the
    characters of the paragraph that it is about, null for all of them."""

    number: Annotated[Number, Field(ge=FIRST_OWN)]
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    paragraph: int | None = Field(None, ge=0)
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=1)


class ChosenLevel(Request):
    """How well an essay meets a criterion of its rubric, in words of the rubric or a teacher's own; where it
    describes none, "not met", "partly", "mostly" or "fully"."""

    criterion: str = Field(min_length=1, max_length=MAX_CRITERION_LENGTH)
    level: str = Field(min_length=1, max_length=MAX_CRITERION_LENGTH)


class TeacherEdits(Request):
    """All that a teacher changed in the comments of an essay. order: numbers of comments; those that are not in it
    follow as they were. levels: of the rubric's criteria; of two for the same the last one counts."""

    changes: tuple[CommentEdit, ...] = Field((), max_length=MAX_CHANGES)
    own: tuple[OwnComment, ...] = Field((), max_length=MAX_OWN_COMMENTS)
    order: tuple[Number, ...] = Field((), max_length=MAX_CHANGES + MAX_OWN_COMMENTS)
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_NOTE)] = Field(
        "", description="On the whole essay, for the student."
    )
    grade: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_GRADE)] = Field(
        "", description="As you write it: 2+, B, 13 of 15; empty: none."
    )
    levels: tuple[ChosenLevel, ...] = Field((), max_length=MAX_CRITERIA)

    @property
    def hidden(self) -> set[int]:
        """The numbers of the comments that students do not see."""
        return {each.number for each in self.changes if each.is_hidden}

    def level_of(self, criterion: str) -> str | None:
        """The level that the teacher chose for a criterion; None without one."""
        return {each.criterion: each.level for each in self.levels}.get(criterion)


NO_EDITS = TeacherEdits()


@dataclass(frozen=True, slots=True)
class EssaySpan:
    """Characters [start, end) of the paragraph with this index."""

    paragraph: int
    start: int
    end: int


def overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether the span has a character in common with one of the others; an empty one has the character after it."""
    return any(span[0] < max(end, start + 1) and start < max(span[1], span[0] + 1) for start, end in others)


class ChangeKind(StrEnum):
    """What a change is. ADDED, CHANGED, MOVED and REMOVED are seen by comparing; the others by a language model."""

    BOOK = "book"
    EVIDENCE = "evidence"
    REASONING = "reasoning"
    POINT = "point"
    REPETITION = "repetition"
    WORDING = "wording"
    SURFACE = "surface"
    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    REMOVED = "removed"


class CommentState(StrEnum):
    """What became of a comment on the earlier draft. TRIED: something changed there; whether it answers the comment is open."""

    RESOLVED = "answered"
    TRIED = "tried"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True)
class Change:
    """Sentences of the earlier draft and what became of them; before is empty where they are new, after where they are gone."""

    kind: ChangeKind
    before: tuple[EssaySpan, ...] = ()
    after: tuple[EssaySpan, ...] = ()


@dataclass(frozen=True, slots=True)
class CommentOutcome:
    """What became of the comment with this number."""

    number: int
    state: CommentState


@dataclass(frozen=True, slots=True)
class Revision:
    """A later draft against an earlier one. earlier: id of the feedback on that; changes: in the later draft's order; comments:
    in the order of the earlier feedback."""

    earlier: str
    changes: tuple[Change, ...] = ()
    comments: tuple[CommentOutcome, ...] = ()


class Rating(StrEnum):
    """A reader's rating of one item: up or down."""

    UP = "up"
    DOWN = "down"


class Show(StrEnum):
    """Whether a piece of evidence is shown to students."""

    NORMAL = "normal"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class ItemRating:
    """A student's rating of one part of feedback. part: COMMENT or EVIDENCE; number: from 1, as first written; thumb: None
    takes it back."""

    part: str
    number: int
    thumb: Rating | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A teacher's choice for the evidence with this number. sentence: id of the book sentence that replaces it; instead: the
    evidence with that sentence. Both are None if nothing was replaced."""

    number: int
    show: Show = Show.NORMAL
    sentence: SentenceId | None = None
    instead: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """The essay of a batch that feedback is on: the batch's name, and the essay's number in it."""

    batch: str
    number: int


@dataclass(frozen=True, slots=True)
class Submission:
    """Who submitted an essay, and for what. owner: e-mail address of the student, None for a program's key; version_of: id of
    the feedback on an earlier version; id: the id that the feedback will have, None for a random one; origin: the essay of a
    batch, None outside batches; is_held: students see the feedback only after a teacher has released it."""

    owner: str | None = None
    version_of: str | None = None
    id: str | None = None
    origin: Origin | None = None
    is_held: bool = False


def _in_row(kind: Any) -> BeforeValidator:
    """Reads the value from JSON text, which a row has in its place."""
    return BeforeValidator(lambda value: adapter(kind).validate_json(value) if isinstance(value, str) else value)


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """Feedback as stored in the catalog's database.

    answer: JSON of the Feedback as it was written, never changed. approved: when a teacher released it, None if not yet.
    choices: a teacher's, at most one per piece of evidence; edits: of the comments. ratings: the student's, at most one per
    item, sorted by item. batch, number: of the essay, None outside batches; owner, version_of: see Submission."""

    id: str
    school: str
    created: datetime
    approved: datetime | None
    answer: str
    choices: Annotated[tuple[Choice, ...], _in_row(tuple[Choice, ...])] = ()
    batch: str | None = None
    number: int | None = None
    owner: str | None = None
    version_of: str | None = None
    ratings: Annotated[tuple[ItemRating, ...], _in_row(tuple[ItemRating, ...])] = ()
    edits: Annotated[TeacherEdits, _in_row(TeacherEdits)] = NO_EDITS

    @property
    def origin(self) -> Origin | None:
        """The essay of a batch; None outside batches."""
        return Origin(self.batch, self.number) if self.batch and self.number else None

    @property
    def is_changed(self) -> bool:
        """Whether a teacher changed comments or passages; a note, a grade and levels stand beside them."""
        return bool(self.choices or self.edits.changes or self.edits.own or self.edits.order)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph without line ends or mark-up, and its sentences in order, at least one. copied: those of its sentences that
    are the task's words or those of its sources. quoted: it is a block quote. above: lines between the paragraph before and
    this one, such as a heading, a salutation or a table's rows; below: those after the last paragraph."""

    text: str
    sentences: tuple[str, ...]
    copied: tuple[str, ...] = ()
    quoted: bool = False
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    @property
    def placed(self) -> Iterator[tuple[str, int, int]]:
        """Each sentence with its characters [start, end) in the text."""
        end = 0
        for sentence in self.sentences:
            start = max(self.text.find(sentence, end), end)
            end = start + len(sentence)
            yield sentence, start, end

    @property
    def own(self) -> tuple[str, ...]:
        """The sentences that are the student's words."""
        copied = frozenset(self.copied)
        return tuple(each for each in self.sentences if each not in copied)

    @property
    def own_text(self) -> str:
        """The text without copied sentences."""
        return " ".join(self.own) if self.copied else self.text


@dataclass(frozen=True, slots=True)
class Essay:
    """A parsed essay with at least one paragraph; headings and by-lines are none. title: None if the text has none."""

    title: str | None
    paragraphs: tuple[Paragraph, ...]


class Dimension(StrEnum):
    """The parts of feedback; they do not overlap (S1-28)."""

    CONTENT = "content"
    EXPRESSIONS = "expressions"
    FEATURES = "features"


class Tone(StrEnum):
    """KIND also praises what works; PLAIN only says what to do; QUESTIONS praises and asks."""

    KIND = "kind"
    PLAIN = "plain"
    QUESTIONS = "questions"


@dataclass(frozen=True, slots=True)
class Style:
    """How feedback is written. grade: school grade, 7 is about twelve years; rubric: the teacher's criteria; task: what the
    teacher set."""

    grade: int = 7
    tone: Tone = Tone.KIND
    rubric: Rubric = ()
    task: WritingTask | None = None


class CommentKind(StrEnum):
    """What a comment does. CORRECTION: it says how words would be right; CONTRADICTION: a book says otherwise; PASSAGE: it
    offers a sentence that nobody has read beside the paragraph."""

    STRENGTH = "strength"
    QUESTION = "question"
    SUGGESTION = "suggestion"
    CORRECTION = "correction"
    CONTRADICTION = "contradiction"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True)
class Place:
    """Characters [start, end) of the paragraph with this index, and what is to stand there instead."""

    paragraph: int
    about: tuple[int, int]
    instead: str


Correction = tuple[str, Place]  # what explains a mistake, empty if nothing does; and what is mended


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment on an essay. text: in the essay's language; empty where no rule explains what it corrects.

    paragraph: its index, None for the whole essay. about: [start, end), the characters of the paragraph that it is about, None
    for all of them. evidence: the numbers of what it cites; what a sentence does for the point is in that evidence. see:
    indices of other paragraphs that it speaks of. instead: a correction for those characters; also: further places that it
    mends. criterion: the rubric's criterion that it is about. number: from 1, 0 until it is stored with others; a teacher's
    changes keep it."""

    paragraph: int | None
    text: str
    about: tuple[int, int] | None = None
    part: Dimension = Dimension.CONTENT
    kind: CommentKind = CommentKind.SUGGESTION
    evidence: tuple[int, ...] = ()
    see: tuple[int, ...] = ()
    instead: str | None = None
    criterion: str | None = None
    number: int = 0
    also: tuple[Place, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """All places that a correction mends; none of another comment."""
        if self.instead is None or self.paragraph is None or self.about is None:
            return ()
        return (Place(self.paragraph, self.about, self.instead), *self.also)


@dataclass(frozen=True, slots=True)
class ParagraphEvidence:
    """A paragraph and the numbers of its evidence, possibly none. hidden: a teacher hid some of it."""

    paragraph: Paragraph
    numbers: tuple[int, ...]
    hidden: bool = False

    @property
    def message(self) -> Message | None:
        """A message for a paragraph without evidence; None if it has some, or a teacher hid it."""
        if self.numbers or self.hidden:
            return None
        return Message("paragraph_nothing_found" if self.paragraph.own else "paragraph_is_task")


@dataclass(frozen=True, slots=True)
class EssayEvidence:
    """The evidence for an essay: numbers for each paragraph, and all sentences once, best first, numbered from 1.

    notes: what was not searched; empty for an ordinary essay."""

    title: str | None
    paragraphs: tuple[ParagraphEvidence, ...]
    evidence: tuple[Evidence, ...]
    notes: tuple[Message, ...] = ()

    def words(self, paragraph: int, span: tuple[int, int]) -> str:
        """Characters [start, end) of the paragraph with this index."""
        return self.paragraphs[paragraph].paragraph.text[slice(*span)]

    @property
    def lacked_books(self) -> bool:
        """Whether there was no book to search."""
        return any(note.id == "note_no_book" for note in self.notes)


@dataclass(frozen=True, slots=True)
class Feedback:
    """The comments on an essay, in the order in which a student should take them up, and the evidence that they cite.

    summary: what works and what to do first, empty without a language model. by: the language model that wrote, empty without
    one. rubric: the teacher's criteria. notes: what was left out, and why. id: of the stored feedback, None if it is not
    stored. revision: against an earlier draft; earlier: the feedback on that, None if it is deleted or not to be seen. edits:
    the teacher's, which the comments have already; written_by: the student's name, may be empty. text: the essay as it was
    handed in, empty before it is stored. version: of what is stored."""

    evidence: EssayEvidence
    comments: tuple[Comment, ...] = ()
    summary: str = ""
    by: str = ""
    rubric: Rubric = ()
    notes: tuple[Message, ...] = ()
    id: str | None = None
    revision: Revision | None = None
    earlier: "Feedback | None" = None
    edits: TeacherEdits = NO_EDITS
    written_by: str = ""
    text: str = ""
    version: Literal[2] = 2

    @property
    def start(self) -> Comment | None:
        """The comment to take up first: no praise, no passage that is offered; a single slip if there is nothing else."""
        others = [one for one in self.comments if one.kind not in {CommentKind.STRENGTH, CommentKind.PASSAGE}]
        return next((one for one in others if one.instead is None or one.also), next(iter(others), None))

    @property
    def section(self) -> str | None:
        """The Evidence section as Markdown; None without evidence."""
        return evidence_section(self.evidence.evidence) if self.evidence.evidence else None

    @property
    def points(self) -> tuple[int, int] | None:
        """Points of the levels that the teacher chose, and the most that their criteria give; None if one has none."""
        chosen = [(one, level) for one in self.rubric if (level := self.edits.level_of(one.text))]
        if not chosen or any(level not in one.points for one, level in chosen):
            return None
        return sum(one.points[level] for one, level in chosen), sum(max(one.points.values()) for one, _ in chosen)


def essay_of(found: EssayEvidence) -> Essay:
    """The essay that the evidence was found for."""
    return Essay(found.title, tuple(one.paragraph for one in found.paragraphs))
