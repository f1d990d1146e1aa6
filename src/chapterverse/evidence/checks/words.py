"""A text as the checks see it: clauses of stemmed words, and how often each is negated."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from chapterverse.evidence.checks.vocabulary import CLAUSE_OPENERS, EMPTY, HALF_NEGATIONS, NEGATIONS, NOT_NEGATING

_NEGATING = re.compile(r"(?:un|im|dis|mis|non)\w{5,}|in\w+[ai]bl[ey]|\w{3,}less")
_MARKS = frozenset(",;:.!?—–")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[,;:.!?—–]")
_AS_NOT = re.compile(r"\b(?:rather than|instead of|no longer|far from)\b", re.IGNORECASE)
_NO_NEGATION = re.compile(r"\bnot only\b|\bno doubt\b", re.IGNORECASE)
_STEMMER = snowballstemmer.stemmer("english")


@dataclass(frozen=True, slots=True)
class Word:
    """written: as in the text; text: in lower case; stem: by Porter's second algorithm (Snowball, "english")."""

    written: str
    text: str
    stem: str

    @property
    def means(self) -> bool:
        """Whether it says what the sentence is about."""
        return self.text not in EMPTY and not self.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class Clause:
    """Words between two commas or the like."""

    words: tuple[Word, ...]

    @property
    def negated(self) -> bool:
        """Whether it has an odd number of negations: two of them take each other back."""
        return sum(word.text in NEGATIONS for word in self.words) % 2 == 1

    @property
    def has_negation(self) -> bool:
        """Whether there is any."""
        return any(word.text in NEGATIONS for word in self.words)

    @property
    def half_negations(self) -> frozenset[str]:
        """The words that may stand for one."""
        return frozenset(word.text for word in self.words if _half_negates(word.text))

    @property
    def content(self) -> frozenset[str]:
        """Stems of the words that mean something."""
        return frozenset(word.stem for word in self.words if word.means)


def read_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses, in order; marks are left out, "rather than" and its kind count as "not"."""
    return tuple(Clause(tuple(words)) for words in _clauses(_AS_NOT.sub(" not ", _NO_NEGATION.sub(" ", text))))


def read_words(text: str) -> tuple[Word, ...]:
    """All words and numbers, in order, as they are written."""
    return tuple(_word(token) for token in _TOKEN.findall(text) if token not in _MARKS)


def content_of(clauses: Sequence[Clause]) -> frozenset[str]:
    """Stems of the words that mean something."""
    return frozenset(stem for clause in clauses for stem in clause.content)


def _half_negates(word: str) -> bool:
    return word in HALF_NEGATIONS or bool(_NEGATING.fullmatch(word) and not word.startswith(NOT_NEGATING))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Of a word in lower case."""
    return str(_STEMMER.stemWord(word))


def _clauses(text: str) -> Iterator[list[Word]]:
    clause: list[Word] = []
    for token in _TOKEN.findall(text):
        if (token in _MARKS or token.lower() in CLAUSE_OPENERS) and clause:
            yield clause
            clause = []
        if token not in _MARKS:
            clause += _parts(token)
    if clause:
        yield clause


def _parts(token: str) -> Iterator[Word]:
    """One word, or two where it is shortened: "don't" is "do" and "not"."""
    verb, shortened, rest = token.replace("’", "'").rpartition("n't")
    if shortened and not rest:
        yield _word({"ca": "can", "wo": "will", "sha": "shall"}.get(verb.lower(), verb or "do"))
        yield _word("not")
    else:
        yield _word(token)


def _word(token: str) -> Word:
    lower = token.replace("’", "'").lower()
    return Word(token, lower, stem(lower.removesuffix("'s")))
