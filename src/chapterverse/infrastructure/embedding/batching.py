"""Two priorities for one embedding model: waiting texts share a batch, and online texts overtake bulk texts. And a cache of
query vectors: many students ask the same questions (S5-20).

Requests of one priority take turns, a batch each, so that a long one does not delay the others. Before each batch of a school's
piece of work (core/turns.py) schools with less work go first, also where that work does not need the model now."""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Condition, Lock, Thread
from time import perf_counter
from typing import Protocol

import numpy as np
from cachetools import TTLCache
from numpy.typing import NDArray

from chapterverse.core.errors import EmbedderUnavailable, Overloaded
from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint
from chapterverse.core.ports import Embedder
from chapterverse.core.turns import RequestTurn, at_work, turn_here
from chapterverse.infrastructure.embedding.local import plan_batches

CHARACTERS_A_TOKEN = 4  # of English, by BERT's vocabulary: 4.3 in the sample book; an estimate is enough to share out work
SMOOTHING = 0.2  # weight of the last batch in the running mean of the model's speed
MAX_PAUSE = 300  # seconds in Retry-After
SHORT_TOKENS = 8_192  # of an online request that overtakes bulk work, more than an essay has; others take turns with it
LOOK_SECONDS = 0.02  # between two looks whether work that lets others go first may go on


class Priority(StrEnum):
    """Online: a person waits. Bulk: books and batches."""

    ONLINE = "online"
    BULK = "bulk"


class BatchingObserver(Protocol):
    """Receives measurements, on the model's thread and on the callers' threads."""

    def batch_done(self, priority: Priority, texts: int, tokens: int, seconds: float) -> None:
        """A batch was embedded. tokens: estimated."""

    def request_done(self, priority: Priority, seconds: float) -> None:
        """A request got its vectors. seconds: since it arrived."""


@dataclass(eq=False)
class _Request:
    """Texts of one call. left: number of rows without a vector; pieces: those that wait; tokens: of those taken; turn: of its
    school at the processor."""

    priority: Priority
    texts: Sequence[str]
    queries: bool
    left: int
    pieces: deque["_Piece"] = field(default_factory=deque)
    tokens: int = 0
    turn: RequestTurn | None = field(default_factory=turn_here)
    answer: Future[Vectors] = field(default_factory=Future)
    vectors: Vectors | None = None

    @property
    def waiting(self) -> int:
        return sum(len(piece.rows) for piece in self.pieces)

    def result(self, seconds: float) -> Vectors:
        """Its vectors. Raises TimeoutError after so many seconds, in which it did not let others go first."""
        up = at_work() + seconds
        while True:
            try:
                return self.answer.result(max(up - at_work(), 0))
            except TimeoutError:
                if at_work() >= up:
                    raise

    def give(self, rows: list[int], vectors: Vectors) -> None:
        if self.vectors is None:
            self.vectors = np.empty((len(self.texts), vectors.shape[1]), np.float32)
        self.vectors[rows] = vectors
        self.left -= len(rows)
        if not self.left:
            with suppress(InvalidStateError):  # the caller has given up
                self.answer.set_result(self.vectors)


@dataclass(frozen=True)
class _Piece:
    """Some texts of a request, of similar length; embedded without interruption."""

    request: _Request
    rows: list[int]
    tokens: int

    @property
    def texts(self) -> list[str]:
        return [self.request.texts[row] for row in self.rows]


class BatchingEmbedder:
    """An embedder shared by many threads, with two priorities; `online` and `bulk` are Embedders that return its vectors.

    batch_tokens: estimated tokens of one run of the model. Requests are cut into pieces of that size, so online work waits for
    one bulk piece at most. max_queued_texts: waiting texts per priority. online_seconds, bulk_seconds: how long a caller waits.
    Only one thread, started here, calls the embedder."""

    def __init__(
        self,
        embedder: Embedder,
        batch_tokens: int,
        max_queued_texts: int = 20_000,
        *,
        online_seconds: float = 30.0,
        bulk_seconds: float = 600.0,
        short_tokens: int = SHORT_TOKENS,
        observer: BatchingObserver | None = None,
    ) -> None:
        self.embedder = embedder
        self.online: Embedder = _PriorityView(self, Priority.ONLINE, online_seconds)
        self.bulk: Embedder = _PriorityView(self, Priority.BULK, bulk_seconds)
        self._batch_tokens, self._max_queued, self._observer = batch_tokens, max_queued_texts, observer
        self._short_tokens = short_tokens
        self._waiting: deque[_Request] = deque()  # those with pieces, in the order of their turns
        self._seconds_a_token = 0.0
        self._changed = Condition()
        Thread(target=self._run_model, name="model", daemon=True).start()

    def waiting(self, priority: Priority) -> int:
        """Number of texts of this priority that wait for the model."""
        with self._changed:
            return self._texts(priority)

    def embed(self, priority: Priority, texts: Sequence[str], queries: bool, seconds: float) -> Vectors:
        """Vectors as Embedder gives them. Raises Overloaded if too many texts wait, EmbedderUnavailable if too late, and
        every error that the embedder raises for these texts."""
        began = perf_counter()
        request = self._add(priority, texts, queries)
        try:
            vectors = request.result(seconds)
        except TimeoutError as error:
            raise EmbedderUnavailable("embedder_no_time") from error
        finally:
            request.answer.cancel()
            with self._changed, suppress(ValueError):
                self._waiting.remove(request)  # only one whose caller no longer waits is still there
                if request.turn:
                    request.turn.gives_up()
        if self._observer:
            self._observer.request_done(priority, perf_counter() - began)
        return vectors

    def _add(self, priority: Priority, texts: Sequence[str], queries: bool) -> _Request:
        request = _Request(priority, texts, queries, len(texts))
        request.pieces.extend(_cut(request, self._batch_tokens))
        with self._changed:
            queued = self._texts(priority)
            if queued and queued + len(texts) > self._max_queued:  # a larger request is accepted if nothing waits
                raise Overloaded("embedder_queue_full", retry_after=self._pause(priority))
            self._waiting.append(request)
            self._changed.notify()
        return request

    def _texts(self, priority: Priority) -> int:
        return sum(request.waiting for request in self._waiting if request.priority is priority)

    def _pause(self, priority: Priority) -> int:
        """Estimated seconds until the model has worked off what is ahead of a new request."""
        before = [each for each in self._waiting if each.priority in (Priority.ONLINE, priority)]
        seconds = sum(piece.tokens for request in before for piece in request.pieces) * self._seconds_a_token
        return max(1, min(MAX_PAUSE, math.ceil(seconds)))

    def _run_model(self) -> None:
        while True:  # nothing is held of a request while the next one is waited for
            self._embed(*self._next_batch())

    def _next_batch(self) -> tuple[Priority, list[_Piece]]:
        with self._changed:
            while not (ready := [each for each in self._waiting if each.turn is None or each.turn.goes_on()]):
                self._changed.wait(LOOK_SECONDS if self._waiting else None)
            first = next(filter(self._is_short, ready), ready[0])
            return first.priority, self._take(first, ready)

    def _is_short(self, request: _Request) -> bool:
        """Whether the request overtakes others."""
        return request.priority is Priority.ONLINE and request.tokens < self._short_tokens

    def _take(self, first: _Request, ready: Sequence[_Request]) -> list[_Piece]:
        """Take the next piece of the request, and with it the next ones of ready requests like it that fit into its batch;
        requests that have more wait for their next turn."""
        is_short, room, batch = self._is_short(first), self._batch_tokens, list[_Piece]()
        alike = [each for each in ready if each.queries == first.queries and self._is_short(each) == is_short]
        for request in alike[alike.index(first) :]:
            while request.pieces and (not batch or request.pieces[0].tokens <= room):
                batch.append(piece := request.pieces.popleft())
                request.tokens += piece.tokens
                room -= piece.tokens
            if batch[-1].request is request:
                self._waiting.remove(request)
                if request.pieces:
                    self._waiting.append(request)
        return batch

    def _embed(self, priority: Priority, batch: list[_Piece]) -> None:
        try:
            self._give(priority, batch)
        except Exception as error:  # goes to the caller of the text that caused it
            if len(batch) == 1:
                with suppress(InvalidStateError):
                    batch[0].request.answer.set_exception(error)
                return
            for piece in batch:  # one by one, so that only the caller of the bad text gets the error
                self._embed(priority, [piece])

    def _give(self, priority: Priority, batch: list[_Piece]) -> None:
        texts, tokens = [text for piece in batch for text in piece.texts], sum(piece.tokens for piece in batch)
        began = perf_counter()
        embed = self.embedder.embed_queries if batch[0].request.queries else self.embedder.embed_passages
        vectors = embed(texts)
        seconds = perf_counter() - began
        if self._observer:
            self._observer.batch_done(priority, len(texts), tokens, seconds)
        self._seconds_a_token += SMOOTHING * (seconds / tokens - self._seconds_a_token)
        start = 0
        for piece in batch:
            piece.request.give(piece.rows, vectors[start : start + len(piece.rows)])
            start += len(piece.rows)


@dataclass(frozen=True)
class _PriorityView:
    """A BatchingEmbedder at one priority, as an Embedder."""

    batching: BatchingEmbedder
    priority: Priority
    seconds: float

    @property
    def model(self) -> str:
        return self.batching.embedder.model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.batching.embed(self.priority, texts, queries=False, seconds=self.seconds)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.batching.embed(self.priority, texts, queries=True, seconds=self.seconds)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.batching.embedder.count_tokens(texts)  # needs no run of the model


def _cut(request: _Request, budget: int) -> Iterator[_Piece]:
    """The request in pieces of similar length, which need little padding; one piece if it has no texts. Tokens are
    estimated, with the model's two special ones: tokenizing would take a tenth of the model's time."""
    lengths = [2 + len(text) // CHARACTERS_A_TOKEN for text in request.texts]
    for rows in plan_batches(lengths, budget) or [[]]:
        yield _Piece(request, rows, max(1, sum(lengths[row] for row in rows)))


MAX_QUERIES = 10_000  # 15 MB with MiniLM. Keys are digests, so no student's words are stored


class RememberedQueries:
    """An embedder over another one; query vectors stay in memory for so many seconds."""

    def __init__(self, embedder: Embedder, seconds: float = 300.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.embedder, self._lock = embedder, Lock()
        self._cache: TTLCache[str, NDArray[np.float32]] = TTLCache(MAX_QUERIES, seconds, timer=clock)

    @property
    def model(self) -> str:
        return self.embedder.model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_passages(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.embedder.count_tokens(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        keys = [fingerprint(text, digits=32) for text in texts]
        with self._lock:
            known = {key: vector for key in keys if (vector := self._cache.get(key)) is not None}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            vectors = self.embedder.embed_queries(list(new.values()))
            known.update(zip(new, vectors, strict=True))
            with self._lock:
                self._cache.update((key, known[key]) for key in new)
        return np.stack([known[key] for key in keys]) if keys else self.embedder.embed_queries([])
