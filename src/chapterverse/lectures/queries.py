"""A window's text to the query that is embedded (S3-5, "Query Construction"): `{text} {keyword} {keyword} …`.

Keywords follow KeyBERT's steps (Grootendorst 2020) on vectors that exist already: candidates are words and pairs of words;
chosen are those close to the whole text and far from each other. Lecturers repeat their terms, so most vectors of a
window are in the cache."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.words import EMPTY, word_set
from chapterverse.lectures.context import Headings
from chapterverse.lectures.model import EnrichedQuery
from chapterverse.library.text.chunking import Count

# Filler words, and the halves of "don't" and "we'll", which _WORD separates.
SPOKEN = word_set("""
um uh er ah hmm okay ok yeah yes yep well right so like know think mean going gonna want wanna let lets see look go goes went
come comes kind sort actually basically really maybe perhaps quite anyway alright please sorry thank thanks guys everybody
everyone question today tell talk talking called call exactly obviously course way lot bit here there back
every above below before after
re ve ll don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain shan mustn needn
""")

STOP_WORDS = EMPTY | SPOKEN
_WORD = re.compile(r"\b\w\w+\b")  # words as in scikit-learn's CountVectorizer, which KeyBERT uses
_TOGETHER = re.compile(r"[\s-]+")


def candidates_of(text: str) -> list[str]:
    """Content words, then pairs of adjacent ones, lower case, in order, each once."""
    words = [match for match in _WORD.finditer(text.lower()) if _has_content(match.group())]
    return list(dict.fromkeys([*(word.group() for word in words), *_pairs(text.lower(), words)]))


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """Candidates of a text. whole: (d,), vector of the text; vectors: (n, d), of the candidates; all unit norm."""

    text: str
    candidates: Sequence[str]
    whole: NDArray[np.float32]
    vectors: Vectors


def choose_keywords(weighed: Weighed, limit: int, diversity: float) -> list[str]:
    """At most `limit` candidates, nearest to the whole text first. diversity in [0, 1): penalty for being near a chosen one;
    KeyBERT's is 0.5."""
    relevance = weighed.vectors @ weighed.whole
    chosen = select_diverse(relevance, weighed.vectors @ weighed.vectors.T, limit, diversity)
    return [weighed.candidates[row] for row in sorted(chosen, key=lambda row: -relevance[row])]


def select_diverse(relevance: NDArray[np.float32], likeness: Vectors, limit: int, diversity: float) -> list[int]:
    """Rows in the order chosen by maximal marginal relevance (Carbonell & Goldstein 1998). relevance: (n,) cosines with the
    query; likeness: (n, n) cosines among the rows."""
    chosen: list[int] = []
    left = list(range(len(relevance)))
    while left and len(chosen) < limit:
        known = likeness[np.ix_(left, chosen)].max(axis=1) if chosen else np.zeros(len(left), np.float32)
        worth = (1 - diversity) * relevance[left] - diversity * known
        chosen.append(left.pop(int(np.argmax(worth))))
    return chosen


def _has_content(word: str) -> bool:
    return word not in STOP_WORDS and any(map(str.isalpha, word))


def _pairs(text: str, words: Sequence[re.Match[str]]) -> Iterator[str]:
    """Words with only a blank or a hyphen between them."""
    for first, second in pairwise(words):
        if _TOGETHER.fullmatch(text, first.end(), second.start()):
            yield f"{first.group()} {second.group()}"


SPECIAL = 2  # tokens that the model adds itself: [CLS] and [SEP]


def build_queries(texts: Sequence[str], keywords: Sequence[Sequence[str]], count: Count, below: int) -> list[str]:
    """One query per text, of fewer than `below` tokens. A longer one loses words at its beginning, which the previous window
    had as well; keywords stay."""
    queries = [_query(text, words) for text, words in zip(texts, keywords, strict=True)]
    return [
        query if tokens + SPECIAL < below else _shortened(text, words, count, below)
        for query, tokens, text, words in zip(queries, count(queries), texts, keywords, strict=True)
    ]


def _shortened(text: str, keywords: Sequence[str], count: Count, below: int) -> str:
    """A query with the longest end of the text that fits."""
    ends = [text[match.start() :] for match in re.finditer(r"\S+", text)] + [""]
    queries = [_query(end, keywords) for end in ends]
    fits = bisect_left(queries, True, hi=len(queries) - 1, key=lambda query: count([query])[0] + SPECIAL < below)
    return queries[fits]


def _query(text: str, keywords: Sequence[str]) -> str:
    return " ".join([text, *keywords]).strip()


MAX_TERMS = 20_000  # 30 MB with MiniLM, 60 MB with bge-base
Vector = NDArray[np.float32]
Term = tuple[str, str]  # model, words


class TermVectors:
    """Vectors of the terms used last, for all lectures of a process; safe for threads."""

    def __init__(self, max_terms: int = MAX_TERMS) -> None:
        self._vectors: LRUCache[Term, Vector] = LRUCache(max_terms)
        self._lock = Lock()

    def embed(self, texts: Sequence[str], terms: Iterable[str], embedder: Embedder) -> tuple[Vectors, Mapping[str, Vector]]:
        """Vectors of the texts, (n, d), and of the terms, all unit norm. The embedder is called for the texts and for new terms
        apart: together, each term would be padded to a window's length, which takes three times as long. Raises as the
        embedder does."""
        wanted = list(dict.fromkeys(terms))
        with self._lock:
            known = {term: found for term in wanted if (found := self._vectors.get((embedder.model, term))) is not None}
        new = [term for term in wanted if term not in known]
        if new:
            vectors = {term: vector.copy() for term, vector in zip(new, embedder.embed_passages(new), strict=True)}  # no views
            known |= vectors
            with self._lock:
                self._vectors.update({(embedder.model, term): vector for term, vector in vectors.items()})
        return embedder.embed_passages(texts), known


MAX_CONCEPTS = 3
NEAR = 0.5  # minimum cosine of a concept with the mean of the keywords

Choose = Callable[[Weighed, int, float], list[str]]
"""Chooses keywords: choose_keywords, or KeyBERT if it is installed."""


@dataclass(frozen=True)
class Enricher:
    """Makes queries for windows. max_keywords: of a window, three to five (S3); diversity: see choose_keywords; tokens: a query
    has fewer; with_concepts: whether a query contains headings near the keywords."""

    choose: Choose = choose_keywords
    max_keywords: int = 5
    diversity: float = 0.5
    tokens: int = 200
    with_concepts: bool = False
    terms: TermVectors = field(default_factory=TermVectors)

    def enrich(self, texts: Sequence[str], headings: Sequence[Headings], embedder: Embedder) -> list[EnrichedQuery]:
        """One query per text; one call of the embedder for the texts, and one for new words.

        headings: of the attached books, with vectors of this embedder. Raises as the embedder does."""
        candidates = [candidates_of(text) for text in texts]
        wholes, known = self.terms.embed(texts, (term for each in candidates for term in each), embedder)
        keywords = [
            self._keywords(Weighed(text, each, whole, np.stack([known[term] for term in each]))) if each else []
            for text, each, whole in zip(texts, candidates, wholes, strict=True)
        ]
        concepts = [expand_concepts([known[term] for term in each], headings) for each in keywords]
        added = [[*words, *more] if self.with_concepts else words for words, more in zip(keywords, concepts, strict=True)]
        queries = build_queries(texts, added, embedder.count_tokens, self.tokens)
        parts = zip(queries, keywords, concepts, strict=True)
        return [EnrichedQuery(query, tuple(words), tuple(near)) for query, words, near in parts]

    def _keywords(self, weighed: Weighed) -> list[str]:
        return self.choose(weighed, self.max_keywords, self.diversity)


def expand_concepts(keywords: Sequence[NDArray[np.float32]], headings: Sequence[Headings]) -> list[str]:
    """Headings nearest to the mean of the keywords' vectors: at most MAX_CONCEPTS, with a cosine of at least NEAR."""
    titles = [title for each in headings for title in each.titles]
    if not keywords or not titles:
        return []
    mean = np.sum(keywords, axis=0)
    nearness = np.concatenate([each.vectors for each in headings]) @ (mean / np.linalg.norm(mean))
    best = np.argsort(-nearness, kind="stable")
    return list(dict.fromkeys(titles[row] for row in best if nearness[row] >= NEAR))[:MAX_CONCEPTS]
