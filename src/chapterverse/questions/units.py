"""Which unit of the chunks that were found answers the question (search/units.py), and how likely any of them does; and which
FAQ entry.

A logistic regression over what question and unit have in common, fitted by scripts/eval/fit_units.py to questions on six
documents of our own: the cosines, the question's words, rare ones counting more, words for the same matter, and whether the
unit looks like an answer. Figures: docs/quality.md."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log1p

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import ChunkId
from chapterverse.core.hits import Passage, Vectors
from chapterverse.core.ports import LexicalIndex
from chapterverse.core.words import distinct_terms, terms_of
from chapterverse.library.services import CollectionServices
from chapterverse.questions.school_words import look_of_answer, related_terms
from chapterverse.search.chunks import FoundChunk
from chapterverse.search.plan import DEFAULT_THRESHOLDS

ENTRY_FEATURES: Mapping[str, float] = {  # with their weights, for all-MiniLM-L6-v2: scripts/eval/fit_entries.py
    "cosine of the entry": 18.06,
    "cosine of the answer's nearest sentence": 7.97,
    "question's words in the entry's question": 0.64,
    "question's words in the answer alone": 4.69,
    "words for the same matter in the entry's question": 4.24,
}
ENTRY_WEIGHTS = np.array(list(ENTRY_FEATURES.values()))
READ_CHUNKS = 10  # of which the units are read; in 0.92 of syllabus questions one of them has the answer, among three 0.84
FEW_WORDS = 4  # a sentence with fewer is a remainder of a line
FEATURES: Mapping[str, float] = {  # with their weights, for all-MiniLM-L6-v2
    "cosine of the sentence": 4.05,
    "cosine of the unit under its heading": 3.53,
    "question's words in the unit": 2.30,
    "words for the same matter": 1.77,
    "words of either kind in the headings": 2.11,
    "question's words in the chunk": 0.51,
    "looks like an answer": 0.53,
    "lacks the look of an answer": -0.25,
    "place of the chunk": 0.52,
    "logarithm of words": 0.21,
    "more than one sentence": 0.17,
    "ends with a colon": -1.35,
    "few words": -1.05,
}
WEIGHTS, BASE = np.array(list(FEATURES.values())), -5.62
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """Passages of a chunk that answer together, in reading order. score: logarithm of the odds that they answer. vector: of the
    text under its heading. terms: of that text. source: number of the source with the chunk, 0 before it has one."""

    chunk: ChunkId
    passages: tuple[Passage, ...]
    score: float
    vector: Vectors
    terms: frozenset[str]
    source: int = 0


@dataclass(frozen=True, slots=True)
class CandidateUnit:
    """A passage of a chunk with those it answers together with. rank: of the chunk, from 0."""

    found: FoundChunk
    rank: int
    passage: Passage
    passages: tuple[Passage, ...]

    @property
    def text(self) -> str:
        return "\n".join(one.sentence.text for one in self.passages)

    @property
    def headings(self) -> tuple[str, ...]:
        address = self.passage.sentence.address
        return tuple(filter(None, (address.chapter.name or self.passage.book_title, *address.section_path)))

    @property
    def compared(self) -> str:
        return ". ".join([*self.headings[-1:], self.text])


@dataclass(frozen=True, slots=True)
class _QuestionTerms:
    """A question with the rarity of its terms."""

    terms: Sequence[str]
    rarities: Mapping[str, float]
    look: re.Pattern[str] | None

    def share(self, wanted: Sequence[str]) -> float:
        """Share in [0, 1] of the question's terms that these are, by rarity."""
        whole = sum(self.rarities[term] for term in self.terms)
        return sum(self.rarities[term] for term in wanted) / whole if whole else 0.0

    def features(self, candidate: CandidateUnit, cosine: float) -> tuple[float, ...]:
        """In the order of FEATURES. cosine: of the unit under its heading."""
        text, own = candidate.text, candidate.passage.sentence.text
        there, above = set(terms_of(text)), set(terms_of(" ".join(candidate.headings)))
        chunk = set(terms_of(" ".join((candidate.found.chunk.text, *candidate.found.chunk.headings))))
        near = {term: {term, *related_terms(term)} for term in self.terms}
        literal = [term for term in self.terms if term in there]
        related = [term for term in self.terms if term not in there and near[term] & there]
        headed = [term for term in self.terms if not near[term] & there and near[term] & above]
        return (
            candidate.found.cosines.get(candidate.passage.sentence.id, cosine),
            cosine,
            self.share(literal),
            self.share(related),
            self.share(headed),
            self.share([term for term in self.terms if term in chunk]),
            float(bool(self.look and self.look.search(own))),
            float(bool(self.look and not self.look.search(text))),
            1 / (1 + candidate.rank),
            log1p(len(text.split())),
            float(len(candidate.passages) > 1),
            float(own.rstrip().endswith(":")),
            float(len(own.split()) < FEW_WORDS),
        )


def score_units(question: str, found: Sequence[FoundChunk], services: CollectionServices) -> list[ScoredUnit]:
    """The units of the chunks without questions, each once, best first; none for FAQ entries, without an index of words, and
    for an embedding model that the weights were not fitted to. One embed call. Raises EmbedderUnavailable, IndexUnavailable."""
    candidates, vectors, rows = read_units(question, found, services)
    scores = rows @ WEIGHTS + BASE
    return [
        ScoredUnit(
            candidates[at].found.chunk.id,
            candidates[at].passages,
            float(scores[at]),
            vectors[at],
            frozenset(terms_of(candidates[at].compared)),
        )
        for at in np.argsort(-scores, kind="stable")
    ]


def read_units(
    question: str, found: Sequence[FoundChunk], services: CollectionServices
) -> tuple[list[CandidateUnit], Vectors, Numbers]:
    """The candidates with their vectors, (n, d), and features, (n, len(FEATURES)). Raises as score_units."""
    candidates = _candidates(found[:READ_CHUNKS])
    if not candidates or services.words is None or found[0].book.key.model not in DEFAULT_THRESHOLDS:
        return [], np.empty((0, 0), np.float32), np.empty((0, len(FEATURES)))
    embedder, terms = services.using(found[0].book.key.model).embedder, distinct_terms(question)
    question_terms = _QuestionTerms(
        terms, services.words.rarities(found[0].book.key.partition, terms), look_of_answer(question)
    )
    [wanted] = embedder.embed_queries([question])
    vectors = embedder.embed_passages([one.compared for one in candidates])
    rows = [question_terms.features(one, float(vector @ wanted)) for one, vector in zip(candidates, vectors, strict=True)]
    return candidates, vectors, np.array(rows)


def _candidates(found: Sequence[FoundChunk]) -> list[CandidateUnit]:
    candidates: dict[str, CandidateUnit] = {}
    for rank, one in enumerate(found):
        for passage in () if one.chunk.question else one.passages:
            is_question = passage.sentence.text.rstrip().endswith("?") and len(one.passages) > 1
            if passage.sentence.id not in candidates and not is_question:
                candidates[passage.sentence.id] = CandidateUnit(one, rank, passage, one.together(passage))
    return list(candidates.values())


@dataclass(frozen=True, slots=True)
class OrderedEntries:
    """Chunks, the FAQ entries among them with the likeliest first, in the places that entries have. lead: logarithm of the odds
    of the first entry against the second; infinite without a second. is_same: the first asks the same in the same words."""

    chunks: Sequence[FoundChunk]
    lead: float = inf
    is_same: bool = False


def order_entries(question: str, found: Sequence[FoundChunk], services: CollectionServices) -> OrderedEntries:
    """The chunks as they are where no entry is first, without an index of words, and for an embedding model that the weights
    were not fitted to. Raises IndexUnavailable."""
    entries = [one for one in found if one.chunk.question]
    is_fitted = bool(entries) and entries[0].book.key.model in DEFAULT_THRESHOLDS
    if not is_fitted or found[0] is not entries[0] or services.words is None:
        return OrderedEntries(found)
    scores = read_entries(question, entries, services.words) @ ENTRY_WEIGHTS
    is_same = np.array([_is_same_question(question, one.chunk.question or "") for one in entries])
    best = np.argsort(-np.where(is_same, inf, scores), kind="stable")
    ordered = iter(entries[at] for at in best)
    chunks = [next(ordered) if one.chunk.question else one for one in found]
    others = [at for at in best[1:] if entries[at].chunk.question != entries[best[0]].chunk.question]
    lead = float(scores[best[0]] - scores[others[0]]) if others else inf
    return OrderedEntries(chunks, lead, bool(is_same[best[0]]))


def read_entries(question: str, entries: Sequence[FoundChunk], words: LexicalIndex) -> Numbers:
    """Features of the entries, (n, len(ENTRY_FEATURES)). Raises IndexUnavailable."""
    terms = distinct_terms(question)
    question_terms = _QuestionTerms(terms, words.rarities(entries[0].book.key.partition, terms), None)
    return np.array([_entry_features(question_terms, one) for one in entries])


def _entry_features(wanted: _QuestionTerms, entry: FoundChunk) -> tuple[float, ...]:
    """In the order of ENTRY_FEATURES."""
    question = entry.chunk.question or ""
    named, told = set(terms_of(question)), set(terms_of(entry.chunk.text.partition("\nAnswer: ")[2]))
    return (
        entry.score,
        entry.nearest,
        wanted.share([term for term in wanted.terms if term in named]),
        wanted.share([term for term in wanted.terms if term in told - named]),
        wanted.share([term for term in wanted.terms if term not in named and named & set(related_terms(term))]),
    )


def _is_same_question(question: str, other: str) -> bool:
    """Whether both have the same words in a row."""
    return re.findall(r"\w+", question.casefold()) == re.findall(r"\w+", other.casefold())


def by_units(found: Sequence[FoundChunk], units: Sequence[ScoredUnit]) -> list[FoundChunk]:
    """The chunks in the order of their best units; those without one last."""
    place: dict[str, int] = {}
    for at, unit in enumerate(units):
        place.setdefault(unit.chunk, at)
    return sorted(found, key=lambda one: place.get(one.chunk.id, len(units)))


def chance_of(best: ScoredUnit) -> float:
    """Chance in [0, 1] that it answers, if half of all questions have an answer."""
    return 1 / (1 + exp(-best.score))
