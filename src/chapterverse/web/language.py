"""The reader's language: texts of the pages, and messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from flask import has_request_context, request
from pydantic import BeforeValidator

from chapterverse.messages import Message, from_json, in_words
from chapterverse.texts import ENGLISH, LANGUAGES, catalogue

COOKIE = "language"


@dataclass(frozen=True)
class Language:
    """A language of the pages. code: BCP 47."""

    code: str

    def __call__(self, english: str, **values: object) -> str:
        """The text in this language with its {names} filled in; English if it is not translated."""
        text = catalogue(self.code).get(english, english)
        return text.format(**values) if values else text


@cache
def language(code: str) -> Language:
    """The language with this code of LANGUAGES."""
    return Language(code)


def spoken() -> Language:
    """The language chosen by cookie, else the browser's best match."""
    chosen = request.cookies.get(COOKIE, "")
    return language(chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, ENGLISH))


def in_readers_words(of: Any) -> Any:
    """A message, or its JSON, as a sentence in the reader's language, English by default; any other value unchanged."""
    if isinstance(of, Message) or (isinstance(of, Mapping) and of.keys() == {"id", "values"}):
        return in_words(from_json(of), spoken().code) if has_request_context() else str(from_json(of))
    return of


Words = Annotated[str, BeforeValidator(in_readers_words)]

"""A response field that is filled with a message."""
