"""A question, and the sources found for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from pydantic import BaseModel

from chapterverse.core.book import LINED, Sentence, SentenceId
from chapterverse.core.hits import Passage
from chapterverse.core.recent import lazy
from chapterverse.messages import Message
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.search.chunks import FoundChunk

ENTRIES = 3  # the right one is among so many in 86 of 100 questions, and the first in 54
EXTRACT = "extract"  # AnswerRecord.by if no language model wrote it: it consists of sentences of the sources


@dataclass(frozen=True)
class CitableSource:
    """Source #number, from 1. title: of the document, or the question of an FAQ entry. module: topic of the page's folder.
    headings: outermost first.

    text: what a language model reads. sentences: that can be cited, in reading order, at least one; of an FAQ entry, those of
    its answer. passage, unit: of one of them, unit with those that it needs (search/chunks.py). score: cosine to the query.
    whole: written as one answer (FAQ entry, resolved ticket). type, id, department: source_type, source_id, department_id of
    S5."""

    number: int
    title: str
    text: str
    sentences: tuple[Sentence, ...]
    score: float
    passage: Callable[[Sentence], Passage] = field(repr=False, compare=False)
    unit: Callable[[Sentence], tuple[Sentence, ...]] = field(repr=False, compare=False)
    module: str = ""
    headings: tuple[str, ...] = ()
    whole: bool = False
    type: str = ""
    id: str = ""
    department: str | None = None

    @property
    def section(self) -> str:
        """Its path, "Module > Chapter > Heading" (S4-13); the title replaces a missing module."""
        return " > ".join((self.module or self.title, *self.headings))

    @property
    def first(self) -> Passage:
        """Its first sentence that can be cited."""
        return self.passage(self.sentences[0])


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """Whole sentences, list items or table rows of a source, in reading order. highlighted: ids of those that answer best
    together, or come nearest; at least one. score: log odds that they answer, by the reader, else for the order only.
    relevance: mean cosine of the lit ones to the question."""

    source: CitableSource
    passages: tuple[Passage, ...]
    highlighted: frozenset[SentenceId]
    score: float
    relevance: float

    @property
    def highlighted_passages(self) -> list[Passage]:
        """The lit ones, in reading order."""
        return [one for one in self.passages if one.sentence.id in self.highlighted]

    @property
    def text(self) -> str:
        """All of it."""
        return text_of([one.sentence for one in self.passages])


@dataclass(frozen=True, slots=True)
class Reading:
    """What is shown of the sources without a language model, best first, and whether it answers; None if nothing was found.
    entries: FAQ entries among the sources, the likeliest first. notes: for the reader."""

    passages: tuple[QuotedPassage, ...] = ()
    judgement: Answerability | None = None
    entries: tuple[CitableSource, ...] = ()
    notes: tuple[Message, ...] = ()

    @property
    def standing(self) -> ConfidenceLevel:
        """REFUSED if nothing was found."""
        return self.judgement.standing if self.judgement else ConfidenceLevel.REFUSED


@dataclass(frozen=True)
class Findings:
    """Search result for a question. sources: for a language model. scores: cosines of the top k, best first. related: close
    sections by title, each with a sentence. read: reads what is shown without a language model."""

    sources: tuple[CitableSource, ...] = ()
    scores: tuple[float, ...] = ()
    related: Mapping[str, Passage] = field(default_factory=dict)
    read: Callable[[], Reading] = field(default=Reading, repr=False, compare=False)

    @lazy
    def reading(self) -> Reading:
        """What `read` returns. Raises NotFound if a source was replaced meanwhile."""
        return self.read()

    @property
    def best(self) -> float:
        """The best score; 0 without scores."""
        return max(self.scores, default=0.0)

    @property
    def mean(self) -> float:
        """Mean of all scores, also those below the threshold (S4-15); 0 without scores."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """question: as the user wrote it. query: the search text, understandable without the conversation. about: the section, or
    at the help desk the entry, that a follow-up leans on, empty for any other. conversation: the turns before it, oldest first.
    selected: text marked by the user. names: of participants, to be redacted."""

    question: str
    query: str
    conversation: Sequence[str] = ()
    selected: str = ""
    names: Sequence[str] = field(default=(), repr=False)
    about: str = ""

    @property
    def read_as(self) -> str:
        """What the sentences that were found are compared with: the title and names of the query would only dilute it."""
        return f"{self.about}. {self.question}" if self.about else self.query


class Confidence(BaseModel, frozen=True):
    """best, mean: cosines of the found chunks. band: the application's name for the level. relevance: mean cosine of the claims
    to the question, null without claims. answerable: whether the sources answer the question, null if not judged."""

    best: float = 0.0
    mean: float = 0.0
    band: str
    relevance: float | None = None
    answerable: Answerability | None = None


def is_row(sentence: Sentence) -> bool:
    """Whether it is a line of its own: a row, a line of code, or an item that does not end as a sentence does."""
    return sentence.kind in LINED or not sentence.text.rstrip("\"'”’»)]*_").endswith((".", "!", "?", "…", ":"))


def text_of(sentences: Sequence[Sentence]) -> str:
    """The sentences as they are read: each paragraph, and each row, on a line of its own."""
    text, before = "", None
    for one in sentences:
        is_new = before and (is_row(one) or is_row(before) or one.address.paragraph_id != before.address.paragraph_id)
        text += ("\n" if is_new else " ") * bool(before) + one.text
        before = one
    return text


def text_under_headings(sentences: Sequence[Sentence], known: Sequence[str]) -> str:
    """As text_of; where they are of several sections, each under its headings, without those that are known of all."""
    parts = list[str]()
    for headings, its in groupby(sentences, key=lambda one: (one.address.chapter.name, *one.address.section_path)):
        own = [each for each in headings if each and each not in known]
        parts += [*([f"Section: {' > '.join(own)}"] if own else []), text_of(list(its))]
    return "\n".join(parts)


def source_of(found: FoundChunk, number: int, sentences: Sequence[Sentence]) -> CitableSource:
    """Sentences of a chunk as a source. The title of an FAQ entry is its question (S5-5), its text the whole entry."""
    is_entry, address = bool(found.chunk.question), sentences[0].address
    kind, _, id = (address.chapter.file or "").partition("/") if is_entry else ("pdf" if address.places else "page", "", "")
    return CitableSource(
        number=number,
        title=found.chunk.question or found.book.title,
        text=found.chunk.text if is_entry else text_under_headings(sentences, found.chunk.headings),
        sentences=tuple(sentences),
        passage=found.passage,
        unit=found.unit,
        score=found.score,
        module="" if is_entry else address.chapter.module or "",
        headings=() if is_entry else found.chunk.headings,
        whole=is_entry,
        type=kind,
        id=id or str(address.book),
        department=address.chapter.module if is_entry else found.book.department,
    )
