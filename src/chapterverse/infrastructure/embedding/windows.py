"""Windows, batches and pooling for texts longer than a model's window. Pure functions.

A long text is embedded in equal, overlapping windows, and its vector is their mean at unit length: its beginning, middle and
end are found alike, where full windows and a remainder favour the end, and one window alone the beginning."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors

Tokens = list[int]
Ids = NDArray[np.int64]  # (b, t): token ids, 0 where padded
Mask = NDArray[np.int64]  # (b, t): 1 for a token, 0 for padding


def plan_windows(tokens: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Bounds of the fewest equal windows covering `tokens` with `overlap`; equal, so that their mean weighs all tokens alike.

    Each is [start, end). One window, perhaps empty, for a text that fits. 0 <= overlap < size."""
    if tokens <= size:
        return [(0, tokens)]
    count = -(-(tokens - overlap) // (size - overlap))
    length = -(-(tokens + (count - 1) * overlap) // count)
    starts = [round(i * (tokens - length) / (count - 1)) for i in range(count)]
    return [(start, start + length) for start in starts]


def plan_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Indices in batches of similar length, longest first, each at most `budget` tokens when padded.

    Padding costs as much as text, so sorting halves the time of a book. A single text beyond the budget is its own batch."""
    batches: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batches and lengths[batches[-1][0]] * (len(batches[-1]) + 1) <= budget:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches


def pad(sequences: Sequence[Tokens]) -> tuple[Ids, Mask]:
    """The sequences as one array, padded on the right, and its mask."""
    longest = max(map(len, sequences))
    mask = np.array([[1] * len(tokens) + [0] * (longest - len(tokens)) for tokens in sequences], np.int64)
    ids = np.zeros_like(mask)
    ids[mask == 1] = np.concatenate(sequences)
    return ids, mask


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """Vectors scaled to unit norm, float32; a zero vector stays zero."""
    exact = vectors.astype(np.float32)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    scaled: Vectors = exact / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def embed_batches(
    sequences: Sequence[Tokens], run: Callable[[Ids, Mask], Vectors], dimensions: int, budget: int, at_once: int = 1
) -> Vectors:
    """A unit vector for each sequence, (n, d), in order. at_once: batches that run at the same time, each in a thread."""
    vectors = np.empty((len(sequences), dimensions), np.float32)

    def embed(batch: list[int]) -> None:
        vectors[batch] = unit(run(*pad([sequences[i] for i in batch])))

    with ThreadPoolExecutor(at_once) as threads:
        for _ in threads.map(embed, plan_batches([len(tokens) for tokens in sequences], budget)):
            pass  # raise errors of batches
    return vectors


def pool(vectors: Vectors, counts: Sequence[int]) -> Vectors:
    """The mean of each text's window vectors at unit length, (n, d). counts: windows of each text, at least 1, in order."""
    firsts = np.cumsum([0, *counts[:-1]])
    return unit(np.add.reduceat(vectors, firsts, axis=0)) if len(counts) else vectors
