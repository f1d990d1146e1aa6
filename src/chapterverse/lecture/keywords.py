"""The few words of a window that say what it is about (S3, "Query Enrichment"): KeyBERT's steps (Grootendorst 2020) on vectors
that are at hand. Candidates are its words and pairs of them; chosen are those near the whole and far from each other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chapterverse.evidence.checks.vocabulary import EMPTY, word_set
from chapterverse.model import Vectors

# What is said while one thinks, and the halves of "don't" and "we'll" as words are parted here.
SPOKEN = word_set("""
um uh er ah hmm okay ok yeah yes yep well right so like know think mean going gonna want wanna let lets see look go goes went
come comes kind sort actually basically really maybe perhaps quite anyway alright please sorry thank thanks guys everybody
everyone question today tell talk talking called call exactly obviously course way lot bit here there back
every above below before after
re ve ll don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain shan mustn needn
""")
UNTOLD = EMPTY | SPOKEN
_WORD = re.compile(r"\b\w\w+\b")  # a word as scikit-learn's CountVectorizer parts them, which KeyBERT counts with
_TOGETHER = re.compile(r"[\s-]+")


def candidates_of(text: str) -> list[str]:
    """Words that tell something and pairs of them that stand together in one clause, lower case, in order, each once."""
    words = [found for found in _WORD.finditer(text.lower()) if _tells(found.group())]
    return list(dict.fromkeys([*(word.group() for word in words), *_pairs(text.lower(), words)]))


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A text's candidates. whole: (d,), the text's vector; vectors: (n, d), a row a candidate; all of unit norm."""

    text: str
    candidates: Sequence[str]
    whole: NDArray[np.float32]
    vectors: Vectors


def choose_keywords(weighed: Weighed, most: int, diversity: float) -> list[str]:
    """At most so many of the candidates, the nearest to the whole first. diversity in [0, 1): how much it counts against a
    candidate that it is near one chosen before; KeyBERT's is 0.5."""
    relevance = weighed.vectors @ weighed.whole
    chosen = most_relevant(relevance, weighed.vectors @ weighed.vectors.T, most, diversity)
    return [weighed.candidates[row] for row in sorted(chosen, key=lambda row: -relevance[row])]


def most_relevant(relevance: NDArray[np.float32], likeness: Vectors, most: int, diversity: float) -> list[int]:
    """Rows in the order chosen, by maximal marginal relevance (Carbonell & Goldstein 1998). relevance: (n,) cosines to what is
    asked; likeness: (n, n) cosines among them."""
    chosen: list[int] = []
    left = list(range(len(relevance)))
    while left and len(chosen) < most:
        known = likeness[np.ix_(left, chosen)].max(axis=1) if chosen else np.zeros(len(left), np.float32)
        worth = (1 - diversity) * relevance[left] - diversity * known
        chosen.append(left.pop(int(np.argmax(worth))))
    return chosen


def _tells(word: str) -> bool:
    return word not in UNTOLD and any(map(str.isalpha, word))


def _pairs(text: str, words: Sequence[re.Match[str]]) -> Iterator[str]:
    """Two words with nothing but a blank or a hyphen between."""
    for first, second in pairwise(words):
        if _TOGETHER.fullmatch(text, first.end(), second.start()):
            yield f"{first.group()} {second.group()}"
