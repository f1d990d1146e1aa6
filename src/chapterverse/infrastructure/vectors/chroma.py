"""A Chroma server as the vector index: one collection per book version."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from heapq import nsmallest
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings
from chromadb.errors import ChromaError, InternalError, InvalidArgumentError, NotFoundError

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import DimensionMismatch, IndexUnavailable
from chapterverse.core.hits import Hit, Partition, Record, Vectors
from chapterverse.core.names import fingerprint, slug
from chapterverse.core.recent import lazy

WIDTH = 500
"""Records requested from all collections together, more than needed, because HNSW considers only as many as are requested: with
fewer, recall@10 in one collection is below 0.99. Each of many collections gives a share."""

READ_AT_ONCE = 10_000  # ids
UNFINISHED, REPLACED = "-unfinished", "-replaced"  # follow a collection's name until it is complete, and until it is dropped


class Near(NamedTuple):
    """A record near a query, ordered by distance, 1 - cosine. collection: index of its collection."""

    distance: float
    id: str
    collection: int


def nearest_of(collections: Sequence[Collection], queries: Vectors, k: int) -> list[list[Hit]]:
    """The k nearest records of all collections for each query, best first.

    Collections return only distances, which is fast; records and vectors are then read for the k best. Raises NotFoundError if
    a record was removed meanwhile."""
    if not len(queries) or not collections:
        return [[] for _ in queries]
    per_collection = max(k, WIDTH // len(collections))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        found = list(threads.map(partial(_nearest, queries=queries, k=per_collection), range(len(collections)), collections))
    best = [nsmallest(k, (near for its_nearest in of_query for near in its_nearest)) for of_query in zip(*found, strict=True)]
    read = [
        _read(collection, {near.id for nears in best for near in nears if near.collection == number})
        for number, collection in enumerate(collections)
    ]
    return [
        [replace(read[at][id], score=float(np.clip(1.0 - distance, -1.0, 1.0))) for distance, id, at in its] for its in best
    ]


def metadata_of(record: Record) -> dict[str, str]:
    """Metadata with the names of S1-10, without None, because Chroma has no null."""
    fields = asdict(record)
    return {"sentence_id": fields.pop("id")} | {name: value for name, value in fields.items() if value is not None}


def _nearest(number: int, collection: Collection, queries: Vectors, k: int) -> list[list[Near]]:
    found = collection.query(query_embeddings=queries, n_results=k, include=["distances"])
    rows = zip(found["ids"], found["distances"] or [], strict=True)
    return [[Near(distance, id, number) for id, distance in zip(*row, strict=True)] for row in rows]


def _read(collection: Collection, ids: set[str]) -> dict[str, Hit]:
    read = _stored(collection, list(ids))
    if len(read) < len(ids):
        raise NotFoundError
    return read


def _stored(collection: Collection, wanted: Sequence[str]) -> dict[str, Hit]:
    """The records that exist, by id, as hits of score 1."""
    read: dict[str, Hit] = {}
    for start in range(0, len(wanted), READ_AT_ONCE):
        found = collection.get(ids=list(wanted[start : start + READ_AT_ONCE]), include=["metadatas", "embeddings"])
        vectors = np.asarray(found["embeddings"], np.float32)
        rows = zip(found["ids"], found["metadatas"] or [], vectors, strict=True)
        read |= {id: Hit(_record_of(metadata), 1.0, vector) for id, metadata, vector in rows}
    return read


def _record_of(metadata: Mapping[str, Any]) -> Record:
    fields: dict[str, Any] = {"chapter": None, "prev_sentence_id": None, "next_sentence_id": None, **metadata}
    return Record(id=fields.pop("sentence_id"), **fields)


EF_CONSTRUCTION = 200  # these three: measured
MAX_NEIGHBORS = 16
EF_SEARCH = 64
BROKEN = (InternalError, ChromaError)  # inconsistent files, a full disk; a server reports the first as the second
MOMENTARY = (ChromaError, httpx.ReadError)
"""What ends by itself: Chroma raises various errors for a collection dropped while it reads it; httpcore 1.0.9 may close a
connection that another thread has just begun to use."""

PAUSES = (0.0, 0.02, 0.1, 0.5)  # seconds before each search, while another process may be replacing a version


@dataclass(frozen=True)
class ChromaIndex:
    """VectorIndex on the Chroma server at http(s)://HOST:PORT: cosine space, one collection per book version.

    A collection is written under another name and renamed when it is complete, so a collection that can be searched never
    changes (docs/adr/0011-one-index-collection-per-version.md)."""

    url: str

    @lazy
    def client(self) -> ClientAPI:
        """Connected at its first use, and again until the server answers. Raises IndexUnavailable if it does not."""
        parts = urlsplit(self.url)
        secure = parts.scheme == "https"
        try:
            return chromadb.HttpClient(
                parts.hostname or "",
                parts.port or (443 if secure else 80),
                ssl=secure,
                settings=Settings(anonymized_telemetry=False),  # a new one each time: HttpClient writes host and port into it
            )
        except (ValueError, ChromaError) as error:  # Chroma 1.5.9 raises ValueError if there is no server
            raise IndexUnavailable("index_server_away") from error

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        name = collection_name(partition, version)
        with chroma_errors_as_ours(partition):
            self._drop(name + UNFINISHED, name + REPLACED)
            self._fill(name + UNFINISHED, records, vectors)
            self._rename(name, name + REPLACED)  # between this and the next line the version is missing; a search waits for it
            self._rename(name + UNFINISHED, name)
            self._drop(name + REPLACED)

    def remove(self, partition: Partition, version: str) -> None:
        name = collection_name(partition, version)
        with chroma_errors_as_ours(partition):
            self._drop(name, name + UNFINISHED, name + REPLACED)

    def count(self, partition: Partition, version: str) -> int:
        with chroma_errors_as_ours(partition):
            collection = self._find(collection_name(partition, version))
            return collection.count() if collection else 0

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        with chroma_errors_as_ours(partition):
            return list(_stored(self._get(collection_name(partition, version)), ids).values())

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        names = [collection_name(partition, version) for version in books]
        with chroma_errors_as_ours(partition):
            for pause in PAUSES:
                sleep(pause)
                with suppress(*MOMENTARY):
                    return self._search(names, queries, k)
            return self._search(names, queries, k)

    def _search(self, names: Sequence[str], queries: Vectors, k: int) -> list[list[Hit]]:
        """The k nearest records. Raises NotFoundError if a collection is missing or was replaced, because the result may be
        incomplete."""
        collections = [self._get(name) for name in names]
        hits = nearest_of(collections, queries, k)
        if any(self._get(name).id != collection.id for name, collection in zip(names, collections, strict=True)):
            raise NotFoundError
        return hits

    def _fill(self, name: str, records: Sequence[Record], vectors: Vectors) -> None:
        """Add the records to a new collection. sync_threshold: write the graph to disk only once, because each time writes all
        of it."""
        hnsw: Any = {
            "space": "cosine",
            "ef_construction": EF_CONSTRUCTION,
            "max_neighbors": MAX_NEIGHBORS,
            "ef_search": EF_SEARCH,
            "sync_threshold": max(2, len(records)),
        }
        collection = self.client.create_collection(name, configuration={"hnsw": hnsw}, embedding_function=None)
        size = self.client.get_max_batch_size()
        for start in range(0, len(records), size):
            batch = records[start : start + size]
            collection.add(
                ids=[record.id for record in batch],
                embeddings=vectors[start : start + size],
                metadatas=[metadata_of(record) for record in batch],
            )

    def _get(self, name: str) -> Collection:
        return self.client.get_collection(name, embedding_function=None)

    def _find(self, name: str) -> Collection | None:
        with suppress(NotFoundError):
            return self._get(name)
        return None

    def _rename(self, name: str, to: str) -> None:
        if collection := self._find(name):
            collection.modify(name=to)

    def _drop(self, *names: str) -> None:
        for name in names:
            with suppress(NotFoundError):
                self.client.delete_collection(name)


def collection_name(partition: Partition, version: str) -> str:
    """Unique valid name of a collection (3 to 512 of a-z, 0-9, "-"), e.g.
    "local-sentence-all-minilm-l6-v2-1f9c22ab-5f1c0a9e"."""
    parts = (partition.school, partition.unit, partition.model, version)
    readable = slug("-".join(parts)).encode("ascii", "ignore").decode().strip("-")
    return f"{readable}-{fingerprint(*parts)}".lstrip("-")


@contextmanager
def chroma_errors_as_ours(partition: Partition) -> Iterator[None]:
    """Turn errors that Chroma 1.5.9 really raises into ours. Other errors are bugs of ours and pass."""
    try:
        yield
    except NotFoundError as error:
        raise IndexUnavailable("book_not_indexed", model=partition.model) from error
    except InvalidArgumentError as error:  # a vector of another length, which has no error class of its own
        raise DimensionMismatch("index_other_dimension_of_model", model=partition.model) from error
    except ChromaError as error:
        if type(error) not in BROKEN:
            raise
        raise IndexUnavailable("index_incomplete") from error
    except httpx.TransportError as error:  # the client does not wrap transport errors
        raise IndexUnavailable("index_server_away") from error
