"""The words of a text as they are looked for: stems, without those that say nothing of a subject."""

import re
from collections.abc import Mapping, Sequence
from math import log

from chapterverse.evidence.checks.vocabulary import EMPTY, NEGATIONS
from chapterverse.evidence.checks.words import stem

UNSAID = EMPTY - NEGATIONS  # "not" and "never" are what tells two questions of one product apart
_WORD = re.compile(r"[^\W_]+")


def terms_of(text: str) -> list[str]:
    """In order, as often as they come: lower case, by Porter's second algorithm (Snowball, "english")."""
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in UNSAID]


def distinct_terms(text: str) -> list[str]:
    """The same, each once."""
    return list(dict.fromkeys(terms_of(text)))


def rarity(chunks_with_it: int, chunks: int) -> float:
    """How much a term tells: the inverse document frequency of BM25, in the form that is never negative (Lucene's
    BM25Similarity, after Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework")."""
    return log(1 + (chunks - chunks_with_it + 0.5) / (chunks_with_it + 0.5))


def covered(terms: Sequence[str], rarities: Mapping[str, float], text: str) -> float:
    """The share in [0, 1] of what the terms tell that is in the text; 0 where they tell nothing."""
    total = sum(rarities[term] for term in terms)
    there = set(terms_of(text))
    return sum(rarities[term] for term in terms if term in there) / total if total else 0.0
