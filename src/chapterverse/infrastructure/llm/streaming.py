"""Streaming language models: errors by HTTP status, JSON, deadlines and retries."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import chain
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_any, stop_before_delay
from tenacity.wait import wait_random_exponential

from chapterverse.core.errors import BadAnswer, BadRequest, ChapterverseError, LanguageModelUnavailable, ModelUnavailable
from chapterverse.core.ports import AnswerPiece, LanguageModel, ModelAnswer, Prompt, Schema, Usage

REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
UNUSABLE = {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}


def answers_status(status: int, retry_after: str = "") -> ChapterverseError:
    """Error for an HTTP status, without the server's text, which may quote the essay. retry_after: header, in seconds."""
    if status in REFUSED:
        return ModelUnavailable("llm_refused_key")
    if status == HTTPStatus.NOT_FOUND:
        return ModelUnavailable("llm_unknown_model")
    if status in UNUSABLE:
        return BadRequest("llm_refused_prompt")
    seconds = int(retry_after) if retry_after.isdecimal() else 0
    return LanguageModelUnavailable("llm_status", status=status, retry_after=seconds)


ATTEMPTS = 3
PAUSES = wait_random_exponential(multiplier=0.2, max=2.0)  # seconds, if the server names none
Open = Callable[[], Iterator[AnswerPiece]]

Hear = Callable[[AnswerPiece], bool]
"""Receives a piece; returns whether more are wanted."""


class StreamedModel(ABC):
    """Base of a LanguageModel that streams; a subclass reads one answer from its server."""

    @abstractmethod
    def _open(self, prompt: Prompt, schema: Schema | None, seconds: float) -> Iterator[AnswerPiece]:
        """The complete answer to one request; no read takes longer than `seconds`.

        Raises as LanguageModel does; LanguageModelUnavailable if the answer breaks off."""

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[AnswerPiece]:
        def read() -> Iterator[AnswerPiece]:
            return patiently(lambda: self._open(prompt, schema, max(deadline - monotonic(), 0.001)), deadline)

        return until(deadline, partial(_read_aloud, read))

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        pieces = list(self.stream(prompt, deadline, schema))
        usage = sum((piece.usage for piece in pieces if piece.usage), Usage())
        return ModelAnswer(object_in("".join(piece.text for piece in pieces)), usage)


def object_in(text: str) -> dict[str, object]:
    """The text as a JSON object. Raises BadAnswer."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise BadAnswer("llm_answer_not_json") from error
    if not isinstance(value, dict):
        raise BadAnswer("llm_answer_not_an_object")
    return value


def patiently(open_: Open, deadline: float) -> Iterator[AnswerPiece]:
    """The pieces of open_(), retried until the first piece; a later retry would repeat text and cost twice."""
    retrying = Retrying(
        retry=retry_if_exception_type(LanguageModelUnavailable),
        stop=stop_any(stop_after_attempt(ATTEMPTS), stop_before_delay(deadline - monotonic())),
        wait=_pause,
        reraise=True,
    )
    first, rest = retrying(_begin, open_)
    try:
        yield from chain(first, rest)
    except LanguageModelUnavailable as error:
        raise BadAnswer("llm_broke_off") from error


def _begin(open_: Open) -> tuple[list[AnswerPiece], Iterator[AnswerPiece]]:
    pieces = open_()
    return [next(pieces, AnswerPiece(""))], pieces  # an empty answer is an answer


def _pause(state: RetryCallState) -> float:
    """Seconds before the next attempt; at least as many as the server demands."""
    return max(PAUSES(state), _retry_after(state))


def _retry_after(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return error.retry_after if isinstance(error, LanguageModelUnavailable) else 0


def until(deadline: float, tell: Callable[[Hear], None]) -> Iterator[AnswerPiece]:
    """Yield pieces until the deadline. A thread reads them, because client timeouts do not stop a slow server.

    tell: passes each piece to the function it is given, until that returns False. Raises BadAnswer at the deadline; the thread
    ends with its current piece."""
    arrived: Queue[AnswerPiece | Exception | None] = Queue()
    gone = Event()
    Thread(target=copy_context().run, args=(_tell, tell, arrived, gone), name="answer", daemon=True).start()
    try:
        while (piece := _next(arrived, deadline)) is not None:
            yield piece
    finally:
        gone.set()


def _next(arrived: "Queue[AnswerPiece | Exception | None]", deadline: float) -> AnswerPiece | None:
    try:
        piece = arrived.get(timeout=max(deadline - monotonic(), 0))
    except Empty:
        raise BadAnswer("llm_too_late") from None
    if isinstance(piece, Exception):
        raise piece
    return piece


def _tell(tell: Callable[[Hear], None], arrived: "Queue[AnswerPiece | Exception | None]", gone: Event) -> None:
    def hear(piece: AnswerPiece) -> bool:
        arrived.put(piece)
        return not gone.is_set()

    try:
        tell(hear)
    except Exception as error:  # raised in the waiting thread
        arrived.put(error)
    else:
        arrived.put(None)


def _read_aloud(read: Open, hear: Hear) -> None:
    with closing(read()) as pieces:  # type: ignore[type-var]  # generators all
        for piece in pieces:
            if not hear(piece):
                return


LONG_PAUSES = wait_random_exponential(multiplier=1, max=60)  # seconds, if the server names none


@dataclass(frozen=True)
class RetryingModel:
    """LanguageModel that retries `inner` until the deadline, at the pace that the server's 429 responses demand."""

    inner: LanguageModel

    @property
    def model(self) -> str:
        return self.inner.model

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        retrying = Retrying(
            retry=retry_if_exception_type(LanguageModelUnavailable),
            stop=stop_before_delay(max(deadline - monotonic(), 0)),
            wait=lambda state: max(LONG_PAUSES(state), _retry_after(state)),
            reraise=True,
        )
        return retrying(self.inner.generate, prompt, schema, deadline)

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[AnswerPiece]:
        return self.inner.stream(prompt, deadline, schema)
