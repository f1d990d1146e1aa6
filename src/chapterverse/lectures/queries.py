"""A window's text to the query that is embedded (S3-5, "Query Construction"): `{text} {keyword} {keyword} …`.

Keywords follow KeyBERT's steps (Grootendorst 2020) on vectors that exist already: candidates are words and pairs of words;
chosen are those close to the whole text and far from each other. Lecturers repeat their terms, so most vectors of a
window are in the cache."""

import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.words import EMPTY, word_set
from chapterverse.lectures.context import Headings
from chapterverse.lectures.model import EnrichedQuery
from chapterverse.library.text.pieces import Count

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


SPECIAL = 2  # tokens that the model adds itself: [CLS] and [SEP]


def build_queries(texts: Sequence[str], keywords: Sequence[Sequence[str]], count: Count, below: int) -> list[str]:
    """A query a text, of fewer than `below` tokens. Where it has more, words go from the beginning of the text: the first of
    them are what the window before had, too. Keywords stay."""
    queries = [_query(text, words) for text, words in zip(texts, keywords, strict=True)]
    return [
        query if tokens + SPECIAL < below else _shortened(text, words, count, below)
        for query, tokens, text, words in zip(queries, count(queries), texts, keywords, strict=True)
    ]


def _shortened(text: str, keywords: Sequence[str], count: Count, below: int) -> str:
    """With the longest end of the text that there is room for."""
    ends = [text[found.start() :] for found in re.finditer(r"\S+", text)] + [""]
    queries = [_query(end, keywords) for end in ends]
    fits = bisect_left(queries, True, hi=len(queries) - 1, key=lambda query: count([query])[0] + SPECIAL < below)
    return queries[fits]


def _query(text: str, keywords: Sequence[str]) -> str:
    return " ".join([text, *keywords]).strip()


KEPT = 20_000  # terms: 30 MB of MiniLM's, 60 MB of bge-base's

Vector = NDArray[np.float32]

Term = tuple[str, str]  # model, words


@dataclass
class TermVectors:
    """In memory, for all lectures of a process; those that were asked for last stay."""

    most: int = KEPT
    _kept: "OrderedDict[Term, Vector]" = field(default_factory=OrderedDict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def embed(self, texts: Sequence[str], terms: Iterable[str], embedder: Embedder) -> tuple[Vectors, Mapping[str, Vector]]:
        """(n, d) of the texts, a row each, and the terms' vectors, all of unit norm. Two calls of the embedder, for the texts
        and for the terms that are new: together, each word would be padded to a window's length, which takes three times as
        long. Raises as Embedder.embed_passages does."""
        wanted = list(dict.fromkeys(terms))
        known = self._known(embedder.model, wanted)
        new = [term for term in wanted if term not in known]
        if new:
            known.update(zip(new, embedder.embed_passages(new), strict=True))
            self._keep(embedder.model, {term: known[term] for term in new})
        return embedder.embed_passages(texts), known

    def _known(self, model: str, terms: Sequence[str]) -> dict[str, Vector]:
        with self._lock:
            known = {term: self._kept[model, term] for term in terms if (model, term) in self._kept}
            for term in known:
                self._kept.move_to_end((model, term))
            return known

    def _keep(self, model: str, vectors: Mapping[str, Vector]) -> None:
        with self._lock:
            for term, vector in vectors.items():
                self._kept[model, term] = vector.copy()  # a view would hold on to all that was embedded with it
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)


MOST_CONCEPTS = 3

NEAR = 0.5  # cosine of a heading to the keywords' mean from which it is named

Choose = Callable[[Weighed, int, float], list[str]]

"""Keywords among candidates: lecture.keywords.choose_keywords, or KeyBERT itself where that is installed."""


@dataclass(frozen=True)
class Enricher:
    """most: keywords of a window, three to five (S3); diversity: see choose_keywords; tokens: that a query stays below;
    concepts_asked: whether headings near the keywords are looked up with them."""

    choose: Choose = choose_keywords
    most: int = 5
    diversity: float = 0.5
    tokens: int = 200
    concepts_asked: bool = False
    terms: TermVectors = field(default_factory=TermVectors)

    def enrich(self, texts: Sequence[str], headings: Sequence[Headings], embedder: Embedder) -> list[EnrichedQuery]:
        """A query a text; the embedder is called once for all texts, and once for all words that are new.

        headings: of the books beside the lecture, whose vectors
        are this embedder's. Raises as the embedder does."""
        candidates = [candidates_of(text) for text in texts]
        wholes, known = self.terms.embed(texts, (term for each in candidates for term in each), embedder)
        keywords = [
            self._keywords(Weighed(text, each, whole, np.stack([known[term] for term in each]))) if each else []
            for text, each, whole in zip(texts, candidates, wholes, strict=True)
        ]
        concepts = [expand_concepts([known[term] for term in each], headings) for each in keywords]
        asked = [[*words, *more] if self.concepts_asked else words for words, more in zip(keywords, concepts, strict=True)]
        queries = build_queries(texts, asked, embedder.count_tokens, self.tokens)
        told = zip(queries, keywords, concepts, strict=True)
        return [EnrichedQuery(query, tuple(words), tuple(near)) for query, words, near in told]

    def _keywords(self, weighed: Weighed) -> list[str]:
        return self.choose(weighed, self.most, self.diversity)


def expand_concepts(keywords: Sequence[NDArray[np.float32]], headings: Sequence[Headings]) -> list[str]:
    """The headings nearest to the mean of the keywords' vectors, at most MOST_CONCEPTS, none that is not NEAR."""
    titles = [title for each in headings for title in each.titles]
    if not keywords or not titles:
        return []
    mean = np.sum(keywords, axis=0)
    nearness = np.concatenate([each.vectors for each in headings]) @ (mean / np.linalg.norm(mean))
    best = np.argsort(-nearness, kind="stable")
    return list(dict.fromkeys(titles[row] for row in best if nearness[row] >= NEAR))[:MOST_CONCEPTS]
