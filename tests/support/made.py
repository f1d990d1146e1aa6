"""Facts of the model, made with only what a test cares about."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from chapterverse.accounts.keys import keep_key, new_token
from chapterverse.accounts.model import ApiKey, KeyScope
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.book import Address, BookId, Box, Chapter, Kind, Place, Sentence, SentenceId
from chapterverse.core.hits import Found, FoundBy, Hit, Query, QueryKind, Record, Vectors


@dataclass
class Clock:
    """Seconds that pass when a test says so."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def unit(*rows: list[float]) -> Vectors:
    """The rows, made as long as 1."""
    vectors = np.array(rows, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def a_query(paragraph: int = 0, text: str = "query", kind: QueryKind = QueryKind.PARAGRAPH) -> Query:
    return Query(text, kind, paragraph)


def a_record(id: str = "s", version: str = "v1") -> Record:
    return Record(SentenceId(id), BookId("book"), version, "I", "1", "p", None, None)


def a_hit(id: str, score: float, vector: list[float] | None = None) -> Hit:
    return Hit(a_record(id), score, unit(vector or [1.0, 0.0])[0])


def a_found(id: str, *found_by: tuple[int, float], vector: list[float] | None = None) -> Found:
    """found_by: (paragraph, cosine) of each query, best first; the fused score is the best cosine."""
    queries = tuple(FoundBy(a_query(paragraph), score) for paragraph, score in found_by)
    return Found(a_record(id), queries[0].score, queries, unit(vector or [1.0, 0.0])[0])


def a_sentence(
    text: str = "A sentence.",
    chapter: Chapter = Chapter(1, "II", "Of the Liberty of Thought and Discussion"),  # noqa: B008 (frozen)
    pages: tuple[str, ...] = ("35",),
) -> Sentence:
    places = tuple(Place(index, label, (Box(0, 0, 1, 1),)) for index, label in enumerate(pages))
    address = Address(BookId("on-liberty"), "v1", chapter, (), "p", 0, 0, (0, len(text)), places)
    return Sentence(SentenceId(text), text, Kind.SENTENCE, address, None, None)


def make_key(
    school: str, scope: KeyScope, note: str, keys: SqlKeys, now: datetime, *, expires: datetime | None = None
) -> tuple[ApiKey, str]:
    """A new API key, and its token."""
    fingerprint, token = new_token()
    return keep_key(fingerprint, school, scope, note, keys=keys, now=now, expires=expires), token
