"""Why a language model's server refuses a request: our error for it, and in the log its own words without a student's."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from chapterverse.core.errors import BadRequest, ChapterverseError, LanguageModelUnavailable, ModelUnavailable
from chapterverse.core.ports import Prompt

log = logging.getLogger(__name__)
MAX_LOGGED = 300  # characters of a server's reason
_WORD = re.compile(r"\w+")
_CONTEXT = re.compile(r"context[ _](?:length|size|window)|too long|token count", re.IGNORECASE)
_FORM = re.compile(r"response_?(?:format|mime_?type)|schema|grammar", re.IGNORECASE)
_KEY = re.compile(r"api.?key", re.IGNORECASE)
SETTINGS = (  # fields of our requests
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "reasoning_effort",
    "stream_options",
    "thinking",
)
UNUSABLE = {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}
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
        if self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return True
        return self.status in UNUSABLE and any(map(_CONTEXT.search, (*self.codes, self.reason)))

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
        return self.status in UNUSABLE and not self.is_about_context and any(map(_FORM.search, (*self.codes, self.reason)))

    def error(self) -> ChapterverseError:
        """Our error; without the server's words."""
        return next(error for applies, error in self._causes() if applies)

    def _causes(self) -> Iterator[tuple[bool, ChapterverseError]]:
        """Errors in the order in which they are considered, each with whether it applies."""
        denied = self.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
        unpaid = self.status == HTTPStatus.PAYMENT_REQUIRED or bool(self.codes & NO_CREDIT)
        unknown = self.status == HTTPStatus.NOT_FOUND or "model_not_found" in self.codes
        busy = LanguageModelUnavailable("llm_status", status=self.status, retry_after=self.retry_after)
        too_many = LanguageModelUnavailable("llm_too_many_requests", retry_after=self.retry_after)
        yield denied, ModelUnavailable("llm_refused_key")
        yield unpaid, ModelUnavailable("llm_no_credit")
        yield unknown, ModelUnavailable("llm_unknown_model")
        yield self.status == HTTPStatus.TOO_MANY_REQUESTS, too_many
        yield self.status not in UNUSABLE, busy
        yield self.is_about_context, BadRequest("llm_context_too_small")
        yield self.setting is not None, BadRequest("llm_refused_setting", setting=self.setting)
        yield self.is_about_form, BadRequest("llm_refused_schema")
        yield bool(_KEY.search(self.reason)), ModelUnavailable("llm_refused_key")  # Google's answer to a wrong key is 400
        yield True, BadRequest("llm_refused_request")

    def write_log(self, prompt: Prompt, model: str) -> None:
        """Log the server's reason without the words that only the material has."""
        ours = set(_WORD.findall(prompt.instructions.lower()))
        theirs = set(_WORD.findall(prompt.material.lower())) - ours
        reason = _WORD.sub(lambda word: "…" if word[0].lower() in theirs else word[0], self.reason)[:MAX_LOGGED]
        about = {"model": model, "prompt": prompt.name, "status": self.status, "codes": sorted(self.codes)}
        log.warning("language model refused a request", extra=about | {"reason": reason})


def refusal_in(status: int, body: Any, retry_after: str = "") -> Refusal:
    """The refusal in a response's JSON, of OpenAI's protocol or Google's."""
    found = body.get("error", body) if isinstance(body, Mapping) else {"message": body}
    found = found if isinstance(found, Mapping) else {"message": found}
    codes = frozenset(each for name in ("code", "type", "param", "status") if isinstance(each := found.get(name), str))
    seconds = int(retry_after) if retry_after.isdecimal() else 0
    reason = next((str(found[name]) for name in ("message", "detail") if found.get(name)), "")
    return Refusal(status, reason, codes, seconds)
