"""Words as the author wrote them: hyphens that only a line's end put there, calls of notes, capitals of an opening line."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bookreader.pdf.model import Line
from bookreader.text.language import dictionary

SOFT = "\u00ad"
HYPHENS = f"-\u2010{SOFT}"

AMERICAN = tuple(
    (re.compile(british), other)
    for british, other in (
        ("our", "or"),
        ("is(?=e|ing|ation)", "iz"),
        ("ys(?=e|ing)", "yz"),
        ("re$", "er"),
        ("ae|oe", "e"),
        ("ll(?=ed|ing)", "l"),
    )
)

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
URL = re.compile(r"\S*(?:://|www\.)\S*")
DASH = re.compile(r"(?<=\S)\s?—(?=\s?\w)")
COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
FEW = 3
IN_DICTIONARY = 0.7  # share of a text's words: in another language than the dictionary's, fewer are in it
GERMAN_WORDS = frozenset("und der das nicht ist ein eine zu von mit sich auf dem des für".split())  # noqa: SIM905
GERMAN = 0.1  # share of a German text's words that are these: most have 0.17 and more
SUSPENDED = ("and", "or", "to", "nor", "und", "oder", "sowie", "bzw.")  # "two- and three-year": the hyphen stays and a blank
ONLY_AT_ENDS = {"-": 100, "\u2010": 5, SOFT: 1}  # met so often at line ends and never inside a line: it is the typesetter's


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How the book itself writes its words, away from line ends.

    words, compounds: in small letters, with their frequency. small: words mostly in small letters. proper: words
    with a capital inside sentences. breaking: hyphens that only break words. spaced_dashes: blanks around dashes. hyphenates:
    whether words are broken at all. in_dictionary: whether most words are. german: whether the text is."""

    words: Counter[str]
    compounds: Counter[str]
    small: frozenset[str]
    proper: frozenset[str]
    breaking: frozenset[str]
    spaced_dashes: bool
    hyphenates: bool
    in_dictionary: bool
    german: bool


def vocabulary_of(lines: Iterable[Line]) -> Vocabulary:
    """The vocabulary of all lines of the book."""
    texts = [line.text for line in lines]
    whole = [words_in(whole_words(before, text)) for before, text in pairwise(["", *texts])]
    words = Counter(word.casefold() for line in whole for word in line)
    breaking = breaking_hyphens(texts) | {SOFT}
    small = Counter(word for line in whole for word in line if word.islower())
    german = sum(words[word] for word in GERMAN_WORDS) > GERMAN * words.total()
    return Vocabulary(
        words,
        compounds_in(texts),
        frozenset(word for word, n in small.items() if 2 * n >= words[word]),
        names_in(whole),
        breaking,
        spaces_dashes(texts),
        german or breaks_words(texts, words),
        sum(n for word, n in words.items() if frequency(word)) > IN_DICTIONARY * words.total(),
        german,
    )


def whole_words(before: str, text: str) -> str:
    """A line without the halves of words broken at its ends. before: the line above it."""
    text = text.rpartition(" ")[0] if text[-1] in HYPHENS else text
    return text.partition(" ")[2] if before[-1:] in HYPHENS and before else text


def words_in(text: str) -> list[str]:
    """The words of a line, without web addresses."""
    return WORD.findall(URL.sub(" ", text) if "/" in text else text)


def names_in(lines: Iterable[Sequence[str]]) -> frozenset[str]:
    """Words, in small letters, that mostly have a capital though they do not begin their line. lines: of words."""
    inside = [word for line in lines for word in line[1:]]
    small = Counter(word for word in inside if word.islower())
    capitals = Counter(word.casefold() for word in inside if word[0].isupper() and not word.isupper())
    return frozenset(word for word, n in capitals.items() if n > 2 * small[word])


def compounds_in(texts: Iterable[str]) -> Counter[str]:
    """Words with hyphens inside lines, in small letters and with "-", with their frequency."""
    inner = (text[:-1].replace("\u2010", "-") for text in texts)
    return Counter(found.casefold() for text in inner if "-" in text for found in COMPOUND.findall(text))


def breaking_hyphens(texts: Sequence[str]) -> frozenset[str]:
    """Hyphens found at enough line ends and nowhere else."""
    at_end = Counter(text[-1] for text in texts)
    inside = "".join([text[:-1] for text in texts])
    return frozenset(c for c in HYPHENS if at_end[c] >= ONLY_AT_ENDS[c] and c not in inside)


def spaces_dashes(texts: Iterable[str]) -> bool:
    """Whether most dashes have a blank before them."""
    dashes = Counter(found[0].startswith(" ") for text in texts if "—" in text for found in DASH.finditer(text))
    return dashes[True] > dashes[False]


def breaks_words(lines: Sequence[str], words: Counter[str]) -> bool:
    """Whether hyphens at line ends are mostly inside words; in a book that breaks no words they are in compounds."""
    halves = [(last_word(line[:-1]), first_word(after)) for line, after in pairwise(lines) if line[-1:] in HYPHENS]
    joined = [left + right for left, right in halves if left and right]
    known = sum(is_known(word, words) for word in joined)
    return len(joined) < FEW or known >= 0.5 * len(joined)


def frequency(word: str) -> int:
    """A word's frequency in English, in small letters; 0 if unknown."""
    return dictionary().get(word, 0)


def join_at_line_end(before: str, after: str, book: Vocabulary) -> str:
    """The joined halves of a word divided at a line's end: "treat-" + "ment" → "treatment", "well-" + "known" → "well-known".

    before ends in a hyphen; after is the first word of the next line, with what is glued to it."""
    stem, mark = before[:-1], before[-1]
    if book.german and mark != SOFT and after.casefold() in SUSPENDED:
        return before + after
    if mark in book.breaking:
        return stem + after
    if book.breaking - {SOFT}:  # another mark breaks words here, so this one is the author's
        return before + after
    return stem + after if book.hyphenates and is_one_word(stem, after, book) else before + after


def is_known(word: str, words: Counter[str]) -> bool:
    """Whether the book or the dictionary has a word, in British or American spelling."""
    small = POSSESSIVE.sub("", word.casefold())
    return words[word.casefold()] > 0 or words[small] > 0 or any(form in dictionary() for form in (small, american(small)))


POSSESSIVE = re.compile(r"['’]s$")


def american(word: str) -> str:
    """The word as American dictionaries have it: "honour" → "honor", "realise" → "realize", "centre" → "center"."""
    for british, other in AMERICAN:
        word = british.sub(other, word)
    return word


def is_one_word(stem: str, after: str, book: Vocabulary) -> bool:
    """Whether the hyphen only breaks the word: the book's own spelling decides, then the dictionary, then the parts. In German
    a compound's hyphen stands before a capital, or after a single letter ("x-beliebig")."""
    left, right = last_word(stem), first_word(after)
    if not left or not right or right[0].isupper():
        return False
    together = (left + right).casefold()
    apart = f"{left}-{right}".casefold()
    if book.words[together] or book.compounds[apart]:
        return book.words[together] >= book.compounds[apart]
    if book.german:
        return len(left) > 1
    if is_known(together, book.words):
        return True
    parts_are_words = is_known(left, book.words) and is_known(right, book.words)
    return not (parts_are_words or "-" in stem)


def is_surely_joined(stem: str, after: str, book: Vocabulary) -> bool:
    """Whether the book or the dictionary leaves no doubt how a word divided at a line's end is written. A language that is not
    the dictionary's has none."""
    left, right = (POSSESSIVE.sub("", word.casefold()) for word in (last_word(stem), first_word(after)))
    together = left + right
    if not book.in_dictionary or book.words[together] or book.compounds[f"{left}-{right}"]:
        return True
    own, halves = max(frequency(together), frequency(american(together))), min(frequency(left), frequency(right))
    if not own:
        return halves >= COMMON
    return min(len(left), len(right)) < SHORTEST_WORD or own * RARER > halves


COMMON = 1000  # how often the dictionary's source has words that are surely parts of a compound ("well-known")
RARER = 20  # × as frequent may both parts be if a hyphen only breaks the word


def last_word(text: str) -> str:
    return (WORD.findall(text) or [""])[-1] if text[-1:].isalpha() else ""


def first_word(text: str) -> str:
    found = WORD.match(text)
    return found[0] if found else ""


def lower_opening(words: Sequence[str], book: Vocabulary) -> list[str]:
    """The words of an opening set in capitals as they would stand elsewhere: "THE SUBJECT of" → "The subject of".

    Names keep their capital where the book writes them so; a word of one letter is a capital only as "I"."""
    out = []
    for i, word in enumerate(words):
        bare = word.strip("“”\"‘’'([.,;:!?—-").casefold()
        upper = i == 0 or bare in book.proper or bare in ("i", "i’m", "i’ll", "i’ve", "i’d") or is_numeral(word)
        out.append(capitalised(word) if upper else word.lower())
    return out


def is_numeral(word: str) -> bool:
    return bool(re.fullmatch(r"[IVXLCDM]{2,}\W*", word))


def capitalised(word: str) -> str:
    """The word with its first letter unchanged and the others small."""
    first = next((i for i, c in enumerate(word) if c.isalpha()), 0)
    return word if is_numeral(word) else word[: first + 1] + word[first + 1 :].lower()


OPERATORS = re.compile(r"(?:sin|cos|tan|cot|sec|log|ln|lim|max|min|mod|exp|det|sup|inf|gcd|lcm|arg|dim|ker|deg)")
SMALL_WORDS = re.compile(r"(?:a|am|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|oh|on|or|so|to|up|us|we)")
SHORTEST_WORD = 3  # letters: a shorter one is a word only if it is one of SMALL_WORDS
ATOM = re.compile(r"[^\W\d_]+")


def in_words(text: str) -> int:
    """How many letters stand in words of the language, other than names of functions."""
    return sum(len(word) for word in ATOM.findall(text) if is_word(word.casefold()))


def is_word(word: str) -> bool:
    return (
        bool(SMALL_WORDS.fullmatch(word))
        if len(word) < SHORTEST_WORD
        else frequency(word) > 0 and not OPERATORS.fullmatch(word)
    )
