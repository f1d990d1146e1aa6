"""What a misspelt word of English was meant to be, of what Harper offers: by what mistakes look like, how frequent words are,
and the words beside it. Only what is sure is corrected, and never a name."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log10

from bookreader.text.language import dictionary
from chapterverse.essays.model import Correction, overlaps
from chapterverse.essays.proofreading.harper import Engine
from chapterverse.essays.proofreading.rules import Words
from chapterverse.essays.proofreading.words import has, pair

# against 1 for the count; chosen on the first half of scripts/eval/data/spelling.jsonl
WEIGHT_OF_COST, WEIGHT_OF_PAIR = 3.0, 0.7
MARGIN = 1.4  # the best candidate has to be so much better than the next one
LONG, CLOSE = 6, 1.0  # letters, and the cost of a correction, of a word that could be a name
LOWEST = -1.0  # the score of a correction
SURE_COST = 0.16  # for each letter: "pierogi" is no "prog"
RARE_PAIR = 3e6  # what a pair counts that the table does not have; its rarest has 6.4e6
FIRST = 0.6  # added for the first letter, which is rarely wrong
ENDING = 0.5  # added for a last "s" too many or too few
TRANSPOSED, IE = 0.6, 0.4  # the cost of two letters in the wrong order; of "i" and "e"
LIGHT = 0.5  # the cost of a vowel, or of a letter beside its like, too many or too few
HALF, MIN_HALF = 10_000, 3  # the count and the letters of each half of a word that is two words
MAX_TRIED = 200  # unknown words of an essay
MIN_LETTERS = 4  # shorter words are too similar to correct
NAMED = 2  # times that a word has a capital: it is a name

VOWELS = frozenset("aeiouy")
LIKE_VOWELS = {frozenset("ae"): 0.6, frozenset("ei"): 0.6, frozenset("iy"): 0.4, frozenset("ao"): 0.7, frozenset("ou"): 0.7}
LIKE_CONSONANTS = frozenset(map(frozenset, ("cs", "ck", "sz", "gj", "fv", "dt", "bp", "mn", "vw", "kq", "xs", "xz")))
_RUDE = re.compile(r"fuck|shit|bitch|asshole|cunt|whore|slut|nigg|fagg|dick|cock|penis|rape")
_GLUED = re.compile(r"[@/-]|[.:=?&][\w/]")
_INSIDE = re.compile(r"[^.!?:\s][”\"’)\]]*\s+[“\"(]*\Z")  # a sentence has begun
BACK = 100  # characters before a word that are looked at


def misspelt_in(
    paragraphs: Sequence[Words], left_alone: Sequence[Sequence[tuple[int, int]]], harper: Engine, up: float
) -> Iterator[Correction]:
    """Corrections of the words that no dictionary has, where it is sure what was meant; each word once. left_alone: spans of
    each paragraph. Raises CheckerUnavailable."""
    names = names_in(paragraphs)
    unknown: dict[str, tuple[Words, int]] = {}
    for text in paragraphs:
        for at, word in enumerate(text.all):
            plain = _plain(word.text)
            new = word.text not in unknown and plain not in names and not is_word(plain)
            if new and _is_plain(text, at) and not overlaps((word.start, word.end), left_alone[text.paragraph]):
                unknown[word.text] = (text, at)
    tried = [(text, text.written(at), at) for text, at in [*unknown.values()][:MAX_TRIED]]
    offered = harper.unknown([wrong for _, wrong, _ in tried], up)
    for text, wrong, at in tried:
        if wrong in offered and (meant := meant_by(wrong, text.before(at), text.after(at), offered[wrong])):
            meant = meant.replace("'", "’") if "’" in text.text else meant
            yield text.corrected("", text.all[at].start, text.all[at].end, meant)


def _is_plain(text: Words, at: int) -> bool:
    """Whether it has letters and an apostrophe at most, one capital at most, and is no part of an address or a compound."""
    start, end = text.all[at].start, text.all[at].end
    word = text.written(at)
    letters = word.replace("’", "").replace("'", "")
    known = len(letters) >= MIN_LETTERS and letters.isalpha() and (word.islower() or word[1:].islower())
    return known and text.text[start - 1 : start] not in tuple("@./’'-_") and not _GLUED.match(text.text, end)


def _plain(word: str) -> str:
    return re.sub(r"'(?:s|ll|d|ve|re)?\Z", "", word)


def names_in(paragraphs: Sequence[Words]) -> frozenset[str]:
    """The words, in lower case, that have a capital within a sentence, or NAMED times."""
    inside: set[str] = set()
    capitals: Counter[str] = Counter()
    for text in paragraphs:
        for word in text.all:
            if text.text[word.start].isupper():
                capitals[_plain(word.text)] += 1
                if _INSIDE.search(text.text, max(word.start - BACK, 0), word.start):
                    inside.add(_plain(word.text))
    return frozenset(inside | {word for word, count in capitals.items() if count >= NAMED})


def is_word(word: str) -> bool:
    """Whether it is a word of American or British English. word: in lower case."""
    return word in dictionary() or has(word)


def meant_by(written: str, before: str, after: str, offered: Sequence[str]) -> str | None:
    """The right spelling of a misspelt word; None if it is not sure. before, after: the words beside it, empty at the edge of a
    sentence; offered: by a dictionary."""
    word = written.lower().replace("’", "'")
    if word in [one.lower() for one in offered]:
        return None
    costs = {one: cost_of(word, one.lower()) for one in offered if " " not in one and not one.lower().endswith("'s")}
    if word.endswith("ys"):
        costs[f"{word.removesuffix('ys')}ies"] = 0.0  # "puppies" for "puppys"
    scores = {one: log10(count) - WEIGHT_OF_COST * cost for one, cost in costs.items() if (count := _count(one))}
    ranked = sorted(((score + _fitting(one.lower(), before, after), one) for one, score in scores.items()), reverse=True)
    if not ranked or ranked[0][0] < LOWEST or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < MARGIN):
        return None
    meant = ranked[0][1]
    is_name = written[0].isupper() and (len(word) < LONG or costs[meant] > CLOSE)
    doubtful = is_name or (costs[meant] > LIGHT and _is_two_words(word))
    if costs[meant] > SURE_COST * (len(word) + 1) or (costs[meant] and doubtful):
        return None
    return meant


def _count(word: str) -> int:
    return 0 if _RUDE.search(word.lower()) else dictionary().get(word.lower(), 0)


def _fitting(meant: str, before: str, after: str) -> float:
    """How well the word goes with those beside it."""
    pairs = [(before, meant)] * bool(before) + [(meant, after)] * bool(after)
    return WEIGHT_OF_PAIR * sum(log10(max(pair(*each), RARE_PAIR) / RARE_PAIR) for each in pairs)


def _is_two_words(word: str) -> bool:
    """Whether it is two common words written as one: "rearview"."""
    parts = ((word[:at], word[at:]) for at in range(MIN_HALF, len(word) - MIN_HALF + 1))
    return any(_count(one) >= HALF <= _count(other) for one, other in parts)


def cost_of(written: str, meant: str) -> float:
    """How unlikely the mistake is, about 1 for each letter wrong: the optimal string alignment distance, less where letters
    look or sound alike."""
    older: list[float] = []
    before = [0.0]
    for j in range(len(meant)):
        before.append(before[-1] + _single(meant, j))
    for i, letter in enumerate(written):
        row = [before[0] + _single(written, i)]
        for j, other in enumerate(meant):
            best = before[j] if letter == other else before[j] + _swapped(letter, other) + (FIRST if i == 0 == j else 0)
            best = min(best, before[j + 1] + _single(written, i), row[j] + _single(meant, j))
            if i and j and letter == meant[j - 1] and written[i - 1] == other:
                best = min(best, older[j - 1] + (IE if {letter, other} == {"i", "e"} else TRANSPOSED))
            row.append(best)
        older, before = before, row
    return before[-1] + (ENDING if (written[-1] == "s") != (meant[-1] == "s") else 0)


def _single(word: str, at: int) -> float:
    """The cost of a letter that only this word has."""
    is_light = word[at] in VOWELS or word[at] in word[max(at - 1, 0) : at] + word[at + 1 : at + 2]
    return (LIGHT if is_light else 1.0) + (0 if at else FIRST)


def _swapped(letter: str, other: str) -> float:
    """The cost of one letter in place of another one."""
    both = frozenset((letter, other))
    return LIKE_VOWELS.get(both, 0.9 if both <= VOWELS else 0.6 if both in LIKE_CONSONANTS else 1.0)
