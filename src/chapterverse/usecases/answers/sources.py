"""What an answer may rest on: things found, numbered from 1."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from chapterverse.evidence.numbering import Passage
from chapterverse.retrieval.answerable import Judgement, Standing


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
    judgement: Judgement | None = None
    near: tuple[Passage, ...] = ()

    @property
    def standing(self) -> Standing | None:
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
class Asked:
    """question: as the user wrote it. query: what was looked for, understood without what was said before. said: the turns
    before it, oldest first. selected: text that the user has marked. names: participants', told to nobody else."""

    question: str
    query: str
    said: Sequence[str] = ()
    selected: str = ""
    names: Sequence[str] = field(default=(), repr=False)
