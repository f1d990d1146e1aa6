"""Chunks by their words, in files of the bucket that are mapped into memory.

A version is one object, {school}/_{unit}-{model}/{version}.words: arrays in numpy's format. Terms are stored as digests, so
that no word of a text can be read there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable, NotFound
from chapterverse.core.hits import Mapped, Partition, WordHit, arrays_in, bytes_of_arrays, resident
from chapterverse.core.ports import Bucket
from chapterverse.core.recent import Recent
from chapterverse.core.words import distinct_terms, rarity, terms_of
from chapterverse.infrastructure.vectors.bucket import object_name

K1, B = 1.2, 0.75  # of BM25, the usual ones


@dataclass(frozen=True, slots=True)
class Postings:
    """The terms of a version's n chunks. terms: (t,), digests in ascending order; starts: (t,), where each begins in rows and
    times, (p,): chunks with the term, and how often each has it. lengths: (n,), terms of each chunk; ids: (n,)."""

    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    times: NDArray[np.int32]
    lengths: NDArray[np.int32]
    ids: NDArray[np.bytes_]
    nbytes: int

    def of(self, term: int) -> slice:
        """The places of a term in rows and times."""
        at = int(np.searchsorted(self.terms, np.uint64(term)))
        if at == len(self.terms) or self.terms[at] != term:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]) if at + 1 < len(self.starts) else len(self.rows))


@dataclass(frozen=True, slots=True)
class BucketWords:
    """LexicalIndex on objects of a bucket. recent: caches what is open."""

    bucket: Bucket
    recent: Recent

    def write(self, partition: Partition, version: str, texts: Sequence[tuple[SentenceId, str]]) -> None:
        self.bucket.write(name := object_name(partition, version, "words"), _bytes_of(texts))
        self.recent.forget(name)

    def remove(self, partition: Partition, version: str) -> None:
        self.bucket.delete(name := object_name(partition, version, "words"))
        self.recent.forget(name)

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        opened = [(version, found) for version in books if (found := self._postings(partition, version))]
        return [nearest(opened, [digest_of(term) for term in distinct_terms(query)], k) for query in queries]

    def _postings(self, partition: Partition, version: str) -> Postings | None:
        name = object_name(partition, version, "words")
        try:
            return self.recent.get(name, lambda: _postings_in(self.bucket.open(name)))
        except NotFound:
            return None
        except ValueError as error:
            raise IndexUnavailable("word_index_unreadable", file=name) from error


def nearest(books: Sequence[tuple[str, Postings]], terms: Sequence[int], k: int) -> list[WordHit]:
    """The k chunks with the highest BM25 (Robertson & Zaragoza 2009, formula 3.15) over these books, divided by the maximum for
    these terms; of equal ones the first."""
    chunks = sum(len(each.lengths) for _, each in books)
    mean = sum(int(each.lengths.sum()) for _, each in books) / max(chunks, 1)
    places = [[each.of(term) for term in terms] for _, each in books]
    weights = [rarity(sum(its.stop - its.start for its in of_term), chunks) for of_term in zip(*places, strict=True)]
    found: list[WordHit] = []
    for (version, each), of_terms in zip(books, places, strict=True):
        scores = np.zeros(len(each.lengths))
        for place, weight in zip(of_terms, weights, strict=True):
            rows, times = each.rows[place], each.times[place]
            scores[rows] += weight * times / (times + K1 * (1 - B + B * each.lengths[rows] / mean))
        best = np.argsort(-scores, kind="stable")[: min(k, np.count_nonzero(scores))]
        found += [WordHit(SentenceId(each.ids[row].decode()), version, float(scores[row]) / sum(weights)) for row in best]
    return sorted(found, key=lambda hit: -hit.share)[:k]


def digest_of(term: str) -> int:
    """64 bits that stand for a term."""
    return int.from_bytes(sha256(term.encode()).digest()[:8])


def _bytes_of(texts: Sequence[tuple[SentenceId, str]]) -> bytes:
    counted = [Counter(terms_of(text)) for _, text in texts]
    digests = {term: digest_of(term) for count in counted for term in count}
    entries = [(digests[term], row, times) for row, count in enumerate(counted) for term, times in count.items()]
    of_entry, rows, times = (
        np.array([entry[column] for entry in entries], kind) for column, kind in enumerate((np.uint64, np.int32, np.int32))
    )
    order = np.argsort(of_entry, kind="stable")
    terms, starts = np.unique(of_entry[order], return_index=True)
    lengths = np.array([count.total() for count in counted], np.int32)
    ids = np.array([id.encode() for id, _ in texts], np.bytes_)
    return bytes_of_arrays(terms, starts.astype(np.int64), rows[order], times[order], lengths, ids)


def _postings_in(data: Mapped) -> Postings:
    """The postings in an object. Raises ValueError if it is damaged."""
    terms, starts, rows, times, lengths, ids = arrays_in(data)
    return Postings(terms, starts, rows, times, lengths, ids, resident(data))
