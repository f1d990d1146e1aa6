"""Chroma as the vector index: embedded in this process, or a server."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import chromadb
import httpx
import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings
from chromadb.errors import InternalError, InvalidArgumentError, NotFoundError

from chapterverse.errors import DimensionMismatch, IndexUnavailable
from chapterverse.model import Hit, Partition, Record, SentenceId, Vectors
from chapterverse.names import fingerprint, slug

EF_SEARCH = 400  # candidates HNSW looks at; with Chroma's 100, one book among ten was searched with recall 0.93, with 400 1.00
SPACE: Any = {"hnsw": {"space": "cosine", "ef_search": EF_SEARCH}}


def embedded_client(path: Path) -> ClientAPI:
    """Chroma inside this process, its files in the folder `path`."""
    return chromadb.PersistentClient(path, settings=_quiet())


def server_client(host: str, port: int) -> ClientAPI:
    """A Chroma server. It is called at once: raises IndexUnavailable."""
    try:
        return chromadb.HttpClient(host, port, settings=_quiet())
    except ValueError as error:  # all that Chroma 1.5.9 says when nobody answers
        raise IndexUnavailable("The vector server does not answer. Start it, then try again.") from error


def _quiet() -> Settings:
    """No telemetry. A new object each time: HttpClient writes host and port into it."""
    return Settings(anonymized_telemetry=False)


@dataclass(frozen=True, slots=True)
class ChromaIndex:
    """VectorIndex on Chroma, embedded or server (the client decides): cosine space, one collection per partition."""

    client: ClientAPI

    def upsert(self, partition: Partition, records: Sequence[Record], vectors: Vectors) -> None:
        with chroma_errors_as_ours(partition):
            collection = self.client.get_or_create_collection(
                collection_name(partition), configuration=SPACE, embedding_function=None
            )
            size = self.client.get_max_batch_size()
            for start in range(0, len(records), size):
                _add_missing(collection, records[start : start + size], vectors[start : start + size])

    def remove(self, partition: Partition, version: str) -> None:
        with chroma_errors_as_ours(partition):
            if collection := self._find(partition):
                collection.delete(where={"version": version})

    def count(self, partition: Partition, version: str | None = None) -> int:
        if version is not None:
            return len(self.ids(partition, version))
        with chroma_errors_as_ours(partition):
            collection = self._find(partition)
            return collection.count() if collection else 0

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        with chroma_errors_as_ours(partition):
            collection = self._find(partition)
            found = collection.get(where={"version": version}, include=[])["ids"] if collection else []
        return [SentenceId(i) for i in found]

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str] = ()) -> list[list[Hit]]:
        with chroma_errors_as_ours(partition):
            collection = self.client.get_collection(collection_name(partition), embedding_function=None)
            return _nearest_of(collection, queries, k, books) if books else _nearest(collection, queries, k)

    def _find(self, partition: Partition) -> Collection | None:
        try:
            return self.client.get_collection(collection_name(partition), embedding_function=None)
        except NotFoundError:
            return None


def collection_name(partition: Partition) -> str:
    """A legal name (3 to 512 of a-z, 0-9, "-") that no other partition has, e.g. "local-sentence-all-minilm-l6-v2-5f1c0a9e"."""
    parts = (partition.school, partition.granularity, partition.model)
    readable = slug("-".join(parts)).encode("ascii", "ignore").decode().strip("-")
    return f"{readable}-{fingerprint(*parts)}".lstrip("-")


@contextmanager
def chroma_errors_as_ours(partition: Partition) -> Iterator[None]:
    """What Chroma 1.5.9 really raises, as our errors. Anything else is a bug of ours and passes through unchanged."""
    try:
        yield
    except NotFoundError as error:
        raise IndexUnavailable(f"Nothing is indexed for the model {partition.model}. Add the books again.") from error
    except InvalidArgumentError as error:  # a vector of another length: there is no error class of its own for it
        raise DimensionMismatch(f"The index for {partition.model} was made with vectors of another length.") from error
    except InternalError as error:  # files of the index that do not fit together, a full disk
        raise IndexUnavailable("The vector index is not whole. Remove its folder and add the books again.") from error
    except httpx.TransportError as error:  # the client lets the transport's error through
        raise IndexUnavailable("The vector server does not answer. Start it, then try again.") from error


def _add_missing(collection: Collection, records: Sequence[Record], vectors: Vectors) -> None:
    """Ids never change their meaning, and Chroma writes known ids anew at a tenth of the speed: those are left as they are."""
    known = set(collection.get(ids=[record.id for record in records], include=[])["ids"])
    missing = [i for i, record in enumerate(records) if record.id not in known]
    if missing:
        collection.add(
            ids=[records[i].id for i in missing],
            embeddings=vectors[missing],
            metadatas=[_metadata_of(records[i]) for i in missing],
        )


def _nearest_of(collection: Collection, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
    """Look in all books first, because Chroma's filter is slow; ask again with it what this leaves short of k.

    In every day's case, all books that the partition holds being looked in, that is none."""
    wanted = set(books)
    found = [[hit for hit in hits if hit.record.version in wanted] for hits in _nearest(collection, queries, k)]
    short = [i for i, hits in enumerate(found) if len(hits) < k]
    for i, hits in zip(short, _nearest(collection, queries[short], k, {"version": {"$in": list(books)}}), strict=True):
        found[i] = hits
    return found


def _nearest(collection: Collection, queries: Vectors, k: int, where: dict[str, Any] | None = None) -> list[list[Hit]]:
    if not len(queries):
        return []
    found = collection.query(
        query_embeddings=queries, n_results=k, where=where, include=["metadatas", "distances", "embeddings"]
    )
    rows = zip(found["metadatas"] or [], found["distances"] or [], found["embeddings"] or [], strict=True)
    return [_hits(metadatas, distances, np.asarray(vectors, np.float32)) for metadatas, distances, vectors in rows]


def _hits(metadatas: Sequence[Mapping[str, Any]], distances: Sequence[float], vectors: Vectors) -> list[Hit]:
    scores = np.clip(1.0 - np.asarray(distances), -1.0, 1.0)
    rows = zip(metadatas, scores, vectors, strict=True)
    return [Hit(_record_of(metadata), float(score), vector) for metadata, score, vector in rows]


def _metadata_of(record: Record) -> dict[str, str]:
    """S1's metadata, named as there; Chroma has no null, so what is None is left out."""
    fields = asdict(record)
    return {"sentence_id": fields.pop("id")} | {name: value for name, value in fields.items() if value is not None}


def _record_of(metadata: Mapping[str, Any]) -> Record:
    fields: dict[str, Any] = {"chapter": None, "prev_sentence_id": None, "next_sentence_id": None, **metadata}
    return Record(id=fields.pop("sentence_id"), **fields)
