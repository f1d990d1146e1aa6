"""What the models of requests and answers have in common; some of them are stored as they came."""

from typing import Annotated, Any

from pydantic import BaseModel, PlainSerializer, SerializationInfo

from chapterverse.messages import ENGLISH, Message, in_words


class Request(BaseModel, extra="forbid", strict=True, frozen=True):
    """A request model: unknown fields and values of another type are refused."""


def whole(number: Any) -> Any:
    """2.0 as 2: an integer in JSON Schema, but not in pydantic's strict mode."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _written(of: Message, info: SerializationInfo) -> str:
    return in_words(of, (info.context or {}).get("language", ENGLISH))


Words = Annotated[Message, PlainSerializer(_written, return_type=str, when_used="json")]
"""A message; in JSON a sentence: in English, or in the language of `model_dump(mode="json", context={"language": "de"})`."""
