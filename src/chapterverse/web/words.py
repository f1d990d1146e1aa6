"""Answers in the language of the reader who asks."""

from collections.abc import Mapping
from typing import Any

from flask import has_request_context
from pydantic import BaseModel

from chapterverse.messages import ENGLISH, Message, from_json, in_words
from chapterverse.web.language import spoken


def readers_language() -> str:
    """Code of the language of the request, "en" outside a request: programs that name no language read English."""
    return spoken().code if has_request_context() else ENGLISH


def in_readers_words(of: Any) -> Any:
    """A message, or one as JSON, as a sentence; anything else unchanged."""
    if isinstance(of, Message) or (isinstance(of, Mapping) and of.keys() == {"id", "values"}):
        return in_words(from_json(of), readers_language())
    return of


def as_json(model: BaseModel) -> dict[str, Any]:
    """The model's JSON values, its messages in the reader's language."""
    values: dict[str, Any] = model.model_dump(mode="json", context={"language": readers_language()})
    return values
