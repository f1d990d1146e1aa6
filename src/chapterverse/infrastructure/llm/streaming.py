"""What all language models share: schemas as servers take them and the parts of an answer that fit, why a server refuses,
deadlines and retries."""

import json
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass, replace
from http import HTTPStatus
from json import JSONDecoder
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import Any, Generic, Protocol, Self, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from pydantic_core import from_json
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_any, stop_before_delay
from tenacity.wait import wait_random_exponential

from chapterverse.core.errors import BadAnswer, BadRequest, ChapterverseError, LanguageModelUnavailable, ModelUnavailable
from chapterverse.core.ports import AnswerPiece, ModelAnswer, Prompt, Schema, Usage

NOT_SENT = {"title", "default", "$defs", "discriminator", "examples"}
TEXT_LIMITS = {"maxLength", "minLength", "pattern", "format"}
COUNTS = {"maxLength": "At most {} characters.", "minLength": "At least {} characters."}


def inlined(schema: Schema, *, strict: bool = True) -> dict[str, Any]:
    """The schema without references, titles and defaults, with every field required and no others allowed: what OpenAI's strict
    mode and Gemini's JSON schemas have in common. Limits of lengths and counts stay. strict: False leaves the fields' rules."""
    defined: Mapping[str, Any] = schema.get("$defs", {})

    def whole(value: Any) -> Any:
        if isinstance(value, list):
            return [whole(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        if "$ref" in value:
            value = {**defined[value["$ref"].rpartition("/")[2]], **{name: it for name, it in value.items() if name != "$ref"}}
        sent = {name: it for name, it in value.items() if name not in NOT_SENT}
        made = {"anyOf" if name == "oneOf" else name: inside(name, it) for name, it in sent.items() if name != "const"}
        made |= {"enum": [value["const"]]} if "const" in value else {}
        if strict and "properties" in made:
            made |= {"required": list(made["properties"]), "additionalProperties": False}
        return made

    def inside(name: str, value: Any) -> Any:
        return {each: whole(one) for each, one in value.items()} if name == "properties" else whole(value)

    made: dict[str, Any] = whole(schema)
    return made


def without_text_limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with limits on texts in words, in the description: some servers take no such keyword."""

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        words = [text.format(value[name]) for name, text in COUNTS.items() if isinstance(value.get(name), int)]
        made = {name: plain(each) for name, each in value.items() if name not in TEXT_LIMITS or isinstance(each, Mapping)}
        return made | ({"description": " ".join(filter(None, [made.get("description"), *words]))} if words else {})

    made: dict[str, Any] = plain(schema)
    return made


class _Misfit(Exception):
    """A value is not of its schema. args: the path to it."""


def fitting(value: Any, schema: Schema, *, cut: bool = False) -> tuple[dict[str, Any], int]:
    """What of the answer is of its schema, and how many items of its lists are left out: those that are not, and repeated ones.
    cut: the answer ends early; lists that are missing are empty then. Raises BadAnswer where the rest is no answer, with the
    fields' names and without their content."""
    left_out = 0

    def fit(value: Any, schema: Mapping[str, Any], path: str) -> Any:
        if value not in schema.get("enum", [value]) or not _is_of_type(value, schema.get("type", "")):
            raise _Misfit(path)
        if "properties" in schema:
            return dict(fit_fields(value, schema, path))
        if isinstance(value, list):
            return fit_list(value, schema, path)
        if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            raise _Misfit(path)
        return value

    def fit_list(value: list[Any], schema: Mapping[str, Any], path: str) -> list[Any]:
        nonlocal left_out
        accepted: list[Any] = []
        for each in value:
            try:
                item = fit(each, schema.get("items", {}), f"{path}[]")
            except _Misfit:
                continue
            if item not in accepted:
                accepted.append(item)
        accepted = accepted[: schema.get("maxItems")]
        left_out += len(value) - len(accepted)
        if len(accepted) < schema.get("minItems", 0) or (value and not accepted):
            raise _Misfit(path)
        return accepted

    def fit_fields(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
        for name, one in schema["properties"].items():
            if name in value:
                yield name, fit(value[name], one, f"{path}.{name}")
            elif cut and one.get("type") == "array":
                yield name, []
            elif name in schema.get("required", ()):
                raise _Misfit(f"{path}.{name}")

    try:
        fitted: dict[str, Any] = fit(value, inlined(schema, strict=False), "")
    except _Misfit as misfit:
        raise BadAnswer("llm_answer_not_schema", problem=str(misfit).lstrip(".")) from None
    return fitted, left_out


TYPES: Mapping[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}


def _is_of_type(value: Any, name: str) -> bool:
    """True also for a type that none of our forms has by itself: whoever asked looks at the whole answer again."""
    return isinstance(value, TYPES.get(name, object)) and not (name == "integer" and isinstance(value, bool))


log = logging.getLogger(__name__)
MAX_LOGGED = 300  # characters of a server's reason
_WORD = re.compile(r"\w+")
_CONTEXT = re.compile(r"context[ _](?:length|size|window)|too long|token count", re.IGNORECASE)
_FORM = re.compile(r"response_?(?:format|mime_?type)|schema|grammar", re.IGNORECASE)
_KEY = re.compile(r"api.?key", re.IGNORECASE)
# Fields of our requests.
SETTINGS = ("max_tokens", "max_completion_tokens", "temperature", "reasoning_effort", "stream_options", "thinking")
UNUSABLE, TOO_LARGE = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}, HTTPStatus.REQUEST_ENTITY_TOO_LARGE
OF_FORM = {*UNUSABLE, HTTPStatus.INTERNAL_SERVER_ERROR}  # llama-cpp-python's server answers 500
DENIED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
NO_CREDIT = {"insufficient_quota", "billing_hard_limit_reached"}


@dataclass(eq=False)
class Refusal(Exception):
    """A server's error. reason: its own words, which may quote the essay; codes: its names for the error, e.g.
    "context_length_exceeded"; retry_after: seconds."""

    status: int
    reason: str = ""
    codes: frozenset[str] = frozenset()
    retry_after: int = 0

    @property
    def is_about_context(self) -> bool:
        """Whether prompt and answer are longer than the model's context."""
        return self.status in {*UNUSABLE, TOO_LARGE} and any(map(_CONTEXT.search, (*self.codes, self.reason)))

    @property
    def setting(self) -> str | None:
        """The field of our request that the server refuses, e.g. "temperature"."""
        if self.status not in UNUSABLE or self.is_about_context:
            return None
        return next(
            (each for each in SETTINGS if each in self.codes or re.search(rf"\b{each}", self.reason, re.IGNORECASE)), None
        )

    @property
    def is_about_form(self) -> bool:
        """Whether the server refuses the JSON schema, or any."""
        return self.status in OF_FORM and not self.is_about_context and any(map(_FORM.search, (*self.codes, self.reason)))

    def error(self) -> ChapterverseError:
        """Our error; without the server's words."""
        unpaid = self.status == HTTPStatus.PAYMENT_REQUIRED or bool(self.codes & NO_CREDIT)
        unknown = self.status in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED} or "model_not_found" in self.codes
        too_many = LanguageModelUnavailable("llm_too_many_requests", retry_after=self.retry_after)
        busy = LanguageModelUnavailable("llm_status", status=self.status, retry_after=self.retry_after)
        causes = (  # in the order in which they are considered
            (self.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED, ModelUnavailable("llm_behind_proxy")),
            (self.status in DENIED, ModelUnavailable("llm_refused_key")),
            (unpaid, ModelUnavailable("llm_no_credit")),
            (unknown, ModelUnavailable("llm_unknown_model")),
            (self.status == HTTPStatus.TOO_MANY_REQUESTS, too_many),
            (self.is_about_context, BadRequest("llm_context_too_small")),
            (self.status == TOO_LARGE, BadRequest("llm_request_too_large")),
            (self.setting is not None, BadRequest("llm_refused_setting", setting=self.setting)),
            (self.is_about_form, BadRequest("llm_refused_schema")),
            (self.status not in UNUSABLE, busy),
            (_KEY.search(self.reason), ModelUnavailable("llm_refused_key")),  # Google's answer to a wrong key is 400
        )
        return next((error for applies, error in causes if applies), BadRequest("llm_refused_request"))

    def logged(self, prompt: Prompt, model: str) -> ChapterverseError:
        """Our error. Its note, which the log has, too, is the server's reason without the words that only the material has, or
        its codes where it gives none or may repeat the key."""
        ours = set(_WORD.findall(prompt.instructions.lower()))
        theirs = set(_WORD.findall(prompt.material.lower())) - ours
        told = "" if self.status in DENIED else self.reason
        told = _WORD.sub(lambda word: "…" if word[0].lower() in theirs else word[0], told)[:MAX_LOGGED]
        error, codes = self.error(), sorted(self.codes)
        error.add_note(told or ", ".join(codes))
        about = {"model": model, "prompt": prompt.name, "status": self.status, "codes": codes, "reason": told}
        log.warning("language model refused a request", extra=about)
        return error


def refusal_in(status: int, body: Any, retry_after: str = "") -> Refusal:
    """The refusal in a response's JSON, of OpenAI's protocol or Google's."""
    is_page = isinstance(body, str) and body.lstrip().startswith("<")
    found = body.get("error", body) if isinstance(body, Mapping) else {} if is_page else {"message": body}
    found = found if isinstance(found, Mapping) else {"message": found}
    codes = frozenset(each for name in ("code", "type", "param", "status") if isinstance(each := found.get(name), str))
    seconds = int(retry_after) if retry_after.isdecimal() else 0
    reason = next((str(found[name]) for name in ("message", "detail") if found.get(name)), "")
    return Refusal(status, reason, codes, seconds)


def has_proxy(url: str) -> bool:
    """Whether the environment names a proxy for the address."""
    parts = urlsplit(url)
    return not getproxies().keys().isdisjoint({parts.scheme, "all"}) and not proxy_bypass(parts.netloc)


def disconnected(error: BaseException | None, url: str) -> ChapterverseError:
    """Our error for one of httpx or httpx2, whose classes have the same names."""
    kind = type(error).__name__
    if "[SSL" in str(error):
        return ModelUnavailable("llm_no_secure_connection")
    if kind == "DecodingError":
        return BadAnswer("llm_answer_damaged")
    if kind == "ProxyError":
        return ModelUnavailable("llm_behind_proxy")
    away = "llm_behind_proxy" if has_proxy(url) else "llm_away"
    return LanguageModelUnavailable(away if kind == "ConnectError" else "llm_broke_off", retry_after=0)


ATTEMPTS = 3
PAUSES = wait_random_exponential(multiplier=0.2, max=2.0)  # seconds, if the server names none
LONG_PAUSES = wait_random_exponential(multiplier=1, max=60)
Pieces = Generator[AnswerPiece, None, None]
Open = Callable[[], Iterator[AnswerPiece]]


class Way(Protocol):
    """How a server wants to be asked."""

    def after(self, refusal: Refusal) -> Self | None:
        """Another way that the refusal leaves; None if there is none."""

    def spelling(self) -> Self:
        """The same, with the schema in the prompt."""


AnyWay = TypeVar("AnyWay", bound=Way)


class StreamedModel(ABC, Generic[AnyWay]):
    """Base of a LanguageModel that streams; a subclass reads one answer from its server. way: that it has taken last.
    until_deadline: whether a server that is away is asked again until the deadline."""

    model: str
    way: AnyWay
    until_deadline: bool = False

    @abstractmethod
    def _ask(self, way: AnyWay, prompt: Prompt, schema: Schema, seconds: float) -> Iterator[AnswerPiece]:
        """The answer to one request; no read takes longer than `seconds`.

        Raises Refusal, and as LanguageModel does; LanguageModelUnavailable if the answer breaks off."""

    def _open(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        """The answer, asked for in the way that the server takes."""
        way: AnyWay | None = self.way
        while way:
            try:
                yield from self._ask(way, prompt, schema, max(deadline - monotonic(), 0.001))
                return
            except Refusal as refusal:
                error = refusal.logged(prompt, self.model)
                if not (way := way.after(refusal)):
                    raise error from None
                self.way = way

    def _pieces(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        opened = patiently(lambda: self._open(prompt, schema, deadline), deadline, until_deadline=self.until_deadline)
        return bare(until(deadline, opened))

    def stream(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        for piece in self._pieces(prompt, schema, deadline):
            yield piece
            if piece.cut:
                raise BadAnswer("llm_answer_too_long")

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        began = monotonic()
        text, usage, ended = self._collect(prompt, schema, deadline)
        try:
            return _answer(text, usage, ended, schema)
        except BadAnswer as error:
            too_late = not self.until_deadline and deadline - monotonic() < monotonic() - began
            if error.id not in NOT_JSON or too_late:
                raise
        self.way = self.way.spelling()
        text, more, ended = self._collect(prompt, schema, deadline)
        return _answer(text, usage + more, ended, schema)

    def _collect(self, prompt: Prompt, schema: Schema, deadline: float) -> tuple[str, Usage, BadAnswer | None]:
        """What arrives of the answer, and why it ends early, None if it does not."""
        texts, usage, ended = list[str](), Usage(), None
        try:
            for piece in self._pieces(prompt, schema, deadline):
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
    else:
        try:
            value, left_out = fitting(from_json(text, allow_partial=True), schema, cut=True)
        except (ValueError, BadAnswer):
            value, left_out = {}, 0
        if not any(isinstance(each, list) and each for each in value.values()):
            raise ended
    if ended or left_out:
        log.warning("language model's answer used in part", extra={"left_out": left_out, "ended": ended.id if ended else ""})
    return ModelAnswer(value, usage, ended.id if ended else "")


NOT_JSON = {"llm_answer_empty", "llm_answer_not_json", "llm_answer_not_an_object"}


def object_in(text: str) -> dict[str, object]:
    """The text as a JSON object. Raises BadAnswer."""
    if not text.strip():
        raise BadAnswer("llm_answer_empty")
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


def patiently(open_: Open, deadline: float, *, until_deadline: bool = False) -> Pieces:
    """The pieces of open_(), retried until the first piece, at the pace that the server demands; a later retry would repeat
    text and cost twice. until_deadline: however often it takes."""
    pauses, in_time = LONG_PAUSES if until_deadline else PAUSES, stop_before_delay(deadline - monotonic())
    retrying = Retrying(
        retry=retry_if_exception_type(LanguageModelUnavailable),
        stop=in_time if until_deadline else stop_any(stop_after_attempt(ATTEMPTS), in_time),
        wait=lambda state: max(pauses(state), _retry_after(state)),
        reraise=True,
    )

    def begin() -> tuple[AnswerPiece, Iterator[AnswerPiece]]:
        pieces = open_()
        return next(pieces, AnswerPiece("")), pieces  # an empty answer is an answer

    first, rest = retrying(begin)
    try:
        yield first
        yield from rest
    except LanguageModelUnavailable as error:
        raise BadAnswer(error.message) from error


def _retry_after(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return error.retry_after if isinstance(error, LanguageModelUnavailable) else 0


def until(deadline: float, pieces: Pieces) -> Iterator[AnswerPiece]:
    """The pieces until the deadline. A thread reads them, because client timeouts do not stop a slow server; it ends with its
    current piece. Raises BadAnswer at the deadline."""
    arrived: Queue[AnswerPiece | Exception | None] = Queue()
    gone = Event()

    def read() -> None:
        try:
            with closing(pieces):
                for piece in pieces:
                    arrived.put(piece)
                    if gone.is_set():
                        return
        except Exception as error:  # raised in the waiting thread
            arrived.put(error)
        else:
            arrived.put(None)

    Thread(target=copy_context().run, args=(read,), name="answer", daemon=True).start()
    try:
        while piece := arrived.get(timeout=max(deadline - monotonic(), 0)):
            if isinstance(piece, Exception):
                raise piece
            yield piece
    except Empty:
        raise BadAnswer("llm_too_late") from None
    finally:
        gone.set()
