"""From which scores on a question is answered where nobody has measured a school's own texts: they are an embedding model's.

S4's and S5's thresholds are cosines of OpenAI's text-embedding-3-small, and hold for every model that is not here. Of MiniLM a
question and a section have 0.7 in common in five of a hundred cases that are answered (docs/asking.md, "Out of the box")."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usual:
    """confidence: from which a question is answered (retrieval/answerable.py); cosine: of a chunk that may be a source."""

    confidence: float
    cosine: float


# A step at which 95 of 100 questions on something else have no answer (`make eval-usual`); of right answers 95 of 100 reach the
# cosine.
USUAL: Mapping[str, Usual] = {"all-MiniLM-L6-v2": Usual(confidence=0.40, cosine=0.25)}
