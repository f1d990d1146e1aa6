"""The words of a paragraph, and what symspellpy knows of English words: which there are, and how often Google Books has two of
them in a row. So it is found which of two that sound or look alike is meant: the one that is far more often seen between the
words beside it. And what is wrong in any context: apostrophes, capitals, a word that stands twice."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from math import log10
from typing import NamedTuple

from chapterverse.core.words import word_set
from chapterverse.essays.model import Correction, Place

_WORD = re.compile(r"[$€£]?\d+(?:[.,:/]\d+)*\w*|[^\W_]+(?:['’-][^\W_]+)*")

_PAST = re.compile(r"\b(?:was|were|had|did|\w+[^\We]ed)\b", re.IGNORECASE)  # "need" is no past
_NOW = re.compile(r"\b(?:am|is|are|has|do|does)\b", re.IGNORECASE)
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

    @cached_property
    def is_past(self) -> bool:
        """Whether more of its verbs are of the past than of now."""
        return len(_PAST.findall(self.text)) > len(_NOW.findall(self.text))


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


_PAIRS = """
there their|there they're|their there|their they're|they're their|they're there|your you're|you're your|its it's|it's its
then than|than then|loose lose|affect effect|effect affect|effects affects|affects effects|weather whether|no know|now know
quite quiet|quiet quite|where were|were where|here hear|except accept|brake break|peace piece|week weak|weak week|hole whole
threw through|breath breathe|breathe breath|advice advise|advise advice|use used|thing think|think thing|are our|our are
aloud allowed|to too|cloths clothes|lifes lives|chose choose|loss lose
"""
_ROWS = [each.split() for each in _PAIRS.replace("\n", "|").split("|") if each]
MEANT: Mapping[str, list[str]] = {first: [meant for word, meant in _ROWS if word == first] for first, _ in _ROWS}
"""What each word may be meant to be."""
SHORT_FOR = {"they're": ("they", "are"), "you're": ("you", "are"), "it's": ("it", "is")}
WHY = "These words are easily confused."
_WHYS = {
    "“Their” shows who owns something; “there” is a place; “they’re” means “they are”.": "their there they're",
    "“Its” shows who owns something; “it’s” is short for “it is”.": "its it's",
    "“Your” shows who owns something; “you’re” is short for “you are”.": "your you're",
    "Use “than” to compare; “then” is about time.": "than",
    "“Too” means “also” or “more than enough”.": "too",
    "To “affect” something is to change it; an “effect” is the result.": "affect affects effect effects",
}
WHYS = {word: why for why, words in _WHYS.items() for word in words.split()}
MARGIN = 1.8  # powers of ten; chosen on the first half of scripts/eval/data/grammar_essays.jsonl and on school essays
RAREST = 6e6  # what a pair counts that the table does not have
_CORRECT = {tuple(pair.split()) for pair in ("there used", "where some", "where any", "where every", "use to")}


def confused_in(text: Words) -> Iterator[Correction]:
    """The words of a paragraph that are confused, in reading order."""
    for at, word in enumerate(text.all):
        before, after = text.before(at), text.after(at)
        if meant := meant_by(word.text, before, after):
            yield text.corrected(WHYS.get(meant, WHY), word.start, word.end, meant)


def meant_by(word: str, before: str, after: str) -> str | None:
    """What fits so much better that it is meant."""
    if (word, before) in _CORRECT or (word, after) in _CORRECT or not after:
        return None
    left, right = _fit(word, before, after)
    for other in MEANT.get(word, ()):
        new_left, new_right = _fit(other, before, after)
        if new_left >= left and new_right >= right and new_left + new_right - left - right >= MARGIN:
            return other
    return None


def _fit(word: str, before: str, after: str) -> tuple[float, float]:
    """How often the word is seen after the one and before the other, in powers of ten above RAREST."""
    first, last = SHORT_FOR.get(word, (word, word))
    left = log10(max(pair(before, first), RAREST) / RAREST) if before else 0.0
    return left, log10(max(pair(last, after), RAREST) / RAREST)


APOSTROPHE = "Use an apostrophe for the letters left out."
OWNER = "Use an apostrophe to show who something belongs to."
TWICE = "You wrote the same word twice."
BEGINS = "A sentence begins with a capital letter."
OWNERS = word_set("today yesterday everyone everybody someone somebody anyone anybody nobody")
TWICE_ALLOWED = word_set("had that can is do so very really bye ha no blah win please many long")
SPEAKS = word_set("asked said says cried shouted thought wrote")
_BEGINNING = re.compile(r"(?:\A|[^\W\d_]{3,}(?<!etc)[.!?] )([a-z]+)(?= [a-z])")


def marks_in(text: Words) -> Iterator[Correction]:
    """The mistakes in a paragraph."""
    for at, word in enumerate(text.all):
        written = text.written(at)
        if written.lower() in SHORT:
            right = meant_by(word.text, text.before(at), text.after(at)) or word.text
            if word.text not in {"won't", "can't"} or text.before(at) not in {"his", "her", "their", "its"}:
                yield text.corrected(APOSTROPHE, word.start, word.end, re.sub(r"\Ai'", "I'", right))
        elif word.text.removesuffix("s") in OWNERS and word.text.endswith("s") and text.after(at):
            yield text.corrected(OWNER, word.start, word.end, f"{written[:-1]}'s")
        elif word.joined and written.islower() and word.text == text.all[at - 1].text and word.text not in TWICE_ALLOWED:
            first = text.all[at - 1]
            yield text.corrected(TWICE, first.start, word.end, text.text[first.start : first.end])
    for found in _BEGINNING.finditer(text.text):
        if found[1] != "i" and found[1] not in SPEAKS and (found.start(1) or len(found[1]) > 1):
            yield text.corrected(BEGINS, *found.span(1), found[1].capitalize())
