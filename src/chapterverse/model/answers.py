"""What is noted of an answer that was given: figures and ids, nothing that anybody wrote."""

from dataclasses import dataclass
from datetime import datetime

from chapterverse.model.books import SentenceId
from chapterverse.model.kept import Thumb


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer of one application ("documents"). scores: cosines of what was found, best first, before any threshold. band:
    the application's name for how sure it is. relevance: mean cosine of the answer to the question, None where it says nothing.
    cited: sentences that it rests on. intent: what kind of question it answers (retrieval/intents.py). seconds: from
    the question to the whole answer, None for those given before that was noted.

    thumb: what the user thinks of it. question: only where whoever gave the thumb handed it in to be kept."""

    id: str
    school: str
    application: str
    created: datetime
    scores: tuple[float, ...]
    band: str
    relevance: float | None
    nothing: bool
    cited: tuple[SentenceId, ...] = ()
    intent: str | None = None
    thumb: Thumb | None = None
    question: str | None = None
    seconds: float | None = None

    @property
    def mean(self) -> float:
        """Of the scores; 0 where nothing was found."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0
