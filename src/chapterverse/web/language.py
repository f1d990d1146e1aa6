"""In which language the pages speak to whoever asks."""

from dataclasses import dataclass
from functools import cache

from flask import request

from chapterverse.texts import ENGLISH, LANGUAGES, catalogue

COOKIE = "language"


@dataclass(frozen=True)
class Language:
    """code: BCP 47."""

    code: str

    def __call__(self, english: str, **filled: object) -> str:
        """The text in this language, {names} in it filled in; in English where nobody has translated it."""
        text = catalogue(self.code).get(english, english)
        return text.format(**filled) if filled else text


@cache
def language(code: str) -> Language:
    """Of a code that LANGUAGES has."""
    return Language(code)


def spoken() -> Language:
    """The one chosen, else the one that the browser would like best."""
    chosen = request.cookies.get(COOKIE, "")
    return language(chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, ENGLISH))
