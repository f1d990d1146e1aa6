"""Facts of essay feedback: the essay, the evidence found for it, comments, stored feedback; and of a revision: the changes
between two drafts, which repeat no words of the earlier draft, so deleting it deletes them all. A teacher
hides, changes, adds and orders comments, writes a note and a grade, and chooses levels."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import evidence_section
from chapterverse.core.book import SentenceId
from chapterverse.essays.task import Genre, Rubric, WritingTask
from chapterverse.messages import Message

FIRST_OWN = 1001  # the number of a teacher's first comment or passage; those that are written have fewer


@dataclass(frozen=True, slots=True)
class CommentEdit:
    """A change of a written comment. is_hidden: students do not see it; text: in place of its own, None: its own."""

    number: int
    is_hidden: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class OwnComment:
    """A comment that a teacher wrote. number: from FIRST_OWN; paragraph: its index, None for the whole essay; start, end: the
    characters of the paragraph that it is about, both None for all of them."""

    number: int
    text: str
    paragraph: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class ChosenLevel:
    """How well an essay meets a criterion of its rubric, in the teacher's words."""

    criterion: str
    level: str


@dataclass(frozen=True, slots=True)
class TeacherEdits:
    """All that a teacher changed in the comments of an essay. order: numbers of comments; those that are not in it
    follow as they were. note: on the whole essay; grade: as the teacher writes it; both may be empty. levels: at most one
    for a criterion."""

    changes: tuple[CommentEdit, ...] = ()
    own: tuple[OwnComment, ...] = ()
    order: tuple[int, ...] = ()
    note: str = ""
    grade: str = ""
    levels: tuple[ChosenLevel, ...] = ()

    def level_of(self, criterion: str) -> str | None:
        """The level that the teacher chose for a criterion; None without one."""
        return next((each.level for each in self.levels if each.criterion == criterion), None)


NO_EDITS = TeacherEdits()


@dataclass(frozen=True, slots=True)
class EssaySpan:
    """Characters [start, end) of the paragraph with this index."""

    paragraph: int
    start: int
    end: int


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


def in_place(places: Iterable[EssaySpan]) -> tuple[int, int]:
    """Where the first of the places stands, for sorting; what has no place comes last."""
    return min(((one.paragraph, one.start) for one in places), default=(1 << 30, 0))


COMMENT, EVIDENCE = "comment", "evidence"
"""The parts of feedback that people rate: comments, and sentences of books."""


class Rating(StrEnum):
    """A reader's rating of one item: up or down."""

    UP = "up"
    DOWN = "down"


class Show(StrEnum):
    """How a piece of evidence is shown to students: in its original place, before all others, or hidden."""

    NORMAL = "normal"
    PINNED = "pinned"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Item:
    """One part of feedback that can be rated. part: COMMENT or EVIDENCE; number: from 1, as first written."""

    part: str
    number: int


@dataclass(frozen=True, slots=True)
class ItemRating:
    """A student's rating of an item; None takes it back."""

    item: Item
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A teacher's choice for the evidence with this number. sentence: id of the book sentence that replaces it; instead: JSON
    of the history.Replacement with that sentence. Both are None if nothing was replaced."""

    number: int
    show: Show = Show.NORMAL
    sentence: SentenceId | None = None
    instead: str | None = None


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


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """Feedback as stored in the catalog's database.

    answer: JSON of history.StoredAnswer, never changed. approved: when a teacher released it to students, None if not yet.
    choices: a teacher's, at most one per piece of evidence; edits: of the comments. ratings: the student's, at most one per
    item, sorted by item. origin, owner, version_of: see Submission."""

    id: str
    school: str
    created: datetime
    approved: datetime | None
    answer: str
    choices: tuple[Choice, ...] = ()
    origin: Origin | None = None
    owner: str | None = None
    version_of: str | None = None
    ratings: tuple[ItemRating, ...] = ()
    edits: TeacherEdits = NO_EDITS


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph without line ends or mark-up, and its sentences in order, at least one. copied: those of its sentences that
    are the task's words or those of its sources. quoted: it is a block quote."""

    text: str
    sentences: tuple[str, ...]
    copied: tuple[str, ...] = ()
    quoted: bool = False

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
    """A parsed essay with at least one paragraph; headings and by-lines are left out. title: None if the text has none."""

    title: str | None
    paragraphs: tuple[Paragraph, ...]


class Dimension(StrEnum):
    """The parts of feedback; they do not overlap (S1-28)."""

    CONTENT = "content"
    EXPRESSIONS = "expressions"
    FEATURES = "features"


class Tone(StrEnum):
    """KIND also praises what works; PLAIN only says what to do."""

    KIND = "kind"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Style:
    """How feedback is written. grade: school grade, 7 is about twelve years; rubric: the teacher's criteria; task: what the
    teacher set; genre: None if it is recognised."""

    grade: int = 7
    tone: Tone = Tone.KIND
    dimensions: tuple[Dimension, ...] = tuple(Dimension)
    rubric: Rubric = ()
    task: WritingTask | None = None
    genre: Genre | None = None


class CommentKind(StrEnum):
    """What a comment does. CORRECTION: it says how words would be right; CONTRADICTION: a book says otherwise."""

    STRENGTH = "strength"
    QUESTION = "question"
    SUGGESTION = "suggestion"
    CORRECTION = "correction"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Place:
    """Characters [start, end) of the paragraph with this index, and what is to stand there instead."""

    paragraph: int
    about: tuple[int, int]
    instead: str


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment on an essay.

    paragraph: its index, None for the whole essay. about: [start, end), the characters of the paragraph that it is about, None
    for all of them. evidence: the numbers of what it cites; what a sentence does for the point is in that evidence. see:
    indices of other paragraphs that it speaks of. instead: a correction for those characters; also: further places that it
    mends. criterion: the rubric's criterion that it is about. number: from 1, 0 until it is stored with others; it stays,
    whatever a teacher changes."""

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


PATTERNS, EXAMPLES = 3, 3  # corrections that a student sees first; places of each


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
        if not self.paragraph.own:
            return Message("paragraph_is_task")
        return Message("paragraph_nothing_found")


@dataclass(frozen=True, slots=True)
class EssayEvidence:
    """The evidence for an essay: numbers for each paragraph, and all sentences once, best first, numbered from 1.

    notes: what was left out of a long essay; empty for an ordinary one."""

    title: str | None
    paragraphs: tuple[ParagraphEvidence, ...]
    evidence: tuple[Evidence, ...]
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Feedback:
    """The comments on an essay, in the order in which a student should take them up, and the evidence that they cite.

    summary: what works and what to do first, empty without a language model. by: the language model that wrote, empty without
    one. rubric: the teacher's criteria. notes: what was left out, and why. id: of the stored feedback, None if it is not
    stored. revision: against an earlier draft; earlier: the feedback on that, None if it is deleted or not to be seen. edits:
    the teacher's, which the comments have already; written_by: the student's name, empty if unknown."""

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

    @property
    def section(self) -> str | None:
        """The Evidence section as Markdown; None without evidence."""
        return evidence_section(self.evidence.evidence) if self.evidence.evidence else None

    @property
    def patterns(self) -> list[Comment]:
        """The corrections that a student learns first, at most PATTERNS."""
        return [one for one in self.comments if one.places][:PATTERNS]


def essay_of(found: EssayEvidence) -> Essay:
    """The essay that the evidence was found for."""
    return Essay(found.title, tuple(one.paragraph for one in found.paragraphs))
