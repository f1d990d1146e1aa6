"""Reranker by query likelihood: how much a language model expects the query after the sentence.

Unsupervised passage re-ranking (Sachan et al. 2022, "Improving Passage Retrieval with Zero-Shot Question Generation")."""

from collections.abc import Sequence
from dataclasses import dataclass

from chapterverse.ports import Likelihood

ASKING = "\n\nIn other words:"  # short: every word of it is read once a sentence


@dataclass(frozen=True)
class LikelihoodReranker:
    """In nats a token of the query."""

    likelihood: Likelihood

    @property
    def model(self) -> str:
        return self.likelihood.model

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        return self.likelihood.log_probs([(sentence + ASKING, f" {query}") for query, sentence in pairs], deadline)
