"""In which language the pages speak to whoever asks."""

import re
from dataclasses import dataclass
from functools import cache

from flask import request

from chapterverse.texts import ENGLISH, LANGUAGES, catalogue

COOKIE = "language"
_FILLED_IN = re.compile(r"\{\d\}")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z“])")


@dataclass(frozen=True)
class Language:
    """code: BCP 47."""

    code: str

    def __call__(self, english: str, **filled: object) -> str:
        """The text in this language, {names} in it filled in; in English where nobody has translated it."""
        text = catalogue(self.code).get(english, english)
        return text.format(**filled) if filled else text

    def heard(self, message: str) -> str:
        """What the program says went wrong, in this language: a sentence of the catalogue, {0} and so on what was filled in
        (which may be one itself), or several. What nobody has translated stays as it is. The same as in assets/js/texts.js."""
        if message in catalogue(self.code):
            return self(message)
        for pattern, english in _patterns(self.code):
            if found := pattern.fullmatch(message):
                return self(english).format(*map(self.heard, found.groups()))
        sentences = _BETWEEN_SENTENCES.split(message)
        return " ".join(map(self.heard, sentences)) if len(sentences) > 1 else message


@cache
def _patterns(code: str) -> list[tuple[re.Pattern[str], str]]:
    """Of the sentences with something filled in, those with most words of their own first."""
    filled = {english: _FILLED_IN.split(english) for english in catalogue(code) if "{0}" in english}
    by_words = sorted(filled, key=lambda english: sum(map(len, filled[english])), reverse=True)
    return [(re.compile("(.+?)".join(map(re.escape, filled[each])), re.DOTALL), each) for each in by_words]


@cache
def language(code: str) -> Language:
    """Of a code that LANGUAGES has."""
    return Language(code)


def spoken() -> Language:
    """The one chosen, else the one that the browser would like best."""
    chosen = request.cookies.get(COOKIE, "")
    return language(chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, ENGLISH))
