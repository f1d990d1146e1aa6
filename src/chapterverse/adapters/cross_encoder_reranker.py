"""Reranker on a cross-encoder, by sentence-transformers (extra `gpu`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Any

from chapterverse.adapters.model_files import model_name
from chapterverse.errors import ModelUnavailable

WINDOW = 512  # tokens of a pair; what is longer is cut
BATCH = 16  # pairs; the deadline is looked at between batches


@dataclass(frozen=True)
class CrossEncoderReranker:
    """By name or folder, e.g. cross-encoder/ms-marco-TinyBERT-L2-v2 or BAAI/bge-reranker-base, in the model's own logits.

    Nothing is loaded before the first pair. device: torch's name of it, None for the best there is."""

    name: str
    device: str | None = None

    @property
    def model(self) -> str:
        return model_name(self.name)

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        batches = [pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)]
        return [score for batch in batches for score in self._of_batch(batch, deadline)]

    def _of_batch(self, pairs: Sequence[tuple[str, str]], deadline: float) -> Iterator[float | None]:
        if monotonic() >= deadline:
            return iter([None] * len(pairs))
        said = self._network.predict(list(pairs), batch_size=BATCH, convert_to_numpy=True, show_progress_bar=False)
        return (float(one) for one in said)

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
            raise ModelUnavailable("model_not_loaded", model=self.model) from error
        if network.num_labels != 1:
            raise ModelUnavailable("model_not_reranker", model=self.model, numbers=network.num_labels)
        network.max_length = min(WINDOW, network.model.config.max_position_embeddings)  # some tokenizers know no end
        return network
