"""Cross-encoders by sentence-transformers (extra `gpu`): a re-ranker with a cache."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any

from cachetools import LRUCache

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import Reranker
from chapterverse.infrastructure.embedding.model_files import model_name

WINDOW = 512  # tokens of a pair; the rest is cut
BATCH = 16  # pairs; the re-ranker checks its deadline between batches


@dataclass(frozen=True)
class CrossEncoderNetwork:
    """A cross-encoder by name or folder, loaded at its first pair.

    device: torch's name of it ("cuda", "cpu"), None for the best there is."""

    name: str
    device: str | None = None

    @property
    def model(self) -> str:
        return model_name(self.name)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Output of the model for each pair: (n,) with one label, (n, labels) with more."""
        return self.network.predict(list(pairs), batch_size=BATCH, convert_to_numpy=True, show_progress_bar=False)

    @cached_property
    def network(self) -> Any:
        """sentence-transformers' CrossEncoder. Raises ModelUnavailable."""
        try:
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise ModelUnavailable("sentence_transformers_missing") from error
        from torch.nn import Identity

        try:
            network = CrossEncoder(self.name, device=self.device, activation_fn=Identity())
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("model_not_loaded", model=self.model) from error
        network.max_length = min(WINDOW, network.model.config.max_position_embeddings)  # some tokenizers have no limit
        return network


@dataclass(frozen=True)
class CrossEncoderReranker(CrossEncoderNetwork):
    """Reranker in the model's own logits, e.g. cross-encoder/ms-marco-TinyBERT-L2-v2 or BAAI/bge-reranker-base."""

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        batches = [pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)]
        return [score for batch in batches for score in self._of_batch(batch, deadline)]

    def _of_batch(self, pairs: Sequence[tuple[str, str]], deadline: float) -> Iterator[float | None]:
        if monotonic() >= deadline:
            return iter([None] * len(pairs))
        if self.network.num_labels != 1:
            raise ModelUnavailable("model_not_reranker", model=self.model, numbers=self.network.num_labels)
        return (float(one) for one in self.logits(pairs))


MAX_PAIRS = 100_000  # in the cache


@dataclass(frozen=True)
class RememberedReranker:
    """Reranker that caches scores of another one, for many threads. Keys are digests, so no student's words are stored."""

    reranker: Reranker
    cache: LRUCache[bytes, float] = field(default_factory=lambda: LRUCache(MAX_PAIRS), repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def model(self) -> str:
        return self.reranker.model

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        """Scores; only scores that were in time are cached."""
        keys = [_digest(pair) for pair in pairs]
        with self.lock:
            found = [self.cache.get(key) for key in keys]
        missing = [place for place, score in enumerate(found) if score is None]
        if missing:
            for place, score in zip(missing, self.reranker.scores([pairs[place] for place in missing], deadline), strict=True):
                found[place] = score
            with self.lock:
                self.cache.update((keys[place], score) for place in missing if (score := found[place]) is not None)
        return found


def _digest(pair: tuple[str, str]) -> bytes:
    """Digest of a pair; the length distinguishes ("a", "bc") and ("ab", "c")."""
    first, second = pair
    return sha256(f"{len(first)} {first}{second}".encode("utf-8", "surrogatepass")).digest()
