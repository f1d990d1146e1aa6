"""What a misspelt word of English was meant to be: by what learners' mistakes look like, how frequent words are, and the words
beside it. Corrected is what is sure, and never a name."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log10

import numpy as np

from bookreader.text.language import dictionary
from chapterverse.core.turns import at_work, let_pass
from chapterverse.core.words import word_set
from chapterverse.essays.proofreading.model import Correction, overlaps
from chapterverse.essays.proofreading.words import PAST_AND_THIRD, PLURALS, counts, letters_of

# against 1 for the count; chosen on the first half of scripts/eval/data/spelling.jsonl
WEIGHT_OF_COST, WEIGHT_OF_PAIR = 3.0, 0.7
MARGIN = 1.0  # the best candidate has to be so much better than the next one
LONG, CLOSE = 6, 1.0  # letters, and the cost of a correction, of a word that could be a name
LOWEST = -2.0  # the score of a correction
MAX_COST = 0.34  # for each letter
SURE_COST = 0.16  # the same, of a correction: "pierogi" is no "prog"
MAX_DIFFERENT = 4  # letters that only one of the two has
MAX_LONGER = 3  # letters
RARE_PAIR = 3e6  # what a pair counts that the table does not have; its rarest has 6.4e6
COMMON_PAIR = 3e7  # of two words written as one: "infact"

FIRST = 0.6  # added for the first letter, which is rarely wrong
ENDING = 0.5  # added for a last "s" too many or too few
TRANSPOSED = 0.6  # the cost of two letters in the wrong order
IE = 0.4  # of "i" and "e"
BY_SOUND = 0.5  # the cost of writing what is heard
BY_RULE = 0.2  # the cost of inflecting by rule what has a form of its own
MIN_HALF = 3  # letters of each part of a word that is two words
HALF = 4.0  # the count of the first part of a compound, at least
COMPOUNDING = frozenset(  # second parts that stand behind a hyphen: "car-free", "odd-numbered"
    {"free", "friendly", "like", "based", "related", "driven", "numbered", "powered", "owned", "sized", "shaped", "minded"}
)
PARTED = 4.5  # what the count of a pair is worth less than that of a word

VOWELS = frozenset("aeiouy")
LIKE_VOWELS = {frozenset("ae"): 0.6, frozenset("ei"): 0.6, frozenset("iy"): 0.4, frozenset("ao"): 0.7, frozenset("ou"): 0.7}
LIKE_CONSONANTS = frozenset(map(frozenset, ("cs", "ck", "sz", "gj", "fv", "dt", "bp", "mn", "vw", "kq", "xs", "xz")))
SPELT_ALIKE = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"),
        (r"(?:[sct]i|sh)[oue]n", "SN"),
        (r"\Akn", "n"),
        (r"\Awr", "r"),
        (r"wh", "w"),
        (r"tch", "ch"),
        (r"dge", "ge"),
        (r"sc(?=[eiy])|c(?=[eiy])", "s"),
        (r"ck|c(?!h)|q", "k"),
        (r"x", "ks"),
        (r"[aeo]igh|ai|ay|ey|a(?=[^aeiou]e[sd]?\Z)", "A"),
        (r"igh|i(?=[^aeiou]e[sd]?\Z)", "I"),
        (r"ee|ea|ei|ie", "E"),
        (r"oa|ow\Z|o(?=[^aeiou]e[sd]?\Z)", "O"),
        (r"oo|ew|ue\Z|ou", "U"),
        (r"[ao]ugh(?=t)|aw", "o"),
        (r"(.)\1", r"\1"),
        (r"(?<=[^aeiou])e\Z", ""),
        (r"[oe]r\Z", "ar"),
    )
)
BEGINNINGS = ("aeiouy", "ckqszx", "gj", "fpv", "wv")  # letters that are taken for each other at the beginning of a word


def meant_by(word: str, before: str, after: str, *, is_name: bool) -> str | None:
    """What a word that the dictionary does not have was meant to be; None if that is not sure. All in lower case; before,
    after: the words beside it, empty at the edge of a sentence; is_name: it may be a name, so there is more to be sure of."""
    if compound := _compound(word):
        return compound
    scores = {meant: score + _fitting(meant, before, after) for meant, score in _candidates(word)}
    ranked = sorted(((score, meant) for meant, score in scores.items()), reverse=True)
    if not ranked or ranked[0][0] < LOWEST or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < MARGIN):
        return None
    meant = ranked[0][1]
    doubtful = (is_name or _is_two_words(word)) and not _is_close(word, meant)
    return None if doubtful or _is_far(word, meant) else meant


def _is_two_words(word: str) -> bool:
    """Whether it is two common words written as one: "rearview"."""
    known = counts().words
    parts = ((word[:at], word[at:]) for at in range(MIN_HALF, len(word) - MIN_HALF + 1))
    return any(known.get(one, 0) >= HALF <= known.get(other, 0) for one, other in parts)


def _compound(word: str) -> str | None:
    """The word with the hyphen that it lacks between a common word and one of COMPOUNDING."""
    parts = ((word.removesuffix(each), each) for each in COMPOUNDING if word.endswith(each))
    return next((f"{one}-{each}" for one, each in parts if len(one) > 2 and counts().words.get(one, 0) >= HALF), None)


def _candidates(word: str) -> Iterator[tuple[str, float]]:
    """What may have been meant wherever the word stands; of what comes twice, the later is better."""
    known = counts()
    for meant, cost in _near(word):
        yield meant, known.words[meant] - WEIGHT_OF_COST * cost
    for meant in _inflected(word):
        if meant in known.words:
            yield meant, known.words[meant] - WEIGHT_OF_COST * BY_RULE
    for at in range(1, len(word)):
        if (count := known.pair(word[:at], word[at:])) >= COMMON_PAIR:
            yield f"{word[:at]} {word[at:]}", log10(count) - PARTED - WEIGHT_OF_COST * TRANSPOSED


def _near(word: str) -> Iterator[tuple[str, float]]:
    """Words that look or sound like this one, with the cost of the difference."""
    known = counts().letters
    begins = next((each for each in BEGINNINGS if word[0] in each), word[0])
    alike = np.isin(known.first, [ord(each) for each in {*begins, word[1]}]) | (known.second == ord(word[0]))
    at = np.flatnonzero(alike)
    different = np.abs(known.counts[at] - letters_of([word])).sum(axis=1)
    limit, sound = MAX_COST * (len(word) + 1), sound_of(word)
    for each in at[different <= MAX_DIFFERENT]:
        meant = known.words[each]
        if abs(len(meant) - len(word)) <= MAX_LONGER and (cost := cost_of(word, meant, sound, limit)) <= limit:
            yield meant, cost


def _fitting(meant: str, before: str, after: str) -> float:
    """How well the word, or the two words, go with those beside it."""
    words = meant.split()
    pairs = [(before, words[0])] * bool(before) + [(words[-1], after)] * bool(after)
    return WEIGHT_OF_PAIR * sum(log10(max(counts().pair(*pair), RARE_PAIR) / RARE_PAIR) for pair in pairs)


def _is_far(word: str, meant: str) -> bool:
    """Whether so much is different that it may be a word of its own; not so where an inflection by rule is wrong."""
    limit = SURE_COST * (len(word) + 1)
    return " " not in meant and not is_by_rule(word, meant) and cost_of(word, meant, sound_of(word), limit) > limit


def is_by_rule(word: str, meant: str) -> bool:
    """Whether the word is inflected by rule, and what is meant has a form of its own."""
    return meant in _inflected(word)


def _is_close(word: str, meant: str) -> bool:
    """Whether a word that could be a name is one that is misspelt."""
    return " " in meant or (len(word) >= LONG and cost_of(word, meant, sound_of(word), CLOSE) <= CLOSE)


def _inflected(word: str) -> Iterator[str]:
    """What an inflection by rule should have been: "chose" for "choosed", "puppies" for "puppys"."""
    yield from (PAST_AND_THIRD[base][0] for base in _stems(word, "ed") if base in PAST_AND_THIRD)
    yield from (PLURALS[base] for base in _stems(word, "es") if base in PLURALS)
    if word.endswith("ys"):
        yield f"{word.removesuffix('ys')}ies"
    if word.endswith("s"):
        yield f"{word.removesuffix('s')}'s"


def _stems(word: str, ending: str) -> tuple[str, ...]:
    """What the word may be an inflection of; also of a consonant doubled, and of a plural that is one already: "childrens"."""
    stem = word.removesuffix(ending)
    return (word.removesuffix("d" if ending == "ed" else "s"), stem, stem[:-1])


def sound_of(word: str) -> str:
    """The word as it sounds, roughly: what is spelt alike or doubled becomes one letter."""
    for pattern, sound in SPELT_ALIKE:
        word = pattern.sub(sound, word)
    return word


def cost_of(written: str, meant: str, sound: str, limit: float) -> float:
    """How unlikely the mistake is: about 1 for each letter wrong, less where letters look or sound alike. sound: of what was
    written. limit: beyond it, how much is not told."""
    ending = ENDING if (written[-1] == "s") != (meant[-1] == "s") else 0
    by_letter = _distance(written, meant, limit - ending)
    if by_letter <= BY_SOUND:
        return by_letter + ending
    by_sound = _distance(sound, sound_of(meant), min(by_letter, limit - ending) - BY_SOUND)
    return min(by_letter, by_sound + BY_SOUND) + ending


def _distance(written: str, meant: str, limit: float) -> float:
    """The optimal string alignment distance with weights; infinite if it is beyond the limit."""
    older: list[float] = []
    before = [0.0]
    for j in range(len(meant)):
        before.append(before[-1] + _single(meant, j))
    singles = [_single(meant, j) for j in range(len(meant))]
    for i, letter in enumerate(written):
        alone = _single(written, i)
        row = [before[0] + alone]
        for j, other in enumerate(meant):
            best = before[j] if letter == other else before[j] + _swapped(letter, other) + (FIRST if i == 0 == j else 0)
            best = min(best, before[j + 1] + alone, row[j] + singles[j])
            if i and j and letter == meant[j - 1] and written[i - 1] == other:
                best = min(best, older[j - 1] + (IE if {letter, other} == {"i", "e"} else TRANSPOSED))
            row.append(best)
        if min(row) > limit:
            return float("inf")
        older, before = before, row
    return before[-1]


def _single(word: str, at: int) -> float:
    """The cost of a letter that only this word has."""
    letter, neighbours = word[at], word[max(at - 1, 0) : at] + word[at + 1 : at + 2]
    if letter in "'’":
        return 0.2
    if letter in neighbours:
        return 0.4
    if at == 0:
        return 1.0 + FIRST
    if letter in VOWELS:
        return 0.5 if VOWELS.intersection(neighbours) or at == len(word) - 1 else 0.7
    return 0.6 if letter == "h" or (letter == "c" and "s" in neighbours) else 1.0


def _swapped(letter: str, other: str) -> float:
    """The cost of one letter in place of another one."""
    both = frozenset((letter, other))
    if letter in VOWELS and other in VOWELS:
        return LIKE_VOWELS.get(both, 0.9)
    return 0.6 if both in LIKE_CONSONANTS else 1.0


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


def misspelt_in(paragraphs: Sequence[str], left_alone: Sequence[Sequence[tuple[int, int]]], up: float) -> Iterator[Correction]:
    """The words that the dictionary does not have and what they were meant to be, where that is sure; each word once, at most
    MAX_TRIED. left_alone: spans of each paragraph; up: a time of at_work(), by which it ends."""
    names = names_in(paragraphs)
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
            let_pass()
            if (tried := tried + 1) > MAX_TRIED or at_work() > up:
                return
            if meant := _meant(text, found.start(), found[0]):
                yield Correction(at, found.span(), meant, "", "spelling")


def _meant(text: str, at: int, word: str) -> str | None:
    """What the word was meant to be, with a capital and an apostrophe as in the text; None if that is not sure."""
    neighbours = (_BEFORE.search(text, max(at - BACK, 0), at), _AFTER.match(text, at + len(word)))
    before, after = (found[1].lower().replace("’", "'") if found else "" for found in neighbours)
    if not (meant := meant_by(word.lower().replace("’", "'"), before, after, is_name=word[0].isupper())):
        return None
    meant = meant.replace("'", "’") if "’" in text else meant
    return f"{meant[0].upper()}{meant[1:]}" if word[0].isupper() or _CAPITALS.fullmatch(meant) else meant


def agrees(word: str, instead: str, offered: Sequence[str] | None) -> bool:
    """Whether another dictionary does not have the word either, and offers the same unless that is made by rule."""
    if offered is None or word.lower() == instead.lower():
        return False
    word, meant = (each.lower().replace("’", "'") for each in (word, instead))
    by_rule = is_by_rule(word, meant) or _OF_TWO.match(meant) or "-" in meant
    return bool(by_rule) or meant in [each.lower() for each in offered]
