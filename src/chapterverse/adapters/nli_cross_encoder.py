"""Reader on a cross-encoder for natural language inference, by sentence-transformers (extra `gpu`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chapterverse.adapters.model_files import model_name
from chapterverse.errors import ModelUnavailable
from chapterverse.evidence.reading import Chances

WINDOW = 512  # tokens of a pair; what is longer is cut, the book's side first
BATCH = 16  # pairs


@dataclass(frozen=True)
class NliCrossEncoder:
    """Reader by name or folder, e.g. cross-encoder/nli-deberta-v3-base. Nothing is loaded before the first pair.

    Any model whose labels are called entailment, contradiction and neutral, in any order. device: torch's name of it ("cuda",
    "cpu"), None for the best there is."""

    name: str
    device: str | None = None

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Chances]:
        """One for each pair, in the order given."""
        if not pairs:
            return []
        logits = self._network.predict(list(pairs), batch_size=BATCH, convert_to_numpy=True, show_progress_bar=False)
        return [self._chances(row) for row in np.asarray(logits, np.float64)]

    def _chances(self, logits: Any) -> Chances:
        weights = np.exp(logits - logits.max())
        shares = weights / weights.sum()
        supports, contradicts, neither = (float(shares[column]) for column in self._columns)
        return Chances(supports, contradicts, neither)

    @cached_property
    def _columns(self) -> tuple[int, int, int]:
        """Where entailment, contradiction and neutral stand among the model's labels."""
        labels: Mapping[int, str] = self._network.model.config.id2label
        at = {label.lower(): column for column, label in labels.items()}
        try:
            return at["entailment"], at["contradiction"], at["neutral"]
        except KeyError as error:
            raise ModelUnavailable("model_not_nli", model=model_name(self.name), labels=", ".join(labels.values())) from error

    @cached_property
    def _network(self) -> Any:
        try:
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise ModelUnavailable("sentence_transformers_missing") from error
        from torch.nn import Identity

        try:
            network = CrossEncoder(self.name, device=self.device, activation_fn=Identity())
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("model_not_loaded", model=model_name(self.name)) from error
        network.max_length = min(WINDOW, network.model.config.max_position_embeddings)  # some tokenizers know no end
        return network
