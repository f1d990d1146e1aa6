"""What stands in quotation marks in a text, and whether somebody really wrote it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

SENTENCE_LIKE = 3  # words; fewer name a thing, more say something

_QUOTED = re.compile(
    r"“(?P<curly>[^”]*)(?:”|$)|„(?P<low>[^“”]*)(?:[“”]|$)|«(?P<angled>[^»]*)(?:»|$)|\"(?P<straight>[^\"]*)(?:\"|$)"
    r"|‘(?P<single>.+?)’(?!\w)|(?<!\w)'(?P<plain>.+?)'(?!\w)|^\s*>(?P<block>.+)$",
    re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"\w+")
_LEFT_OUT = re.compile(r"…|\.\.\.|\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Sources:
    """The words of all that may be quoted: the essay, and the evidence with what stands around it; " one two three "."""

    essay: tuple[str, ...]
    books: tuple[str, ...]

    @classmethod
    def made_of(cls, essay: Iterable[str], books: Iterable[str]) -> "Sources":
        """Of these texts."""
        return cls(tuple(map(_words, essay)), tuple(map(_words, books)))

    @property
    def books_alone(self) -> "Sources":
        """For what is said of a book: an essay may hold words that no book has, and ask that a book be quoted so."""
        return Sources((), self.books)

    def have(self, quoted: str) -> bool:
        """Whether each part of it, where some is left out, stands in one of them word for word."""
        parts = [words for part in _LEFT_OUT.split(quoted) if (words := _words(part)).strip()]
        return any(all(part in text for part in parts) for text in (*self.essay, *self.books))


def false_quotations(text: str, sources: Sources) -> Iterator[tuple[int, int]]:
    """Where in the text SENTENCE_LIKE words or more are quoted that nobody wrote. A mark never closed quotes all the rest."""
    for found in _QUOTED.finditer(text):
        quoted = found[found.lastgroup or 0]
        if len(_WORD.findall(quoted)) >= SENTENCE_LIKE and not sources.have(quoted):
            yield found.span()


def quotations(text: str) -> Iterator[str]:
    """Whatever stands in quotation marks."""
    return (found[found.lastgroup or 0] for found in _QUOTED.finditer(text))


def overlap(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether it shares a character with one of them."""
    return any(span[0] < end and start < span[1] for start, end in others)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "
