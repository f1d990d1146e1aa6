"""From which scores on a question is answered where nobody has measured a school's own texts: they are an embedding model's.

S4's and S5's thresholds are cosines of OpenAI's text-embedding-3-small, and hold for every model that is not here. Of MiniLM a
question and a section have 0.7 in common in five of a hundred cases that are answered (docs/asking.md, "Out of the box")."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usual:
    """text, entry: confidence (retrieval/answerable.py) from which a chunk of a text, an entry of a help desk, answers; cosine:
    of a chunk that may be a source at all."""

    text: float
    entry: float
    cosine: float

    def answered_from(self, *, entry: bool) -> float:
        """By what was found first."""
        return self.entry if entry else self.text


# text: the lowest at which 95 of 100 questions on something else have no answer (`make eval-usual`). entry: from which 95 of
# 100 answers are right (`make eval-ask-signs`), for an agent can be asked. cosine: what 95 of 100 right answers reach, or less.
USUAL: Mapping[str, Usual] = {"all-MiniLM-L6-v2": Usual(text=0.40, entry=0.70, cosine=0.25)}
