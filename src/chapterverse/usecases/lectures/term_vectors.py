"""Vectors of words and pairs of words: what a lecture says once it says often, so most of a window's are known already."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from chapterverse.model import Vectors
from chapterverse.ports import Embedder

KEPT = 20_000  # terms: 30 MB of MiniLM's, 60 MB of bge-base's

Vector = NDArray[np.float32]
Term = tuple[str, str]  # model, words


@dataclass
class TermVectors:
    """In memory, for all lectures of a process; those that were asked for last stay."""

    most: int = KEPT
    _kept: "OrderedDict[Term, Vector]" = field(default_factory=OrderedDict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def embed(self, texts: Sequence[str], terms: Iterable[str], embedder: Embedder) -> tuple[Vectors, Mapping[str, Vector]]:
        """(n, d) of the texts, a row each, and the terms' vectors, all of unit norm. Two calls of the embedder, for the texts
        and for the terms that are new: together, each word would be padded to a window's length, which takes three times as
        long. Raises as Embedder.embed_passages does."""
        wanted = list(dict.fromkeys(terms))
        known = self._known(embedder.model, wanted)
        new = [term for term in wanted if term not in known]
        if new:
            known.update(zip(new, embedder.embed_passages(new), strict=True))
            self._keep(embedder.model, {term: known[term] for term in new})
        return embedder.embed_passages(texts), known

    def _known(self, model: str, terms: Sequence[str]) -> dict[str, Vector]:
        with self._lock:
            known = {term: self._kept[model, term] for term in terms if (model, term) in self._kept}
            for term in known:
                self._kept.move_to_end((model, term))
            return known

    def _keep(self, model: str, vectors: Mapping[str, Vector]) -> None:
        with self._lock:
            for term, vector in vectors.items():
                self._kept[model, term] = vector.copy()  # a view would hold on to all that was embedded with it
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
