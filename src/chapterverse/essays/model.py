"""Facts of essay feedback: the essay, the evidence found for it, reviews with comments and citations, stored feedback."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chapterverse.citations.model import Evidence, Verdict, VerdictKind
from chapterverse.citations.passages import evidence_section
from chapterverse.citations.quotations import Quotable
from chapterverse.core.book import SentenceId
from chapterverse.core.hits import QueryKind
from chapterverse.core.language import Usage
from chapterverse.messages import Message
from chapterverse.search.rerank import RerankReport

EVIDENCE = "evidence"

"""The part of feedback that is no dimension: sentences of books."""


class Thumb(StrEnum):
    """Whether a teacher finds it good."""

    UP = "up"
    DOWN = "down"


class Show(StrEnum):
    """Where a student sees a piece of evidence: in its place, before all others, or nowhere."""

    NORMAL = "normal"
    PINNED = "pinned"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in feedback. part: a dimension's name, or EVIDENCE; number: from 1, as it was first given."""

    part: str
    number: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What teachers think of an item; comment: for colleagues and for us, not for the student."""

    item: Item
    thumb: Thumb | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """How evidence of that number is shown; sentence: another one of the school's books in its place, instead: what is read
    from the book and said of it then, as JSON; both None for the one that was found."""

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
    """How an essay came in. owner: e-mail address of the student, None for a program's key; version_of: id of the feedback on
    an earlier version; id: of the feedback to be, None: any; origin: the essay of a batch, None outside batches."""

    owner: str | None = None
    version_of: str | None = None
    id: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """Feedback in the catalog's database. answer: JSON of history.StoredAnswer, never changed. approved: since when students
    may see it, None: not yet. marks, choices: the teachers', at most one an item, by item; thumbs: its student's ratings,
    likewise. origin, owner, version_of: see Submission."""

    id: str
    school: str
    created: datetime
    approved: datetime | None
    answer: str
    marks: tuple[Mark, ...] = ()
    choices: tuple[Choice, ...] = ()
    origin: Origin | None = None
    owner: str | None = None
    version_of: str | None = None
    thumbs: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """weight: against those of the others; 1 unless the teacher says otherwise."""

    text: str
    weight: int = 1


Rubric = tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph without line ends or mark-up, and its sentences in order; at least one."""

    text: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Essay:
    """At least one paragraph; headings and by-lines are not paragraphs. title is None where the text has none."""

    title: str | None
    paragraphs: tuple[Paragraph, ...]


BY_RULES = "rules"

NOTHING_FOUND = "Nothing in your books bears on this paragraph."

MILDEST_FIRST = (VerdictKind.SUPPORTS, VerdictKind.PARTLY, VerdictKind.NOT_FOUND, VerdictKind.CONTRADICTS)


class Dimension(StrEnum):
    """What feedback is given on; the three do not overlap (S1-28)."""

    CONTENT = "content"
    EXPRESSIONS = "expressions"
    FEATURES = "features"


class Tone(StrEnum):
    """KIND says what works, too; PLAIN only what to do."""

    KIND = "kind"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Style:
    """Whom feedback is for. grade: of school, 7 for about twelve years; rubric: what the teacher looks for."""

    grade: int = 7
    tone: Tone = Tone.KIND
    dimensions: tuple[Dimension, ...] = tuple(Dimension)
    rubric: Rubric = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """An essay and the evidence that was found on it. left_out: paragraphs, from 0, that there was no time to look up."""

    essay: Essay
    evidence: tuple[Evidence, ...]
    left_out: frozenset[int] = frozenset()

    def on(self, paragraph: int) -> list[Evidence]:
        """What bears on that paragraph, counted from 0; best first."""
        return [one for one in self.evidence if any(by.query.paragraph == paragraph for by in one.found_by)]

    def claim(self, paragraph: int, evidence: Evidence) -> str:
        """The sentence of that paragraph that the evidence answers to: the key sentence that found it, else the nearest."""
        found = (by.query for by in evidence.found_by if by.query.paragraph == paragraph)
        keys = [query.text for query in found if query.kind is QueryKind.KEY_SENTENCE]
        return keys[0] if keys else _nearest(self.essay.paragraphs[paragraph].sentences, evidence.passage.sentence.text)


@dataclass(frozen=True, slots=True)
class Citation:
    """Evidence behind a comment, and whether it bears out what the student says."""

    evidence: Evidence
    verdict: Verdict

    @property
    def quote(self) -> str:
        """The book's own sentence: nobody else writes a quotation."""
        return self.evidence.passage.sentence.text


@dataclass(frozen=True, slots=True)
class Comment:
    """paragraph: of the essay, from 0; None for the whole. about: [start, end), characters of the paragraph's text; None for
    all of it. instead: words to write in the place of those. number: within
    its review, from 1; 0 until the review is whole."""

    paragraph: int | None
    text: str
    about: tuple[int, int] | None = None
    citations: tuple[Citation, ...] = ()
    instead: str | None = None
    number: int = 0

    @property
    def contradicts(self) -> bool:
        """Whether a book says otherwise: the most valuable thing to know."""
        return any(citation.verdict.kind is VerdictKind.CONTRADICTS for citation in self.citations)


@dataclass(frozen=True, slots=True)
class Review:
    """The feedback on one dimension. by: the language model's name, or BY_RULES. checked, not_checked: what was looked at, and
    what nobody looked at; notes: what else a reader should know. removed: comments or sentences of the model that did not
    pass the checks."""

    dimension: Dimension
    comments: tuple[Comment, ...]
    by: str = BY_RULES
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    usage: Usage = field(default_factory=Usage)
    removed: int = 0


@dataclass(frozen=True, slots=True)
class ParagraphEvidence:
    """A paragraph of the essay and the numbers of the evidence that bears on it; none is a result, too. left_out: there was no
    time to look it up; hidden: a teacher has hidden some of it."""

    paragraph: Paragraph
    numbers: tuple[int, ...]
    left_out: bool = False
    hidden: bool = False

    @property
    def message(self) -> Message | None:
        """What a reader is told where there is no evidence."""
        if self.numbers or self.hidden:
            return None
        return Message("paragraph_not_searched" if self.left_out else "paragraph_nothing_found")


@dataclass(frozen=True, slots=True)
class EssayEvidence:
    """What the books say on an essay: by paragraph, and all of it once, best first; numbers count from 1.

    reranked: what a re-ranker did for it, None where there is none. notes: what of the essay was not looked up, in whole
    sentences; none for an essay of ordinary length."""

    title: str | None
    paragraphs: tuple[ParagraphEvidence, ...]
    evidence: tuple[Evidence, ...]
    reranked: RerankReport | None = None
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a student is given. id: under which it is kept, None where it is not."""

    evidence: EssayEvidence
    reviews: tuple[Review, ...]
    id: str | None = None

    @property
    def verdicts(self) -> dict[int, Verdict]:
        """By the number of the evidence, whether it bears the essay out: of several verdicts the most serious."""
        return worst_verdicts(comment for review in self.reviews for comment in review.comments)

    @property
    def section(self) -> str | None:
        """The Evidence section as Markdown, None where the books say nothing on any paragraph."""
        evidence = self.evidence.evidence
        return evidence_section(evidence, verdicts=self.verdicts) if evidence else None


def subject_of(found: EssayEvidence) -> Subject:
    """What is written about."""
    left_out = frozenset(position for position, one in enumerate(found.paragraphs) if one.left_out)
    return Subject(Essay(found.title, tuple(one.paragraph for one in found.paragraphs)), found.evidence, left_out)


def sources_in(subject: Subject) -> Quotable:
    """The words of the essay and of its evidence: all that a comment may quote."""
    essay = [subject.essay.title or "", *(paragraph.text for paragraph in subject.essay.paragraphs)]
    passages = [one.passage for one in subject.evidence]
    books = [text for each in passages for text in (each.paragraph, each.sentence.text, each.book_title)]
    return Quotable.made_of(essay, books)


def worst_verdicts(comments: Iterable[Comment]) -> dict[int, Verdict]:
    """By the number of the evidence, the most serious verdict on it; evidence that nobody cites has none."""
    cited = (citation for comment in comments for citation in comment.citations)
    mildest_first = sorted(cited, key=lambda one: MILDEST_FIRST.index(one.verdict.kind))
    return {one.evidence.number: one.verdict for one in mildest_first}  # the last one counts


def in_order(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """Contradictions first, then by paragraph, the whole essay last."""
    last = float("inf")
    return tuple(sorted(comments, key=lambda one: (not one.contradicts, last if one.paragraph is None else one.paragraph)))


def _nearest(sentences: Iterable[str], text: str) -> str:
    words = set(text.lower().split())
    return max(sentences, key=lambda sentence: len(words & set(sentence.lower().split())))
