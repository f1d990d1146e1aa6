"""What an answer may rest on: things found, numbered from 1.

An answer: claims, each with what it rests on. One without a citation cannot be made.

From chunks that were found on a question to what an answer is made from, the same way in every application."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from chapterverse.citations.model import Verdict
from chapterverse.core.hits import Passage
from chapterverse.core.language import Usage
from chapterverse.messages import Message
from chapterverse.questions.model import Answerability, ConfidenceLevel, Intent
from chapterverse.search.chunks import FoundChunk


@dataclass(frozen=True, slots=True)
class Source:
    """Source #number, from 1. title: of the document, or the question that it answers; module: what the folder is about that
    its page is in; headings: where in it, outermost first.

    text: what a language model is given of it. passages: its sentences that may be cited, in reading order, at least one; of an
    FAQ those of the answer. score: raw cosine to the query, never boosted. whole: an answer that somebody wrote as one, which
    is shown from its beginning and not by single sentences (FAQ, resolved ticket). type, id, department: source_type,
    source_id, department_id (S5)."""

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

    def __post_init__(self) -> None:
        if not self.passages:
            raise ValueError("A source needs a sentence that can be cited.")

    @property
    def section(self) -> str:
        """Where it stands: "Module > Chapter > Heading" (S4, "Context Format"), from the title where there is no module."""
        return " > ".join((self.module or self.title, *self.headings))


@dataclass(frozen=True, slots=True)
class Findings:
    """What retrieval gave on a question. sources: those that reach the application's threshold, as they are to be shown.

    scores: raw cosines of the top k before the threshold, best first. related: titles of sections near it; near: a sentence of
    each of these, in the same order. judgement: whether that answers the question at all, None where nobody has judged it."""

    sources: tuple[Source, ...] = ()
    scores: tuple[float, ...] = ()
    related: tuple[str, ...] = ()
    judgement: Answerability | None = None
    near: tuple[Passage, ...] = ()

    @property
    def standing(self) -> ConfidenceLevel | None:
        """None where the thresholds of the specification hold."""
        return self.judgement.standing if self.judgement else None

    @property
    def best(self) -> float:
        """0 where nothing was found."""
        return max(self.scores, default=0.0)

    @property
    def mean(self) -> float:
        """Of all scores, those below the threshold too (S4, "Confidence Score"); 0 where nothing was found."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """question: as the user wrote it. query: what was looked for, understood without what was said before. said: the turns
    before it, oldest first. selected: text that the user has marked. names: participants', told to nobody else."""

    question: str
    query: str
    said: Sequence[str] = ()
    selected: str = ""
    names: Sequence[str] = field(default=(), repr=False)


IN_ITS_WORDS = "extract"

"""Who wrote an answer that is made of the sources' own sentences."""


@dataclass(frozen=True, slots=True)
class SourceCitation:
    """The sentence of a source that a claim rests on, and whether it bears the claim out."""

    source: Source
    passage: Passage
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence or two of an answer. citations: at least one."""

    text: str
    citations: tuple[SourceCitation, ...]

    def __post_init__(self) -> None:
        if not self.citations:
            raise ValueError("A claim needs a source.")

    @property
    def numbered(self) -> str:
        """With the numbers of its sources behind it."""
        numbers = dict.fromkeys(cited.source.number for cited in self.citations)
        return self.text + " " + "".join(f"[{number}]" for number in numbers)


@dataclass(frozen=True, slots=True)
class Confidence:
    """best, mean: raw cosines of what was found. band: the application's name for it. relevance: mean cosine of the claims to
    what was asked, None without claims. judgement: whether it is answered at all, None where nobody has judged that."""

    best: float
    mean: float
    band: str
    relevance: float | None = None
    judgement: Answerability | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """text: all that is said, numbers of sources behind each claim, and the disclaimer if there is one. nothing: whether it
    says that the sources do not answer. by: the language model's name, or IN_ITS_WORDS. removed: claims that did not pass the
    checks. notes: what else a reader should know, in whole sentences. intent: the kind of question."""

    text: str
    claims: tuple[Claim, ...]
    sources: tuple[Source, ...]
    confidence: Confidence
    disclaimer: str = ""
    nothing: bool = False
    by: str = IN_ITS_WORDS
    removed: int = 0
    notes: tuple[Message, ...] = ()
    usage: Usage = field(default_factory=Usage)
    intent: Intent | None = None

    def __post_init__(self) -> None:
        if not (self.claims or self.disclaimer):
            raise ValueError("An answer needs a citation or a disclaimer.")


def findings_of(
    found: Sequence[FoundChunk], least: float, related: Sequence[str] = (), judgement: Answerability | None = None
) -> Findings:
    """Chunks whose cosine reaches `least` as sources, numbered in the order they were found in; the scores of all of them, best
    first: their order may rest on words, too."""
    reaching = [chunk for chunk in found if chunk.score >= least]
    return Findings(
        sources=tuple(source_of(chunk, number) for number, chunk in enumerate(reaching, start=1)),
        scores=tuple(sorted((chunk.score for chunk in found), reverse=True)),
        related=tuple(related),
        judgement=judgement,
    )


def source_of(found: FoundChunk, number: int) -> Source:
    """A chunk as an answer's source, its sentences in reading order. An entry goes by its question, and is shown as it was
    written (S5, 3.2)."""
    entry, address = bool(found.chunk.question), found.passages[0].sentence.address
    kind, _, id = (address.chapter.file or "").partition("/") if entry else ("pdf" if address.places else "page", "", "")
    return Source(
        number=number,
        title=found.chunk.question or found.book.title,
        text=found.chunk.text,
        passages=tuple(sorted(found.passages, key=_place)),
        score=found.score,
        module="" if entry else address.chapter.module or "",
        headings=() if entry else found.chunk.headings,
        whole=entry,
        type=kind,
        id=id or str(address.book),
        department=address.chapter.module if entry else found.book.department,
    )


def _place(passage: Passage) -> tuple[int, int, int]:
    """Its place in the source."""
    address = passage.sentence.address
    return address.chapter.index, address.paragraph, address.sentence
