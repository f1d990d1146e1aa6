"""The reader's language: texts of the pages, and messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import has_request_context, request
from pydantic import BaseModel

from chapterverse.messages import Message, filled, from_json, in_words
from chapterverse.texts import ENGLISH, LANGUAGES, catalogue

COOKIE = "language"


@dataclass(frozen=True)
class Language:
    """A language of the pages. code: BCP 47."""

    code: str

    def __call__(self, english: str, **values: object) -> str:
        """The text in this language with its {names} filled in; English if it is not translated."""
        text = catalogue(self.code).get(english, english)
        return filled(text, values, self.code) if values else text

    def decimal(self, value: float, digits: int = 2) -> str:
        """The number with so many digits after the point: "1.234,50" in German."""
        return filled(f"{{value:.{digits}f}}", {"value": value}, self.code)


def spoken() -> Language:
    """The language chosen by cookie, else the browser's best match."""
    chosen = request.cookies.get(COOKIE, "")
    return Language(chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, ENGLISH))


def readers_language() -> str:
    """Code of the language of the request; "en" outside a request, and for programs that name no language."""
    return spoken().code if has_request_context() else ENGLISH


def in_readers_words(of: Any) -> Any:
    """A message, or its JSON, as a sentence in the reader's language; any other value unchanged."""
    if isinstance(of, Message) or (isinstance(of, Mapping) and of.keys() == {"id", "values"}):
        return in_words(from_json(of), readers_language())
    return of


def as_json(model: BaseModel) -> dict[str, Any]:
    """The model's JSON values, its messages in the reader's language."""
    values: dict[str, Any] = model.model_dump(mode="json", context={"language": readers_language()})
    return values
