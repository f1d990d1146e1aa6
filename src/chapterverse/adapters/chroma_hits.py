"""Hits out of several Chroma collections, and records as its metadata."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from heapq import nsmallest
from typing import Any, NamedTuple

import numpy as np
from chromadb.api.models.Collection import Collection
from chromadb.errors import NotFoundError
from numpy.typing import NDArray

from chapterverse.model import Hit, Record, Vectors

WIDTH = 500
"""Records asked for in all collections together: HNSW looks at as many as it is asked for, however few are wanted of them.
Of many collections each needs to give only its share; in one alone, fewer leave recall@10 below 0.99 (docs/index.md)."""

SAME = 0.001  # 1 - cosine of a vector with itself, after rounding; of a sentence that differs in a word it is more
READ_AT_ONCE = 10_000  # ids; embedded Chroma refuses 40,000


class Near(NamedTuple):
    """A record near a query, ordered by its distance: 1 - cosine. collection: which of those asked."""

    distance: float
    id: str
    collection: int


def nearest_of(collections: Sequence[Collection], queries: Vectors, k: int) -> list[list[Hit]]:
    """The k nearest of all the collections for each query, best first.

    Each collection is asked for distances only, which is quick; what else a hit needs is then read for the k best.
    Raises NotFoundError where a record has gone meanwhile."""
    if not len(queries) or not collections:
        return [[] for _ in queries]
    asked = max(k, WIDTH // len(collections))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        found = list(threads.map(partial(_nearest, queries=queries, k=asked), range(len(collections)), collections))
    best = [nsmallest(k, (near for its_nearest in of_query for near in its_nearest)) for of_query in zip(*found, strict=True)]
    read = [
        _read(collection, {near.id for nears in best for near in nears if near.collection == number})
        for number, collection in enumerate(collections)
    ]
    return [[_hit(near, read[near.collection]) for near in nears] for nears in best]


def held_by(collection: Collection, vectors: Vectors) -> int:
    """How many of the vectors are themselves what is nearest to them there."""
    if not len(vectors):
        return 0
    return sum(bool(its_nearest) and its_nearest[0].distance < SAME for its_nearest in _nearest(0, collection, vectors, 1))


def stored_of(collection: Collection, ids: Sequence[str]) -> list[Hit]:
    """Those of them that are there."""
    return [Hit(record, 1.0, vector) for record, vector in _stored(collection, list(ids)).values()]


def metadata_of(record: Record) -> dict[str, str]:
    """S1's metadata, named as there; Chroma has no null, so what is None is left out."""
    fields = asdict(record)
    return {"sentence_id": fields.pop("id")} | {name: value for name, value in fields.items() if value is not None}


Stored = tuple[Record, NDArray[np.float32]]


def _nearest(number: int, collection: Collection, queries: Vectors, k: int) -> list[list[Near]]:
    found = collection.query(query_embeddings=queries, n_results=k, include=["distances"])
    rows = zip(found["ids"], found["distances"] or [], strict=True)
    return [[Near(distance, id, number) for id, distance in zip(*row, strict=True)] for row in rows]


def _read(collection: Collection, ids: set[str]) -> dict[str, Stored]:
    read = _stored(collection, list(ids))
    if len(read) < len(ids):
        raise NotFoundError
    return read


def _stored(collection: Collection, wanted: list[str]) -> dict[str, Stored]:
    read: dict[str, Stored] = {}
    for start in range(0, len(wanted), READ_AT_ONCE):
        found = collection.get(ids=wanted[start : start + READ_AT_ONCE], include=["metadatas", "embeddings"])
        vectors = np.asarray(found["embeddings"], np.float32)
        rows = zip(found["ids"], found["metadatas"] or [], vectors, strict=True)
        read |= {id: (_record_of(metadata), vector) for id, metadata, vector in rows}
    return read


def _hit(near: Near, read: Mapping[str, Stored]) -> Hit:
    record, vector = read[near.id]
    return Hit(record, float(np.clip(1.0 - near.distance, -1.0, 1.0)), vector)


def _record_of(metadata: Mapping[str, Any]) -> Record:
    fields: dict[str, Any] = {"chapter": None, "prev_sentence_id": None, "next_sentence_id": None, **metadata}
    return Record(id=fields.pop("sentence_id"), **fields)
