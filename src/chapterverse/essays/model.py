"""Facts of essay feedback: the essay, the evidence found for it, reviews with comments and citations, stored feedback."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chapterverse.citations.model import Evidence, Verdict, VerdictKind
from chapterverse.citations.passages import evidence_section
from chapterverse.citations.quotations import Quotable
from chapterverse.core.book import SentenceId
from chapterverse.core.ports import Usage
from chapterverse.essays.edits import NO_EDITS, TeacherEdits
from chapterverse.essays.outline import Outline
from chapterverse.essays.revision.model import Revision
from chapterverse.essays.task import CriterionReport, Genre, Rubric, WritingTask
from chapterverse.essays.weights import first_ones, places_of, rank, uncounted
from chapterverse.messages import Message
from chapterverse.search.rerank import RerankReport

EVIDENCE = "evidence"
"""The part of feedback that is no dimension: sentences of books."""


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
    """One part of feedback that can be rated. part: a dimension's name, or EVIDENCE; number: from 1, as first written."""

    part: str
    number: int


@dataclass(frozen=True, slots=True)
class Annotation:
    """A rating and a comment on an item. An annotation without either is empty. comment: for colleagues; students never see
    it."""

    item: Item
    rating: Rating | None = None
    comment: str | None = None


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
    annotations, choices: the teachers', at most one per item, sorted by item; edits: theirs of the comments. ratings: the
    student's, at most one per item. origin, owner,
    version_of: see Submission."""

    id: str
    school: str
    created: datetime
    approved: datetime | None
    answer: str
    annotations: tuple[Annotation, ...] = ()
    choices: tuple[Choice, ...] = ()
    origin: Origin | None = None
    owner: str | None = None
    version_of: str | None = None
    ratings: tuple[Annotation, ...] = ()
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


BY_RULES = "rules"
NOTHING_FOUND = "Nothing was found in your books for this paragraph."
MILDEST_FIRST = (VerdictKind.SUPPORTS, VerdictKind.PARTLY, VerdictKind.NOT_FOUND, VerdictKind.CONTRADICTS)


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


@dataclass(frozen=True, slots=True)
class Subject:
    """An essay and its evidence: what reviews are written about. left_out: indices of paragraphs that were not searched for
    lack of time."""

    essay: Essay
    evidence: tuple[Evidence, ...]
    left_out: frozenset[int] = frozenset()

    def on(self, paragraph: int) -> list[Evidence]:
        """The evidence for the paragraph with this index, best first."""
        return [one for one in self.evidence if any(by.query.paragraph == paragraph for by in one.found_by)]


@dataclass(frozen=True, slots=True)
class Citation:
    """Evidence behind a comment, and the verdict on the student's claim."""

    evidence: Evidence
    verdict: Verdict

    @property
    def quote(self) -> str:
        """The quoted sentence, always copied from the book; empty if its text is not what is printed."""
        sentence = self.evidence.passage.sentence
        return sentence.text if sentence.quotable else ""


class CommentKind(StrEnum):
    """What comments are counted by; in the order in which a student should take them up."""

    WORKS = "works"
    TASK = "task"
    REASONS = "reasons"
    BOOKS = "books"
    STRUCTURE = "structure"
    LANGUAGE = "language"
    SENTENCES = "sentences"
    WORDING = "wording"


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment on an essay.

    paragraph: its index, None for the whole essay. about: [start, end), the characters of the paragraph that the comment is
    about, None for all of them. instead: a correction for those characters. number: from 1 within its review, 0 until the
    review is complete. rule: the kind and the name of the rule that wrote it, "books.supports", empty if unknown. criterion:
    the rubric's criterion that it is about."""

    paragraph: int | None
    text: str
    about: tuple[int, int] | None = None
    citations: tuple[Citation, ...] = ()
    instead: str | None = None
    number: int = 0
    rule: str = ""
    criterion: str | None = None

    @property
    def contradicts(self) -> bool:
        """Whether a cited sentence contradicts the essay; such comments come first."""
        return any(citation.verdict.kind is VerdictKind.CONTRADICTS for citation in self.citations)


@dataclass(frozen=True, slots=True)
class Review:
    """The feedback on one dimension.

    by: the language model's name, or BY_RULES. checked, not_checked: what the review covers and what it does not. notes:
    messages for the reader. removed, repaired: how many comments or sentences of the model failed the checks, and how many were
    changed to pass them. outline: of content alone, None if it was not made. criteria: of the last dimension alone."""

    dimension: Dimension
    comments: tuple[Comment, ...]
    by: str = BY_RULES
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    usage: Usage = field(default_factory=Usage)
    removed: int = 0
    repaired: int = 0
    outline: Outline | None = None
    criteria: tuple[CriterionReport, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether all that is checked was, and there is no comment."""
        return bool(self.checked) and not self.comments and not self.notes


@dataclass(frozen=True, slots=True)
class ParagraphEvidence:
    """A paragraph and the numbers of its evidence, possibly none. left_out: there was no time to search for it; hidden: a
    teacher hid some of its evidence."""

    paragraph: Paragraph
    numbers: tuple[int, ...]
    left_out: bool = False
    hidden: bool = False

    @property
    def message(self) -> Message | None:
        """A message for a paragraph without evidence; None if it has some, or a teacher hid it."""
        if self.numbers or self.hidden:
            return None
        if not self.paragraph.own:
            return Message("paragraph_is_task")
        return Message("paragraph_not_searched" if self.left_out else "paragraph_nothing_found")


@dataclass(frozen=True, slots=True)
class EssayEvidence:
    """The evidence for an essay: numbers for each paragraph, and all sentences once, best first, numbered from 1.

    reranked: the re-ranker's report, None without one. notes: what was left out of a long essay; empty for an ordinary one."""

    title: str | None
    paragraphs: tuple[ParagraphEvidence, ...]
    evidence: tuple[Evidence, ...]
    reranked: RerankReport | None = None
    notes: tuple[Message, ...] = ()


DEFAULT_KINDS = {
    Dimension.CONTENT: CommentKind.REASONS,
    Dimension.EXPRESSIONS: CommentKind.LANGUAGE,
    Dimension.FEATURES: CommentKind.STRUCTURE,
}


@dataclass(frozen=True, slots=True)
class Group:
    """Comments of one kind, at least one. items: in reading order."""

    kind: CommentKind
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Arranged:
    """Feedback as a student should read it. first: a few, what works before what to do next."""

    first: tuple[Group, ...]
    folded: tuple[Group, ...]

    @property
    def needs(self) -> tuple[CommentKind, ...]:
        """The kinds of what to do first, each once."""
        return tuple(dict.fromkeys(group.kind for group in self.first if group.kind is not CommentKind.WORKS))


def arranged(reviews: Iterable[Review], words: int = 0) -> Arranged:
    """What to read first of an essay of so many words, and the rest."""
    alike: dict[tuple[CommentKind, str], list[tuple[Comment, Item]]] = {}
    for review in reviews:
        for one in review.comments:
            kind = kind_of(one, review.dimension)
            mistake = uncounted(one.text) if kind is CommentKind.LANGUAGE else ""
            alike.setdefault((kind, one.rule or mistake), []).append((one, Item(review.dimension.value, one.number)))
    weights = {key: sum(places_of(one.text, bool(one.instead or one.rule)) for one, _ in its) for key, its in alike.items()}
    in_turn = sorted(
        alike, key=lambda key: (not alike[key][0][0].contradicts, rank(key[1], list(CommentKind).index(key[0])), -weights[key])
    )
    chosen = first_ones(in_turn, weights, words, {key for key in in_turn if alike[key][0][0].contradicts})
    rest: dict[CommentKind, list[Item]] = {}
    for key in sorted(in_turn, key=lambda key: list(CommentKind).index(key[0])):
        if key not in chosen:
            rest.setdefault(key[0], []).extend(item for _, item in alike[key])
    first = (Group(key[0], tuple(item for _, item in alike[key])) for key in chosen)
    return Arranged(tuple(first), tuple(Group(kind, tuple(items)) for kind, items in rest.items()))


def kind_of(comment: Comment, dimension: Dimension) -> CommentKind:
    """The kind that the comment's rule names; of others, the usual one of the dimension."""
    name = comment.rule.partition(".")[0]
    return CommentKind(name) if name in set(CommentKind) else DEFAULT_KINDS[dimension]


@dataclass(frozen=True, slots=True)
class Feedback:
    """The evidence and the reviews of an essay. id: of the stored feedback, None if it is not stored. revision: against an
    earlier draft; earlier: the feedback on that, None if it is deleted or not to be seen. edits: the teacher's, which the
    reviews have already; written_by: the student's name, empty if unknown."""

    evidence: EssayEvidence
    reviews: tuple[Review, ...]
    id: str | None = None
    revision: Revision | None = None
    earlier: "Feedback | None" = None
    edits: TeacherEdits = NO_EDITS
    written_by: str = ""

    @property
    def verdicts(self) -> dict[int, Verdict]:
        """The most serious verdict on each piece of evidence, by its number; on what no comment cites, its own."""
        return {one.number: one.verdict for one in self.evidence.evidence if one.verdict} | self._cited

    @property
    def _cited(self) -> dict[int, Verdict]:
        """The most serious verdict on each piece of evidence that a comment cites."""
        return worst_verdicts(comment for review in self.reviews for comment in review.comments)

    @property
    def models(self) -> tuple[str, ...]:
        """The language models that wrote comments; empty if rules did."""
        return tuple(dict.fromkeys(review.by for review in self.reviews if review.comments and review.by != BY_RULES))

    @property
    def arranged(self) -> Arranged:
        """What to read first, and the rest by kind."""
        words = sum(len(each.paragraph.text.split()) for each in self.evidence.paragraphs)
        return arranged(self.reviews, words)

    @property
    def outline(self) -> Outline | None:
        """The essay's own argument; None if it was not looked for."""
        return next((review.outline for review in self.reviews if review.outline), None)

    @property
    def criteria(self) -> tuple[CriterionReport, ...]:
        """The rubric's criteria; empty without a rubric."""
        return next((review.criteria for review in self.reviews if review.criteria), ())

    @property
    def offered(self) -> frozenset[int]:
        """The numbers of the evidence that no comment cites."""
        return frozenset(one.number for one in self.evidence.evidence) - self._cited.keys()

    @property
    def section(self) -> str | None:
        """The Evidence section as Markdown; None without evidence."""
        evidence = self.evidence.evidence
        return evidence_section(evidence, verdicts=self.verdicts, offered=self.offered) if evidence else None


def subject_of(found: EssayEvidence) -> Subject:
    """The essay and its evidence, as reviews need them."""
    left_out = frozenset(position for position, one in enumerate(found.paragraphs) if one.left_out)
    return Subject(Essay(found.title, tuple(one.paragraph for one in found.paragraphs)), found.evidence, left_out)


def sources_in(subject: Subject) -> Quotable:
    """The texts that a comment may quote: the essay, and the evidence whose text is what is printed."""
    essay = [subject.essay.title or "", *(paragraph.text for paragraph in subject.essay.paragraphs)]
    passages = [one.passage for one in subject.evidence if one.passage.sentence.quotable]
    books = [text for each in passages for text in (each.paragraph, each.sentence.text, each.book_title)]
    return Quotable.made_of(essay, books)


def worst_verdicts(comments: Iterable[Comment]) -> dict[int, Verdict]:
    """The most serious verdict on each cited piece of evidence, by its number."""
    cited = [citation for comment in comments for citation in comment.citations]
    cited.sort(key=lambda one: MILDEST_FIRST.index(one.verdict.kind))
    return {one.evidence.number: one.verdict for one in cited}  # the last one counts


def in_order(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """The comments in reading order: contradictions first, then by paragraph, those on the whole essay last."""
    return tuple(sorted(comments, key=lambda one: (not one.contradicts, one.paragraph is None, one.paragraph or 0)))
