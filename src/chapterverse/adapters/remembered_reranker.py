"""Reranker that judges no pair twice: an essay handed in again, or a query that several students have."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from chapterverse.names import fingerprint
from chapterverse.ports import Reranker

KEPT = 100_000  # pairs, 10 MB; by digests, so that no student's text is kept


@dataclass(frozen=True)
class RememberedReranker:
    """Over another one, in memory."""

    reranker: Reranker
    kept: "OrderedDict[str, float]" = field(default_factory=OrderedDict, repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def model(self) -> str:
        return self.reranker.model

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        keys = [fingerprint(*pair, digits=32) for pair in pairs]
        found = [self.kept.get(key) for key in keys]
        new = [number for number, score in enumerate(found) if score is None]
        for number, score in zip(new, self.reranker.scores([pairs[number] for number in new], deadline), strict=True):
            found[number] = score
            self._keep(keys[number], score)
        return found

    def _keep(self, key: str, score: float | None) -> None:
        if score is None:
            return
        with self.lock:
            self.kept[key] = score
            if len(self.kept) > KEPT:
                self.kept.popitem(last=False)
