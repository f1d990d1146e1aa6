"""Indexes of files in the bucket, mapped into memory, of vectors and of words. A version is one object of each, with arrays in
numpy's format. What a search read stays in the operating system's cache while there is room, so a school without questions
takes no memory (docs/adr/0011-one-index-collection-per-version.md).

    {school}/_{unit}-{model}/{version}.vectors    vectors (n, d) float32, records as JSON, the ends of the records, and the
                                                  signs of the vectors, one bit a dimension
    {school}/_{unit}-{model}/{version}.words      see Postings; terms are digests, so that no word of a text can be read there

By vectors, signs choose candidates, and full vectors compare them: a search reads all signs, 48 bytes a sentence with MiniLM,
and the vectors of the candidates."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import astuple, dataclass
from functools import cache, partial
from hashlib import sha256
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import DimensionMismatch, IndexUnavailable, NotFound
from chapterverse.core.hits import Hit, Partition, Record, Vectors, WordHit, arrays_in, bytes_of_arrays, resident
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket
from chapterverse.core.recent import Recent
from chapterverse.core.words import distinct_terms, rarity, terms_of

CANDIDATES = 1_000  # of each query, by signs; measured
COMPARE_ALL = 65_536  # rows; comparing all of so few takes half the time, also if they are read from the disk
PIECE = 256  # rows whose signs are unpacked at once: as float32 they fit a core's second cache
SAMPLE = 4_096  # products that bound those to order
AT_ONCE = 8_000_000  # products in memory (32 MB): queries are compared in groups that need no more
THREADS = min(4, cpu_count() or 1)  # of one search


@dataclass(frozen=True, slots=True)
class Rows:
    """One version: vectors (n, d), the fields of record i as JSON in text[ends[i - 1]:ends[i]], and the vectors' signs.

    signs: (n, ceil(d / 8)) uint8, a bit for each dimension, 1 above 0. nbytes: bytes in memory."""

    vectors: Vectors
    text: NDArray[np.uint8]
    ends: NDArray[np.int64]
    signs: NDArray[np.uint8]
    nbytes: int

    def __len__(self) -> int:
        return len(self.vectors)

    def record(self, row: int) -> Record:
        start = self.ends[row - 1] if row else 0
        return Record(*json.loads(self.text[start : self.ends[row]].tobytes()))

    def rows_of(self, ids: Sequence[SentenceId]) -> Iterator[int]:
        """Rows of the records with these ids, without missing ones.

        A record's first field is the id; JSON escapes quotes, so a bare quote ends a field."""
        text = self.text.tobytes()
        for id in ids:
            found = text.find(json.dumps([id], ensure_ascii=False)[:-1].encode() + b",")
            if found >= 0:
                yield int(np.searchsorted(self.ends, found, side="right"))


@dataclass(frozen=True, slots=True)
class BucketIndex:
    """VectorIndex on objects of a bucket, without a server.

    bucket: stores one object a version; recent: caches what is open. The bucket replaces objects atomically, so a search finds
    the old contents or the new ones. It may find a version that another process removed, which is harmless, because the catalog
    no longer names it."""

    bucket: Bucket
    recent: Recent

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        name = object_name(partition, version)
        texts = [json.dumps(astuple(record), ensure_ascii=False).encode() for record in records]
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        text = np.frombuffer(b"".join(texts), np.uint8)
        signs = np.packbits(vectors > 0, axis=1)
        self.bucket.write(name, bytes_of_arrays(vectors.astype(np.float32, copy=False), text, ends, signs))
        self.recent.forget(name)

    def remove(self, partition: Partition, version: str) -> None:
        name = object_name(partition, version)
        self.bucket.delete(name)
        self.recent.forget(name)

    def count(self, partition: Partition, version: str) -> int:
        name = object_name(partition, version)  # an open object may have been removed by another process
        return len(self._rows(partition, version)) if name in self.bucket.names(name) else 0

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        rows = self._rows(partition, version)
        return [Hit(rows.record(row), 1.0, rows.vectors[row]) for row in rows.rows_of(ids)]

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        searched = [self._rows(partition, version) for version in books]
        sentences = sum(len(rows.vectors) for rows in searched)
        groups = np.array_split(queries, -(-len(queries) * sentences // AT_ONCE) or 1)
        return [hits for group in groups if len(group) for hits in nearest(searched, group, k)]

    def _rows(self, partition: Partition, version: str) -> Rows:
        name = object_name(partition, version)

        def read() -> Rows:
            vectors, text, ends, signs = arrays_in(data := self.bucket.open(name))
            return Rows(vectors, text, ends, signs, resident(data))

        try:
            return self.recent.get(name, read)
        except (NotFound, ValueError) as error:  # ValueError: the object is damaged
            raise IndexUnavailable("book_not_indexed", model=partition.model) from error


def object_name(partition: Partition, version: str, of: str = "vectors") -> str:
    """Object with the rows of a version, or its words. It may be in the bucket of the artefacts, because no book's name begins
    with "_"."""
    unit = f"_{partition.unit}-{path_part(partition.model)}"
    return f"{path_part(partition.school)}/{unit}/{path_part(version)}.{of}"


def nearest(books: Sequence[Rows], queries: Vectors, k: int) -> list[list[Hit]]:
    """The k nearest rows for each query, best first; of equal ones the first. Raises DimensionMismatch.

    Every query is compared with the candidates of all, so a search misses less than its signs do."""
    filled = [rows for rows in books if len(rows)]
    if any(rows.vectors.shape[1] != queries.shape[1] for rows in filled):
        raise DimensionMismatch("index_other_dimension")
    if not filled:
        return [[] for _ in queries]
    with ThreadPoolExecutor(THREADS) as threads:
        compared = list(_candidates(filled, queries, k, threads))
        cosines = np.concatenate(list(threads.map(partial(_cosines, queries), filled, compared)), axis=1)
    firsts = np.cumsum([0, *map(len, compared)])

    @cache
    def row_at(place: int) -> tuple[Record, Vectors]:
        book = int(np.searchsorted(firsts, place, side="right")) - 1
        row = int(compared[book][place - firsts[book]])
        return filled[book].record(row), filled[book].vectors[row]

    def hit(place: int, cosine: float) -> Hit:
        record, vector = row_at(place)
        return Hit(record, min(max(cosine, -1.0), 1.0), vector)

    return [[hit(place, float(of_query[place])) for place in _best(of_query, k)] for of_query in cosines]


def _cosines(queries: Vectors, book: Rows, rows: NDArray[np.intp]) -> Vectors:
    """Cosines (q, n) of each query with each of these n rows."""
    vectors = book.vectors if len(rows) == len(book) else book.vectors[rows]
    cosines: Vectors = queries @ vectors.T
    return cosines


def _candidates(books: Sequence[Rows], queries: Vectors, k: int, threads: Executor) -> Iterator[NDArray[np.intp]]:
    """Rows of each book to compare, ascending: those whose signs are nearest to any of the queries."""
    rows, wanted = sum(map(len, books)), max(CANDIDATES, k)
    if rows <= max(COMPARE_ALL, wanted):
        yield from (np.arange(len(book)) for book in books)
        return
    products = np.concatenate(list(threads.map(partial(_by_signs, queries), books)), axis=1)
    among = np.zeros(rows, bool)
    for nearest_rows in threads.map(partial(_highest, count=wanted), products):
        among[nearest_rows] = True
    yield from map(np.flatnonzero, np.split(among, np.cumsum([len(book) for book in books[:-1]])))


def _by_signs(queries: Vectors, book: Rows) -> Vectors:
    """Products (q, n) of each query with each row's signs, 1 or 0: in nearly the order of the cosines."""
    count, dimensions = book.vectors.shape
    products, unpacked = np.empty((len(queries), count), np.float32), np.empty((PIECE, dimensions), np.float32)
    for start in range(0, count, PIECE):
        piece = unpacked[: min(PIECE, count - start)]
        piece[...] = np.unpackbits(book.signs[start : start + PIECE], axis=1, count=dimensions)
        products[:, start : start + PIECE] = (piece @ queries.T).T
    return products


def _highest(products: Vectors, count: int) -> NDArray[np.intp]:
    """Places of so many highest products (n,). A sample of them gives a bound, above which few are left to order."""
    sample = products[:: max(1, len(products) // SAMPLE)]
    above = min(len(sample), 2 * count * len(sample) // len(products) + 1)
    places = np.flatnonzero(products >= np.partition(sample, -above)[-above])
    if len(places) < count:
        places = np.arange(len(products))
    chosen: NDArray[np.intp] = places[np.argpartition(products[places], -count)[-count:]]
    return chosen


def _best(cosines: Vectors, k: int) -> list[int]:
    places = np.sort(_highest(cosines, k)) if k < len(cosines) else np.arange(len(cosines))
    order: list[int] = places[np.argsort(-cosines[places], kind="stable")].tolist()
    return order


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
    """Chunks by their words (core.words.terms_of), on objects of a bucket; tests/contract/test_lexical_index.py. recent: caches
    what is open. Raises IndexUnavailable."""

    bucket: Bucket
    recent: Recent

    def write(self, partition: Partition, version: str, texts: Sequence[tuple[SentenceId, str]]) -> None:
        """Replace a version's contents by these texts, each with its chunk's id, at once."""
        self.bucket.write(name := object_name(partition, version, "words"), _bytes_of_words(texts))
        self.recent.forget(name)

    def remove(self, partition: Partition, version: str) -> None:
        """Remove a version; a missing one is no error."""
        self.bucket.delete(name := object_name(partition, version, "words"))
        self.recent.forget(name)

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        """At most k chunks with words of each query, best first, by BM25 over `books`, the versions to search; a missing one
        has no words."""
        opened = [(version, found) for version in books if (found := self._postings(partition, version))]
        return [nearest_by_words(opened, [digest_of(term) for term in distinct_terms(query)], k) for query in queries]

    def _postings(self, partition: Partition, version: str) -> Postings | None:
        name = object_name(partition, version, "words")

        def read() -> Postings:
            terms, starts, rows, times, lengths, ids = arrays_in(data := self.bucket.open(name))
            return Postings(terms, starts, rows, times, lengths, ids, resident(data))

        try:
            return self.recent.get(name, read)
        except NotFound:
            return None
        except ValueError as error:
            raise IndexUnavailable("word_index_unreadable", file=name) from error


def nearest_by_words(books: Sequence[tuple[str, Postings]], terms: Sequence[int], k: int) -> list[WordHit]:
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


def _bytes_of_words(texts: Sequence[tuple[SentenceId, str]]) -> bytes:
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
