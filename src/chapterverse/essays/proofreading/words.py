"""The words of a paragraph, and what symspellpy knows of English words: which there are, and how often Google Books has two of
them in a row."""

import re
from bisect import bisect_left
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from chapterverse.core.words import word_set
from chapterverse.essays.model import Correction, Place

_WORD = re.compile(r"[$€£]?\d+(?:[.,:/]\d+)*\w*|[^\W_]+(?:['’-][^\W_]+)*")

_NEGATED = "do does did is are was were has have had would could should ca wo must need"
SHORT = {f"{each}nt": f"{each}n't" for each in _NEGATED.split()} | {
    each.replace("'", ""): each
    for each in word_set("i'm i've they're they've you're you've we've that's what's there's he's she's where's")
}


class Word(NamedTuple):
    """A word in lower case, with the apostrophe that it lacks, and its place. joined: a blank alone stands between it and the
    word before."""

    text: str
    start: int
    end: int
    joined: bool


class Words:
    """The words of a paragraph with its index. Beyond its edges, and beyond a mark, there are empty words."""

    def __init__(self, text: str, paragraph: int) -> None:
        self.text, self.paragraph = text, paragraph
        self.all: list[Word] = []
        end = 0
        for found in _WORD.finditer(text):
            joined = bool(self.all) and text[end : found.start()] == " "
            word = found[0].lower().replace("’", "'")
            self.all.append(Word(SHORT.get(word, word), *found.span(), joined))
            end = found.end()

    def written(self, at: int) -> str:
        """The word as the text has it."""
        return self.text[self.all[at].start : self.all[at].end]

    def corrected(self, why: str, start: int, end: int, instead: str) -> Correction:
        """The correction of the characters [start, end), with a capital where they have one."""
        capital = self.text[start : start + 1].isupper()
        return why, Place(self.paragraph, (start, end), f"{instead[:1].upper()}{instead[1:]}" if capital else instead)

    def before(self, at: int) -> str:
        """The word before this one."""
        return self.all[at - 1].text if at and self.all[at].joined else ""

    def after(self, at: int) -> str:
        """The word after this one."""
        return self.all[at + 1].text if at + 1 < len(self.all) and self.all[at + 1].joined else ""


def has(word: str) -> bool:
    """Whether it is a word, though perhaps a British or a rare one."""
    return word in _written()


def pair(first: str, second: str) -> float:
    """How often the second word follows the first one; 0 if the table does not have them."""
    wanted = f"{first} {second} ".encode()
    at = bisect_left(_pairs(), wanted)
    found = at < len(_pairs()) and _pairs()[at].startswith(wanted)
    return float(_pairs()[at].rsplit(b" ", 1)[1]) if found else 0.0


@cache
def _written() -> frozenset[str]:
    return frozenset(line.split()[0] for line in _lines("frequency_dictionary_en_82_765.txt"))


@cache
def _pairs() -> list[bytes]:
    return sorted(line.encode() for line in _lines("frequency_bigramdictionary_en_243_342.txt"))


def _lines(name: str) -> list[str]:
    import symspellpy

    return files(symspellpy).joinpath(name).read_text("utf-8-sig").splitlines()
