"""A vector index that compares all vectors by a matrix product, on arrays stored in the bucket.

For 20 queries on 50,000 sentences it takes a tenth of the time of twenty graphs and misses nothing
(docs/adr/0014-compare-every-sentence.md). A version is one object, {school}/_{model}/{version}.vectors: three arrays in numpy's
format: vectors, records as JSON, and the ends of the records."""

import io
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import DimensionMismatch, IndexUnavailable, NotFound
from chapterverse.core.hits import SAME, Hit, Partition, Record, Vectors
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, VectorIndex
from chapterverse.core.recent import Recent

PRODUCT = 2_560  # cosines of one matrix product: it fits the core's cache, and OpenBLAS starts no threads for it, which would
# take ten times as long if other programs use the cores too
AT_ONCE = 4_000_000  # cosines in memory (16 MB): queries are compared in groups that need no more


@dataclass(frozen=True, slots=True)
class Rows:
    """One version: vectors (n, d), and the fields of record i as JSON in text[ends[i - 1]:ends[i]]."""

    vectors: Vectors
    text: bytes
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.vectors)

    def record(self, row: int) -> Record:
        """Record of a row."""
        start = self.ends[row - 1] if row else 0
        return Record(*json.loads(self.text[start : self.ends[row]].decode()))

    def row_of(self, id: SentenceId) -> int | None:
        """Row of the record with this id; None if there is none.

        A record's first field is the id; JSON escapes quotes, so a bare quote ends a field."""
        found = self.text.find(json.dumps([id], ensure_ascii=False)[:-1].encode() + b",")
        return None if found < 0 else int(np.searchsorted(self.ends, found, side="right"))

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors, the texts and their ends."""
        return self.vectors.nbytes + len(self.text) + self.ends.nbytes


NO_ROWS = Rows(np.zeros((0, 0), np.float32), b"", np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True)
class ArrayIndex:
    """VectorIndex on the arrays alone, for one machine without Chroma.

    bucket: stores one object a version; recent: caches what was read. The bucket replaces objects atomically, so a search finds
    the old contents or the new ones."""

    bucket: Bucket
    recent: Recent

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        name = object_name(partition, version)
        self.bucket.write(name, _dump(records, vectors))
        self.recent.forget(name)

    def remove(self, partition: Partition, version: str) -> None:
        name = object_name(partition, version)
        self.bucket.delete(name)
        self.recent.forget(name)

    def leave_no_trace(self) -> None:
        """Do nothing: a removed version has no other copy."""

    def count(self, partition: Partition, version: str) -> int:
        return len(self._stored_rows(partition, version))

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        rows = self._stored_rows(partition, version)
        return [rows.record(row).id for row in range(len(rows))]

    def held(self, partition: Partition, version: str, vectors: Vectors) -> int:
        found = self.search(partition, vectors, 1, [version])
        return sum(bool(hits) and hits[0].score > 1 - SAME for hits in found)

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        rows = self._rows(partition, version)
        found = [row for row in map(rows.row_of, ids) if row is not None]
        return [Hit(rows.record(row), 1.0, rows.vectors[row]) for row in found]

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        if not len(queries):
            return []
        searched = [self._rows(partition, version) for version in books]
        sentences = sum(len(rows.vectors) for rows in searched)
        groups = np.array_split(queries, -(-len(queries) * sentences // AT_ONCE) or 1)
        return [hits for group in groups if len(group) for hits in nearest(searched, group, k)]

    def _rows(self, partition: Partition, version: str) -> Rows:
        name = object_name(partition, version)
        try:
            return self.recent.get(name, lambda: _load(self.bucket.read(name)))
        except (NotFound, ValueError, EOFError) as error:
            raise IndexUnavailable("book_not_indexed", model=partition.model) from error

    def _stored_rows(self, partition: Partition, version: str) -> Rows:
        """The rows in the bucket, empty without any; a cached copy may have been removed by another process."""
        name = object_name(partition, version)
        return self._rows(partition, version) if name in self.bucket.names(name) else NO_ROWS


@dataclass(frozen=True, slots=True)
class ExactIndex:
    """VectorIndex that stores records in another index and searches a copy of its vectors.

    copies: the arrays. They may contain a version that was removed elsewhere, which is harmless, because the catalog no longer
    names it."""

    index: VectorIndex
    copies: ArrayIndex

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        self.index.write(partition, version, records, vectors)
        self.copies.write(partition, version, records, vectors)

    def remove(self, partition: Partition, version: str) -> None:
        self.copies.remove(partition, version)
        self.index.remove(partition, version)

    def leave_no_trace(self) -> None:
        self.index.leave_no_trace()

    def count(self, partition: Partition, version: str) -> int:
        return self.index.count(partition, version)

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        return self.index.ids(partition, version)

    def held(self, partition: Partition, version: str, vectors: Vectors) -> int:
        return min(self.copies.held(partition, version, vectors), self.index.held(partition, version, vectors))

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        return self.copies.stored(partition, version, ids)

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        return self.copies.search(partition, queries, k, books)


def object_name(partition: Partition, version: str) -> str:
    """Object with the rows of a version. It may be in the bucket of the artefacts, because no book's name begins with "_"."""
    unit = f"_{partition.unit}-{path_part(partition.model)}"
    return f"{path_part(partition.school)}/{unit}/{path_part(version)}.vectors"


def nearest(books: Sequence[Rows], queries: Vectors, k: int) -> list[list[Hit]]:
    """The k nearest rows for each query, best first; of equal ones the first. Raises DimensionMismatch."""
    filled = [rows for rows in books if len(rows.vectors)]
    if any(rows.vectors.shape[1] != queries.shape[1] for rows in filled):
        raise DimensionMismatch("index_other_dimension")
    if not filled:
        return [[] for _ in queries]
    firsts = np.cumsum([0, *(len(rows.vectors) for rows in filled)])

    @cache
    def row_at(place: int) -> tuple[Record, Vectors]:
        book = int(np.searchsorted(firsts, place, side="right")) - 1
        row = place - int(firsts[book])
        return filled[book].record(row), filled[book].vectors[row]

    def hit(place: int, cosine: float) -> Hit:
        record, vector = row_at(place)
        return Hit(record, min(max(cosine, -1.0), 1.0), vector)

    cosines = _cosines([rows.vectors for rows in filled], queries)
    return [[hit(place, float(of_query[place])) for place in _best(of_query, k)] for of_query in cosines]


def _cosines(books: Sequence[Vectors], queries: Vectors) -> Vectors:
    """Cosines (q, n) of each query with each row."""
    transposed = np.ascontiguousarray(queries.T)
    step = max(1, PRODUCT // len(queries))
    cosines = [rows[start : start + step] @ transposed for rows in books for start in range(0, len(rows), step)]
    return np.concatenate(cosines).T


def _best(cosines: Vectors, k: int) -> list[int]:
    places = np.arange(len(cosines))
    if k < len(cosines):
        places = np.sort(np.argpartition(cosines, -k)[-k:])
    order: list[int] = places[np.argsort(-cosines[places], kind="stable")].tolist()
    return order


def _dump(records: Sequence[Record], vectors: Vectors) -> bytes:
    texts = [json.dumps(astuple(record), ensure_ascii=False).encode() for record in records]
    file = io.BytesIO()
    arrays = (
        np.ascontiguousarray(vectors, np.float32),
        np.frombuffer(b"".join(texts), np.uint8),
        np.cumsum([len(text) for text in texts], dtype=np.int64),
    )
    for array in arrays:
        np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _load(data: bytes) -> Rows:
    file = io.BytesIO(data)
    vectors, text, ends = (np.load(file, allow_pickle=False) for _ in range(3))
    return Rows(vectors, text.tobytes(), ends)
