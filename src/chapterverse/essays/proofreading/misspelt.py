"""The misspelt words of an English essay, with what was meant where that is sure. Names are never corrected."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bookreader.text.language import dictionary
from chapterverse.core.words import word_set
from chapterverse.essays.proofreading.counts import counts
from chapterverse.essays.proofreading.model import Correction, overlaps
from chapterverse.essays.proofreading.spelling import WordPlace, english_speller, is_by_rule
from chapterverse.essays.proofreading.words import PLURALS

MAX_TRIED = 200  # unknown words of an essay: looking for what one was meant to be takes milliseconds of the processor
MIN_LETTERS = 4  # shorter words are too similar to correct
BACK = 100  # characters before a word that are looked at
NAMED = 2  # times that a word has a capital: it is a name
BRITISH = (
    (r"our(?=s|ed|ing|ite|ful|able|$)", "or"),
    (r"is(?=e|ed|es|ing|ation|ations$)", "iz"),
    (r"ys(?=e|ed|es|ing$)", "yz"),
    (r"ll(?=ed|ing|er|ers$)", "l"),
    (r"re(?=s?$)", "er"),
    (r"ogue", "og"),
    (r"ence(?=s?$)", "ense"),
    (r"maths$", "math"),
)
RECENT = word_set(
    "schooler olds selfie emoji podcast hashtag telework vlog vape cyberbullying livestream crowdfunding screenshot iphone ipad"
    " smartphone"
)
_CANDIDATE = re.compile(r"(?<![\w@./’'-])[^\W\d_]+(?:['’][^\W\d_]+)?(?![\w@/-]|[.:=?&][\w/])")
_SHORTENED = re.compile(r"'(?:s|ll|d|ve|re)?\Z")
_INSIDE = re.compile(r"[^.!?:\s][”\"’)\]]*\s+[“\"(]*\Z")  # a sentence has begun
_OF_NUMBER = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) \w+ers?\b", re.IGNORECASE)  # "a two seater"
_NAMING = re.compile(r"\b(?:call(?:s|ed)?|nam(?:e|es|ed)|known as|the words?|spelt)(?: \w+)? \Z", re.IGNORECASE)
_MORE_THAN_ONE = re.compile(r"\w{4,}(?<!one)(?<!body)(?<!f|s|x|z|h)(?<![^aeiou]y)(?<!fe)s\Z")  # a plural by rule
_OF_TWO = re.compile(r"(?:an?|in|at|of|on|to|no|all|any|some|every|each|even) ")  # how two words begin that are written as one
_CAPITALS = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|(?:sept|nov|dec)ember|october|english"
)
_BEFORE = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?) \Z")
_AFTER = re.compile(r" ([^\W\d_]+(?:['’][^\W\d_]+)?)")


def _plain(word: str) -> str:
    return _SHORTENED.sub("", word.lower().replace("’", "'"))


def names_in(paragraphs: Sequence[str]) -> frozenset[str]:
    """The words, in lower case, that have a capital within a sentence, or NAMED times."""
    inside: set[str] = set()
    capitals: Counter[str] = Counter()
    for text in paragraphs:
        for found in _CANDIDATE.finditer(text):
            if found[0][0].isupper():
                capitals[_plain(found[0])] += 1
                if _INSIDE.search(text, max(found.start() - BACK, 0), found.start()):
                    inside.add(_plain(found[0]))
    return frozenset(inside | {word for word, count in capitals.items() if count >= NAMED})


def is_word(word: str) -> bool:
    """Whether it is a word of American or British English. word: in lower case."""
    spellings = [word, *(re.sub(pattern, change, word) for pattern, change in BRITISH)]
    if _MORE_THAN_ONE.search(word) and word.removesuffix("s") not in PLURALS:
        spellings.append(word.removesuffix("s"))
    return any(each in RECENT or each in dictionary() or counts().has(each) for each in spellings)


@dataclass(frozen=True)
class Unknown:
    """A word that the dictionary does not have, and what it may have been meant to be."""

    paragraph: int
    start: int
    word: str
    meant: str | None


def unknown_in(paragraphs: Sequence[str], left_alone: Sequence[Sequence[tuple[int, int]]]) -> Iterator[Unknown]:
    """The unknown words, each once, at most MAX_TRIED. left_alone: spans of each paragraph."""
    names = names_in(paragraphs)
    written = frozenset(_plain(found[0]) for text in paragraphs for found in _CANDIDATE.finditer(text))
    seen: set[str] = set()
    tried = 0
    for at, text in enumerate(paragraphs):
        alone = [*left_alone[at], *(each.span() for each in _OF_NUMBER.finditer(text))]
        for found in _CANDIDATE.finditer(text):
            word = _plain(found[0])
            is_new = word not in seen and word not in names and len(word) >= MIN_LETTERS
            if not is_new or not (found[0].islower() or found[0].istitle()) or overlaps(found.span(), alone):
                continue
            seen.add(word)
            if is_word(word) or _NAMING.search(text, max(found.start() - BACK, 0), found.start()):
                continue
            if (tried := tried + 1) > MAX_TRIED:
                return
            yield Unknown(at, found.start(), found[0], _meant(text, found.start(), found[0], written))


def _meant(text: str, at: int, word: str, written: Collection[str]) -> str | None:
    """What the word was meant to be, as it would stand there; None if that is not sure."""
    neighbours = (_BEFORE.search(text, max(at - BACK, 0), at), _AFTER.match(text, at + len(word)))
    before, after = (found[1].lower().replace("’", "'") if found else "" for found in neighbours)
    place = WordPlace(before, after, written, is_name=word[0].isupper())
    meant = english_speller().correction(word.lower().replace("’", "'"), place)
    return _as_in(meant, word, text) if meant else None


def _as_in(meant: str, word: str, text: str) -> str:
    """With a capital and an apostrophe as in the text."""
    meant = meant.replace("'", "’") if "’" in text else meant
    return f"{meant[0].upper()}{meant[1:]}" if word[0].isupper() or _CAPITALS.fullmatch(meant) else meant


def corrected(unknown: Sequence[Unknown], offered: Mapping[str, Sequence[str]]) -> Iterator[Correction]:
    """The corrections that another dictionary agrees with. offered: for the words that it does not have, what it offers."""
    for one in unknown:
        if one.meant and _agrees(one, offered.get(one.word)) and one.meant.lower() != one.word.lower():
            yield Correction(one.paragraph, (one.start, one.start + len(one.word)), one.meant, "", "spelling")


def _agrees(one: Unknown, offered: Sequence[str] | None) -> bool:
    """Whether the other dictionary does not have the word either, and offers the same unless it is made by rule."""
    if offered is None or not one.meant:
        return False
    word, meant = (each.lower().replace("’", "'") for each in (one.word, one.meant))
    by_rule = is_by_rule(word, meant) or _OF_TWO.match(meant) or "-" in meant
    return bool(by_rule) or meant in [each.lower() for each in offered]
