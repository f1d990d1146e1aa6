"""Two priorities for one embedding model: texts that arrive together share a batch, and online texts overtake bulk texts."""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Condition, Thread
from time import perf_counter
from typing import Protocol

import numpy as np

from chapterverse.core.errors import EmbedderUnavailable, Overloaded
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.infrastructure.embedding.windows import plan_batches

CHARACTERS_A_TOKEN = 4  # of English, by BERT's vocabulary: 4.3 in the sample book; an estimate is enough to share out work

SMOOTHING = 0.2  # weight of the last batch in the running mean of the model's speed

LONGEST_PAUSE = 300  # seconds that a caller is asked to wait at most


class Priority(StrEnum):
    """Who waits: a student, or a book."""

    ONLINE = "online"
    BULK = "bulk"


class BatchingObserver(Protocol):
    """Is told what the lanes do; called on the model's thread, and on the callers'."""

    def ran(self, lane: Priority, texts: int, tokens: int, seconds: float) -> None:
        """One batch went through the model. tokens: estimated."""

    def answered(self, lane: Priority, seconds: float) -> None:
        """One request has its vectors, so long after it came."""


class NoObserver:
    """Nobody looks."""

    def ran(self, lane: Priority, texts: int, tokens: int, seconds: float) -> None: ...

    def answered(self, lane: Priority, seconds: float) -> None: ...


@dataclass(eq=False)
class _Request:
    """Texts of one caller. left: rows without a vector."""

    texts: Sequence[str]
    queries: bool
    left: int
    answer: Future[Vectors] = field(default_factory=Future)
    vectors: Vectors | None = None

    def give(self, rows: list[int], vectors: Vectors) -> None:
        if self.vectors is None:
            self.vectors = np.empty((len(self.texts), vectors.shape[1]), np.float32)
        self.vectors[rows] = vectors
        self.left -= len(rows)
        if not self.left:
            with suppress(InvalidStateError):  # the caller has given up
                self.answer.set_result(self.vectors)

    def fail(self, error: Exception) -> None:
        with suppress(InvalidStateError):
            self.answer.set_exception(error)


@dataclass(frozen=True)
class _Piece:
    """Some texts of a request, of alike length: what goes through the model without being interrupted."""

    request: _Request
    rows: list[int]
    tokens: int

    @property
    def texts(self) -> list[str]:
        return [self.request.texts[row] for row in self.rows]


class BatchingEmbedder:
    """One embedder for many threads; `online` and `bulk` are Embedders, and every vector is the one the embedder gives.

    batch_tokens: estimated tokens that go through the model at once; a request is cut into pieces of that size, so online work
    waits for one piece of bulk work at most (of one text, where that alone is longer). max_queued_texts: texts that wait in
    one lane. seconds: how long a caller waits, by lane. Only one thread, started here, ever calls the embedder."""

    def __init__(
        self,
        embedder: Embedder,
        batch_tokens: int,
        max_queued_texts: int = 20_000,
        *,
        online_seconds: float = 30.0,
        bulk_seconds: float = 600.0,
        watch: BatchingObserver | None = None,
    ) -> None:
        self.embedder = embedder
        self.online: Embedder = _View(self, Priority.ONLINE, online_seconds)
        self.bulk: Embedder = _View(self, Priority.BULK, bulk_seconds)
        self._batch_tokens, self._max_queued, self._watch = batch_tokens, max_queued_texts, watch or NoObserver()
        self._pieces: dict[Priority, deque[_Piece]] = {lane: deque() for lane in Priority}
        self._seconds_a_token = 0.0
        self._closed = False
        self._changed = Condition()
        self._thread = Thread(target=self._run_model, name="model", daemon=True)
        self._thread.start()

    def waiting(self, lane: Priority) -> int:
        """Texts that wait for the model."""
        with self._changed:
            return _texts(self._pieces[lane])

    def embed(self, lane: Priority, texts: Sequence[str], queries: bool, seconds: float) -> Vectors:
        """As Embedder's methods. Raises Overloaded where the lane is full, EmbedderUnavailable when time is up or the lanes are
        closed, and whatever the embedder raises for these texts."""
        began = perf_counter()
        request = self._add(lane, texts, queries)
        try:
            vectors = request.answer.result(seconds)
        except (TimeoutError, CancelledError) as error:
            raise EmbedderUnavailable("embedder_no_time") from error
        finally:
            self._forget(lane, request)
        self._watch.answered(lane, perf_counter() - began)
        return vectors

    def close(self) -> None:
        """End when the model has finished its batch; who still waits is told that the embedder is unavailable."""
        with self._changed:
            self._closed = True
            for pieces in self._pieces.values():
                for piece in pieces:
                    piece.request.answer.cancel()
                pieces.clear()
            self._changed.notify()
        self._thread.join()

    def _add(self, lane: Priority, texts: Sequence[str], queries: bool) -> _Request:
        request = _Request(texts, queries, len(texts))
        pieces = list(_cut(request, self._batch_tokens))
        with self._changed:
            if self._closed:
                raise EmbedderUnavailable("embedder_stopping")
            queued = _texts(self._pieces[lane])
            if queued and queued + len(texts) > self._max_queued:  # alone, what is larger than the lane is let in
                raise Overloaded("embedder_queue_full", retry_after=self._pause(lane))
            self._pieces[lane].extend(pieces)
            self._changed.notify()
        return request

    def _forget(self, lane: Priority, request: _Request) -> None:
        """Nobody waits for it any more: what is left of it makes room."""
        request.answer.cancel()
        with self._changed:
            self._pieces[lane] = deque(piece for piece in self._pieces[lane] if piece.request is not request)

    def _pause(self, lane: Priority) -> int:
        """Seconds in which the model should be through with all that stands before a newcomer."""
        before = [self._pieces[Priority.ONLINE], *([self._pieces[Priority.BULK]] if lane is Priority.BULK else [])]
        seconds = sum(piece.tokens for pieces in before for piece in pieces) * self._seconds_a_token
        return max(1, min(LONGEST_PAUSE, math.ceil(seconds)))

    def _run_model(self) -> None:
        while batch := self._next_batch():
            self._embed(*batch)

    def _next_batch(self) -> tuple[Priority, list[_Piece]] | None:
        """Waits for work; None when closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or any(self._pieces.values()))
            if self._closed:
                return None
            lane = next(lane for lane in Priority if self._pieces[lane])  # Priority.ONLINE is the first of them
            return lane, _take(self._pieces[lane], self._batch_tokens)

    def _embed(self, lane: Priority, batch: list[_Piece]) -> None:
        try:
            self._give(lane, batch)
        except Exception as error:  # whatever it is, it belongs to those who asked
            if len(batch) == 1:
                batch[0].request.fail(error)
                return
            for piece in batch:  # one of them is to blame, and the others need not know
                self._embed(lane, [piece])

    def _give(self, lane: Priority, batch: list[_Piece]) -> None:
        texts, tokens = [text for piece in batch for text in piece.texts], sum(piece.tokens for piece in batch)
        began = perf_counter()
        embed = self.embedder.embed_queries if batch[0].request.queries else self.embedder.embed_passages
        vectors = embed(texts)
        seconds = perf_counter() - began
        self._watch.ran(lane, len(texts), tokens, seconds)
        self._seconds_a_token += SMOOTHING * (seconds / tokens - self._seconds_a_token)
        start = 0
        for piece in batch:
            piece.request.give(piece.rows, vectors[start : start + len(piece.rows)])
            start += len(piece.rows)


@dataclass(frozen=True)
class _View:
    """One lane as an Embedder."""

    lanes: BatchingEmbedder
    lane: Priority
    seconds: float

    @property
    def model(self) -> str:
        return self.lanes.embedder.model

    @property
    def dimensions(self) -> int:
        return self.lanes.embedder.dimensions

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.lanes.embed(self.lane, texts, queries=False, seconds=self.seconds)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.lanes.embed(self.lane, texts, queries=True, seconds=self.seconds)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.lanes.embedder.count_tokens(texts)  # which waits for nobody: the model is not asked


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, with the model's own two: tokenizing it here would take a tenth of the model's time."""
    return 2 + len(text) // CHARACTERS_A_TOKEN


def _cut(request: _Request, budget: int) -> Iterator[_Piece]:
    """The request in pieces of alike length, which is what the model is quick with; one piece where it has no texts."""
    lengths = [estimated_tokens(text) for text in request.texts]
    for rows in plan_batches(lengths, budget) or [[]]:
        yield _Piece(request, rows, max(1, sum(lengths[row] for row in rows)))


def _take(pieces: deque[_Piece], budget: int) -> list[_Piece]:
    """The first piece and those right behind it that go through the model with it: of the same kind, within the budget."""
    batch = [pieces.popleft()]
    room = budget - batch[0].tokens
    while pieces and pieces[0].tokens <= room and pieces[0].request.queries == batch[0].request.queries:
        room -= pieces[0].tokens
        batch.append(pieces.popleft())
    return batch


def _texts(pieces: deque[_Piece]) -> int:
    return sum(len(piece.rows) for piece in pieces)
