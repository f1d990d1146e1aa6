"""How often words and pairs of words occur in English: pyspellchecker's counts (of subtitles) and symspellpy's of words, and
symspellpy's of pairs (Google Books)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bookreader.text.language import dictionary

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPOKEN = 50  # pyspellchecker's count of a word that its subtitles do not have
FREQUENT = 1000  # the same: a word that only it has is no name or noise then
LETTERS = 26
_RUDE = re.compile(r"fuck|shit|bitch|asshole|cunt|whore|slut|nigg|fagg|dick|cock|penis|rape")


class Letters(NamedTuple):
    """Words in order; how often each has each letter; the codes of its first and its second letter."""

    words: list[str]
    counts: "NDArray[np.int8]"
    first: "NDArray[np.uint8]"
    second: "NDArray[np.uint8]"


class Counts:
    """How often words and pairs of words occur in English. It takes half a second to read."""

    def __init__(self, spoken: Mapping[str, int]) -> None:
        written = dict(_lines("frequency_dictionary_en_82_765.txt"))
        self.words: Mapping[str, float] = {
            word: log10(count if word not in written else (count * max(int(written[word]) / 500, 1)) ** 0.5)
            for word, count in spoken.items()
            if len(word) > 1 and count > (SPOKEN if word in written else FREQUENT) and not _RUDE.search(word)
        }
        self._written = frozenset(written)
        self._pairs = sorted(line.encode() for line in _text("frequency_bigramdictionary_en_243_342.txt").splitlines())

    def has(self, word: str) -> bool:
        """Whether it is a word, though perhaps a rare one."""
        return word in self._written

    def pair(self, first: str, second: str) -> float:
        """How often the second word follows the first one; 0 if the table does not have them."""
        wanted = f"{first} {second} ".encode()
        at = bisect_left(self._pairs, wanted)
        found = at < len(self._pairs) and self._pairs[at].startswith(wanted)
        return float(self._pairs[at].rsplit(b" ", 1)[1]) if found else 0.0

    @cached_property
    def letters(self) -> Letters:
        """What the words look like."""
        words = sorted(word for word in self.words if word.isascii())
        first, second = (np.array([ord(word[at]) for word in words], np.uint8) for at in (0, 1))
        return Letters(words, letters_of(words), first, second)


def _text(name: str) -> str:
    import symspellpy

    return files(symspellpy).joinpath(name).read_text("utf-8-sig")


def _lines(name: str) -> Iterator[tuple[str, str]]:
    for line in _text(name).splitlines():
        word, count = line.split()
        yield word, count


def letters_of(words: Sequence[str]) -> "NDArray[np.int8]":
    """(n, 26): how often each word has each letter from a to z."""
    codes = np.frombuffer("".join(words).encode("ascii", "replace"), np.uint8)
    rows = np.repeat(np.arange(len(words)), [len(word) for word in words])
    is_letter = (codes >= ord("a")) & (codes <= ord("z"))
    places = rows[is_letter] * LETTERS + codes[is_letter] - ord("a")
    return np.bincount(places, minlength=LETTERS * len(words)).reshape(-1, LETTERS).astype(np.int8)


@cache
def counts() -> Counts:
    """The counts of this process, read once."""
    return Counts(dictionary())
