"""An answer: claims, each with what it rests on. One without a citation cannot be made."""

from dataclasses import dataclass, field

from chapterverse.evidence.numbering import Passage
from chapterverse.evidence.verdict import Verdict
from chapterverse.language import Usage
from chapterverse.messages import Message
from chapterverse.retrieval.answerable import Judgement
from chapterverse.retrieval.intents import Asking
from chapterverse.usecases.answers.sources import Source

IN_ITS_WORDS = "extract"
"""Who wrote an answer that is made of the sources' own sentences."""


@dataclass(frozen=True, slots=True)
class Cited:
    """The sentence of a source that a claim rests on, and whether it bears the claim out."""

    source: Source
    passage: Passage
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence or two of an answer. citations: at least one."""

    text: str
    citations: tuple[Cited, ...]

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
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """text: all that is said, numbers of sources behind each claim, and the disclaimer if there is one. nothing: whether it
    says that the sources do not answer. by: the language model's name, or IN_ITS_WORDS. removed: claims that did not pass the
    checks. notes: what else a reader should know, in whole sentences. asking: what kind of question it answers."""

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
    asking: Asking | None = None

    def __post_init__(self) -> None:
        if not (self.claims or self.disclaimer):
            raise ValueError("An answer needs a citation or a disclaimer.")
