"""A field of pydantic models that all components share: messages in words."""

from typing import Annotated

from pydantic import PlainSerializer, SerializationInfo

from chapterverse.messages import ENGLISH, Message, in_words


def _written(of: Message, info: SerializationInfo) -> str:
    return in_words(of, (info.context or {}).get("language", ENGLISH))


Words = Annotated[Message, PlainSerializer(_written, return_type=str, when_used="json")]
"""In JSON a sentence: in English, or in the language of `model_dump(mode="json", context={"language": "de"})`."""
