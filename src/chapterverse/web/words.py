"""Messages in the language of the reader who asks."""

from collections.abc import Mapping
from typing import Annotated, Any

from flask import has_request_context
from pydantic import BeforeValidator

from chapterverse.messages import Message, from_json, in_words
from chapterverse.web.language import spoken


def in_readers_words(of: Any) -> Any:
    """A message, or one as JSON, as a sentence; anything else stays. Programs that name no language read English."""
    if isinstance(of, Message) or (isinstance(of, Mapping) and of.keys() == {"id", "values"}):
        return in_words(from_json(of), spoken().code) if has_request_context() else str(from_json(of))
    return of


Words = Annotated[str, BeforeValidator(in_readers_words)]

"""A field of an answer that a message fills."""
