"""Streaming language models: ways to ask, JSON, deadlines and retries."""

import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from json import JSONDecoder
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import Generic, Protocol, Self, TypeVar

from pydantic_core import from_json
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_any, stop_before_delay
from tenacity.wait import wait_random_exponential

from chapterverse.core.errors import BadAnswer, LanguageModelUnavailable
from chapterverse.core.ports import AnswerPiece, LanguageModel, ModelAnswer, Prompt, Schema, Usage
from chapterverse.infrastructure.llm.forms import fitting
from chapterverse.infrastructure.llm.refusals import Refusal

log = logging.getLogger(__name__)
ATTEMPTS = 3
PAUSES = wait_random_exponential(multiplier=0.2, max=2.0)  # seconds, if the server names none
Open = Callable[[], Iterator[AnswerPiece]]

Hear = Callable[[AnswerPiece], bool]
"""Receives a piece; returns whether more are wanted."""


class Way(Protocol):
    """How a server wants to be asked."""

    def after(self, refusal: Refusal) -> Self | None:
        """Another way that the refusal leaves; None if there is none."""

    def spelling(self) -> Self:
        """The same, with the schema in the prompt."""


AnyWay = TypeVar("AnyWay", bound=Way)


@dataclass
class Learned(Generic[AnyWay]):
    """The way that a server has taken last; shared by all calls."""

    way: AnyWay


class StreamedModel(ABC, Generic[AnyWay]):
    """Base of a LanguageModel that streams; a subclass reads one answer from its server."""

    model: str
    learned: Learned[AnyWay]

    @abstractmethod
    def _ask(self, way: AnyWay, prompt: Prompt, schema: Schema, seconds: float) -> Iterator[AnswerPiece]:
        """The answer to one request; no read takes longer than `seconds`.

        Raises Refusal, and as LanguageModel does; LanguageModelUnavailable if the answer breaks off."""

    def _open(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        """The answer, asked for in the way that the server takes."""
        way: AnyWay | None = self.learned.way
        while way:
            try:
                yield from self._ask(way, prompt, schema, max(deadline - monotonic(), 0.001))
                return
            except Refusal as refusal:
                refusal.write_log(prompt, self.model)
                if not (way := way.after(refusal)):
                    raise refusal.error() from None
                self.learned.way = way

    def _pieces(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        def read() -> Iterator[AnswerPiece]:
            return patiently(lambda: self._open(prompt, schema, deadline), deadline)

        return until(deadline, partial(_read_aloud, read))

    def stream(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        for piece in bare(self._pieces(prompt, schema, deadline)):
            yield piece
            if piece.cut:
                raise BadAnswer("llm_answer_too_long")

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        began = monotonic()
        text, usage, ended = self._collect(prompt, schema, deadline)
        try:
            return _answer(text, usage, ended, schema)
        except BadAnswer as error:
            if error.id not in NOT_JSON or deadline - monotonic() < monotonic() - began:
                raise
        self.learned.way = self.learned.way.spelling()
        text, more, ended = self._collect(prompt, schema, deadline)
        return _answer(text, usage + more, ended, schema)

    def _collect(self, prompt: Prompt, schema: Schema, deadline: float) -> tuple[str, Usage, BadAnswer | None]:
        """What arrives of the answer, and why it ends early, None if it does not."""
        texts, usage, ended = list[str](), Usage(), None
        try:
            for piece in bare(self._pieces(prompt, schema, deadline)):
                texts.append(piece.text)
                usage += piece.usage or Usage()
                ended = BadAnswer("llm_answer_too_long") if piece.cut else ended
        except BadAnswer as error:
            ended = error
        text = "".join(texts)
        return text, usage, BadAnswer("llm_only_thought") if ended and usage.answer_tokens and not text else ended


def _answer(text: str, usage: Usage, ended: BadAnswer | None, schema: Schema) -> ModelAnswer:
    """The answer; of one that ends early, its complete items. Raises BadAnswer."""
    if ended is None:
        value, left_out = fitting(object_in(text), schema)
    elif (beginning := _beginning(text, schema)) is None:
        raise ended
    else:
        value, left_out = beginning
    if ended or left_out:
        log.warning("language model's answer used in part", extra={"left_out": left_out, "ended": ended.id if ended else ""})
    return ModelAnswer(value, usage, ended.id if ended else "")


NOT_JSON = {"llm_answer_not_json", "llm_answer_not_an_object"}


def object_in(text: str) -> dict[str, object]:
    """The text as a JSON object. Raises BadAnswer."""
    try:
        value = json.loads(text)
    except ValueError:
        try:
            value, _ = JSONDecoder().raw_decode(text[text.find("{") :])  # a model may say something before and after it
        except ValueError as error:
            raise BadAnswer("llm_answer_not_json") from error
    if not isinstance(value, dict):
        raise BadAnswer("llm_answer_not_an_object")
    return value


def _beginning(text: str, schema: Schema) -> tuple[dict[str, object], int] | None:
    """The complete items of an answer that ends early; None if there are none."""
    try:
        value = from_json(text, allow_partial=True)
        fitted, left_out = fitting(value, schema, cut=True)
    except (ValueError, BadAnswer):
        return None
    return (fitted, left_out) if any(isinstance(each, list) and each for each in fitted.values()) else None


THOUGHTS, END_OF_THOUGHTS, FENCE = "<think>", "</think>", "```"


def bare(pieces: Iterator[AnswerPiece]) -> Iterator[AnswerPiece]:
    """The pieces without thoughts and the fence of a code block before the answer."""
    head: str | None = ""
    for piece in pieces:
        if head is None:
            yield piece
            continue
        head += piece.text
        if (answer := _after_thoughts(head)) is None and not (piece.usage or piece.cut):
            continue
        yield replace(piece, text=answer or "")
        head = None if answer else head


def _after_thoughts(text: str) -> str | None:
    """What follows thoughts and fence; None while these go on, or might begin."""
    text = text.lstrip()
    if text.startswith(THOUGHTS):
        _, ended, text = text.partition(END_OF_THOUGHTS)
        text = text.lstrip()
        if not ended:
            return None
    if text.startswith(FENCE):
        _, ended, text = text.partition("\n")
        return text if ended else None
    return None if not text or THOUGHTS.startswith(text[: len(THOUGHTS)]) or FENCE.startswith(text) else text


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

    def stream(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        return self.inner.stream(prompt, schema, deadline)
