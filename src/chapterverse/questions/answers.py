"""A question, the sources found for it, and an answer made of claims with citations."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from chapterverse.citations.model import Verdict, cite
from chapterverse.core.book import ChunkId
from chapterverse.core.hits import Passage
from chapterverse.core.ports import Usage
from chapterverse.messages import Message
from chapterverse.questions.model import Answerability, ConfidenceLevel, Intent
from chapterverse.questions.units import ScoredUnit
from chapterverse.search.chunks import FoundChunk

ENTRIES = 3  # the right one is among so many in 86 of 100 questions, and the first in 54
PLACES = 2  # that come nearest
EXTRACT = "extract"  # Answer.by if no language model wrote it: it consists of sentences of the sources


def _alone(passage: Passage) -> tuple[Passage, ...]:
    return (passage,)


@dataclass(frozen=True, slots=True)
class CitableSource:
    """Source #number, from 1. title: of the document, or the question of an FAQ entry. module: topic of the page's folder.
    headings: outermost first.

    text: what a language model reads. passages: sentences that can be cited, in reading order, at least one; of an FAQ entry,
    those of its answer. score: cosine to the query. whole: written as one answer (FAQ entry, resolved ticket), so it is
    quoted from its beginning. type, id, department: source_type, source_id, department_id of S5. chunk: its id. together: a
    passage with those that answer only together with it. every: all its sentences, where passages has only those near the
    question."""

    number: int
    title: str
    text: str
    passages: tuple[Passage, ...]
    score: float
    module: str = ""
    headings: tuple[str, ...] = ()
    whole: bool = False
    type: str = ""
    id: str = ""
    department: str | None = None
    chunk: str = ""
    together: Callable[[Passage], tuple[Passage, ...]] = field(default=_alone, repr=False, compare=False)
    every: Callable[[], tuple[Passage, ...]] = field(default=tuple, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.passages:
            raise ValueError("A source needs a sentence that can be cited.")

    @property
    def citable(self) -> tuple[Passage, ...]:
        """Sentences that a claim of a language model, which reads the whole source, can cite."""
        return self.every() or self.passages

    @property
    def section(self) -> str:
        """Its path, "Module > Chapter > Heading" (S4-13); the title replaces a missing module."""
        return " > ".join((self.module or self.title, *self.headings))


@dataclass(frozen=True, slots=True)
class NearestPlace:
    """A sentence of a source that comes near the question; nothing is said about whether it answers."""

    source: CitableSource
    passage: Passage

    @property
    def heading(self) -> str:
        """The section that it stands in, and the citation."""
        return " ".join((*self.passage.sentence.address.section_path[-1:], cite(self.passage)))


@dataclass(frozen=True, slots=True)
class Findings:
    """Search result for a question. sources: those above the application's threshold. scores: cosines of the top k before the
    threshold, best first. related: titles of close sections; near: one sentence of each, in the same order. judgement:
    whether the sources answer the question, None if not judged. units: of the sources, best first, if they were scored."""

    sources: tuple[CitableSource, ...] = ()
    scores: tuple[float, ...] = ()
    related: tuple[str, ...] = ()
    judgement: Answerability | None = None
    near: tuple[Passage, ...] = ()
    units: tuple[ScoredUnit, ...] = field(default=(), repr=False)

    @property
    def standing(self) -> ConfidenceLevel | None:
        """None if the thresholds of the specification hold."""
        return self.judgement.standing if self.judgement else None

    @property
    def entries(self) -> list[str]:
        """Questions of the first ENTRIES FAQ entries among the sources, best first."""
        return list(dict.fromkeys(source.title for source in self.sources if source.whole))[:ENTRIES]

    @property
    def nearest(self) -> list[NearestPlace]:
        """The beginnings of the best units in the first PLACES sections that have one, best first."""
        by_number = {source.number: source for source in self.sources}
        places = [NearestPlace(by_number[unit.source], unit.passages[0]) for unit in self.units]
        best = {place.heading: place for place in reversed(places)}
        return [best[heading] for heading in dict.fromkeys(place.heading for place in places)][:PLACES]

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
    selected: text marked by the user. points: it asks about that text without naming its subject. names: of participants, to be
    redacted."""

    question: str
    query: str
    conversation: Sequence[str] = ()
    selected: str = ""
    points: bool = False
    names: Sequence[str] = field(default=(), repr=False)
    about: str = ""

    @property
    def read_as(self) -> str:
        """What the sentences that were found are compared with: the title and names of the query would only dilute it."""
        return f"{self.about}. {self.question}" if self.about else self.query


@dataclass(frozen=True, slots=True)
class SourceCitation:
    """The sentence of a source that supports a claim, and the verdict on it."""

    source: CitableSource
    passage: Passage
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Claim:
    """One or two sentences of an answer. citations: at least one."""

    text: str
    citations: tuple[SourceCitation, ...]

    def __post_init__(self) -> None:
        if not self.citations:
            raise ValueError("A claim needs a source.")

    @property
    def numbered(self) -> str:
        """The text with the numbers of its sources."""
        numbers = dict.fromkeys(cited.source.number for cited in self.citations)
        return self.text + " " + "".join(f"[{number}]" for number in numbers)


@dataclass(frozen=True, slots=True)
class Confidence:
    """best, mean: cosines of the found chunks. band: the application's name for them. relevance: mean cosine of the claims to
    the query, None without claims. judgement: whether the sources answer the question, None if not judged."""

    best: float
    mean: float
    band: str
    relevance: float | None = None
    judgement: Answerability | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """text: the whole answer with source numbers after each claim, and the disclaimer. nothing: it says that the sources do not
    answer. by: name of the language model, or EXTRACT. removed: number of claims that failed the checks. notes: for the
    reader. intent: kind of question. nearest: where something stands that may be meant, if nothing clearly answers."""

    text: str
    claims: tuple[Claim, ...]
    sources: tuple[CitableSource, ...]
    confidence: Confidence
    disclaimer: str = ""
    nothing: bool = False
    by: str = EXTRACT
    removed: int = 0
    notes: tuple[Message, ...] = ()
    usage: Usage = field(default_factory=Usage)
    intent: Intent | None = None
    nearest: tuple[NearestPlace, ...] = ()

    def __post_init__(self) -> None:
        if not (self.claims or self.disclaimer):
            raise ValueError("An answer needs a citation or a disclaimer.")

    @property
    def citations(self) -> list[SourceCitation]:
        """The citations of all claims, in the order of the text."""
        return [cited for claim in self.claims for cited in claim.citations]

    @property
    def siblings(self) -> list[str]:
        """Questions of the first ENTRIES FAQ entries that were found, without those cited, best first: entries that differ in
        one condition are easily mistaken for each other. Without an answer, what may have been meant; none if it is refused."""
        judgement = self.confidence.judgement
        if self.nothing and judgement and judgement.standing is ConfidenceLevel.REFUSED:
            return []
        cited = {one.source.title for one in self.citations}
        entries = dict.fromkeys(source.title for source in self.sources if source.whole)
        return [title for title in list(entries)[:ENTRIES] if title not in cited]


def findings_of(
    found: Sequence[FoundChunk],
    min_score: float,
    related: Sequence[str] = (),
    judgement: Answerability | None = None,
    *,
    units: Sequence[ScoredUnit] = (),
    at_any_score: Collection[ChunkId] = (),
) -> Findings:
    """Chunks with a cosine of at least `min_score` as sources, numbered in their order; scores of all chunks, best first.
    units: of the chunks, best first. at_any_score: chunks that are
    sources whatever their cosine."""
    reaching = [one for one in found if one.score >= min_score or one.chunk.id in at_any_score]
    numbers = {one.chunk.id: number for number, one in enumerate(reaching, start=1)}
    return Findings(
        sources=tuple(source_of(chunk, number) for number, chunk in enumerate(reaching, start=1)),
        scores=tuple(sorted((chunk.score for chunk in found), reverse=True)),
        related=tuple(related),
        judgement=judgement,
        units=tuple(replace(unit, source=numbers[unit.chunk]) for unit in units if unit.chunk in numbers),
    )


def source_of(found: FoundChunk, number: int) -> CitableSource:
    """A chunk as a source. The title of an FAQ entry is its question (S5-5)."""
    is_entry, address = bool(found.chunk.question), found.passages[0].sentence.address
    kind, _, id = (address.chapter.file or "").partition("/") if is_entry else ("pdf" if address.places else "page", "", "")
    return CitableSource(
        number=number,
        chunk=found.chunk.id,
        title=found.chunk.question or found.book.title,
        text=found.chunk.text,
        passages=tuple(sorted(found.passages, key=_reading_order)),
        together=found.together,
        every=lambda: tuple(sorted(found.every, key=_reading_order)),
        score=found.score,
        module="" if is_entry else address.chapter.module or "",
        headings=() if is_entry else found.chunk.headings,
        whole=is_entry,
        type=kind,
        id=id or str(address.book),
        department=address.chapter.module if is_entry else found.book.department,
    )


def _reading_order(passage: Passage) -> tuple[int, int, int]:
    """Sort key: chapter, paragraph, sentence."""
    address = passage.sentence.address
    return address.chapter.index, address.paragraph, address.sentence
