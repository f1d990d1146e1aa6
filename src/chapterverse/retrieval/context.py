"""What stands around each sentence of a book, and how common what it says is there: made once, from the vectors it has anyway.

Both are facts of one version of one book, so nothing changes with the other books of a school."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chapterverse.model import Sentence, SentenceId, Vectors

REACH = 3  # sentences to each side that belong to a neighbourhood
DECAY = 0.8  # weight of a neighbour to that of the one before it
NEAREST = 5  # sentences that say most nearly the same
COMPARED = 6000  # at most so many are looked through for them, evenly taken: a longer book costs linear time
LEAST = 0.4  # hubness of a sentence that nothing is like; also of every sentence of a leaflet, too short to tell
AT_ONCE = 1000  # rows of a similarity matrix in memory
ROW_BYTES = 200  # an id, a number, and their place in a dictionary

Hubness = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BookContext:
    """Of the n indexed sentences of a version, by row: surroundings, (n, d) float16, no longer than 1, and hubness, (n,)."""

    rows: Mapping[SentenceId, int]
    surroundings: NDArray[np.float16]
    hubness: Hubness

    @property
    def nbytes(self) -> int:
        """Bytes in memory, about."""
        return self.surroundings.nbytes + self.hubness.nbytes + ROW_BYTES * len(self.rows)


def context_of(sentences: Sequence[Sentence], vectors: Vectors) -> BookContext:
    """sentences: the indexed ones of one book in reading order; vectors: (n, d), unit norm, one for each."""
    rows = {sentence.id: row for row, sentence in enumerate(sentences)}
    surroundings = (neighbourhoods(sentences, vectors) + paragraph_means(sentences, vectors)) / 2
    return BookContext(rows, surroundings.astype(np.float16), hubness(vectors))


def neighbourhoods(sentences: Sequence[Sentence], vectors: Vectors) -> Vectors:
    """(n, d), unit norm: each sentence with its neighbours in the chapter, whatever the paragraph, the farther the lighter."""
    chapters = np.array([sentence.address.chapter.index for sentence in sentences])
    summed = vectors.copy()
    for distance in range(1, min(REACH, len(vectors) - 1) + 1):
        together = (chapters[distance:] == chapters[:-distance])[:, None] * np.float32(DECAY**distance)
        summed[distance:] += together * vectors[:-distance]
        summed[:-distance] += together * vectors[distance:]
    return _unit(summed)


def paragraph_means(sentences: Sequence[Sentence], vectors: Vectors) -> Vectors:
    """(n, d), unit norm: of each sentence, the direction of its whole paragraph."""
    numbers: dict[str, int] = {}
    of_row = np.array([numbers.setdefault(sentence.address.paragraph_id, len(numbers)) for sentence in sentences], int)
    sums = np.zeros((len(numbers), vectors.shape[1]), np.float32)
    np.add.at(sums, of_row, vectors)
    means: Vectors = _unit(sums)[of_row]
    return means


def hubness(vectors: Vectors) -> Hubness:
    """(n,): mean cosine of each sentence to its NEAREST others of the book, at least LEAST.

    A sentence in a crowd is near to many queries whether it answers them or not (hubs: Radovanović, Nanopoulos & Ivanović 2010;
    the correction is one side of CSLS: Conneau et al. 2018)."""
    compared = np.unique(np.linspace(0, len(vectors) - 1, min(COMPARED, len(vectors))).astype(int))
    nearest = min(NEAREST, len(compared) - 1)
    if nearest < 1:
        return np.full(len(vectors), LEAST, np.float32)
    return np.concatenate([np.maximum(LEAST, block) for block in _mean_of_nearest(vectors, compared, nearest)])


def _mean_of_nearest(vectors: Vectors, compared: NDArray[np.int_], nearest: int) -> Iterator[Hubness]:
    others = np.ascontiguousarray(vectors[compared])
    for start in range(0, len(vectors), AT_ONCE):
        cosines = vectors[start : start + AT_ONCE] @ others.T
        itself = (compared >= start) & (compared < start + len(cosines))
        cosines[compared[itself] - start, np.flatnonzero(itself)] = -1
        yield np.partition(cosines, -nearest, axis=1)[:, -nearest:].mean(axis=1)


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)
