"""Which unit of the chunks that were found answers the question (search/units.py), and how likely any of them does; and which
FAQ entry.

A logistic regression over what the trained reader of answers says and what question and unit have in common, fitted by
scripts/eval/fit_units.py to questions on documents of our own: the cosines, the question's words, rare ones counting more,
words for the same matter, and whether the unit looks like an answer. Figures: docs/quality.md."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf, log1p

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import ChunkId, Kind, SentenceId
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Passage, Vectors
from chapterverse.core.words import are_english, distinct_terms, terms_of
from chapterverse.library.services import CollectionServices
from chapterverse.questions.school_words import keys_in, look_of_answer, related_terms
from chapterverse.search.chunks import FoundChunk
from chapterverse.search.plan import DEFAULT_THRESHOLDS
from chapterverse.search.rerank import logistic

ENTRY_FEATURES: Mapping[str, float] = {  # with their weights, for all-MiniLM-L6-v2: scripts/eval/fit_entries.py
    "reader's log odds of the question": 0.24,
    "reader's log odds of the answer": 0.16,
    "cosine of the entry": 4.57,
    "cosine of the answer's nearest sentence": 1.62,
    "question's words in the entry's question": 0.51,
    "question's words in the answer alone": 1.03,
    "words for the same matter in the entry's question": 1.52,
}
ENTRY_WEIGHTS, ENTRY_BASE = np.array(list(ENTRY_FEATURES.values())), -1.97
TOPIC_HELP = (
    0.8  # of an entry's score with the topic before the question; from 0.6 to 1 little changes (eval.desk_conversations)
)
SAME_ENTRY_HELP = 0.3  # the same for the entry that answered before; with more it hides entries that are named
READ_CHUNKS = 10  # of which the units are read; in 0.92 of syllabus questions one of them has the answer, among three 0.84
FEW_WORDS = 4  # a sentence with fewer is a remainder of a line
PART = 700  # characters that are read at once: as much as the windows of a document have, of which the reader has learned
MATCHING_ROWS = 3  # of the tables of a chunk, read besides the sentences nearest to the question
NAMED = 1.0  # logarithm of the odds that the date, code or grade of the question adds to a row
LANGUAGE_CHUNKS = 3  # chunks whose words tell the language
FEATURES: Mapping[str, float] = {  # with their weights, for all-MiniLM-L6-v2
    "reader's log odds of the sentence": 0.23,
    "reader's log odds of the unit": 0.38,
    "cosine of the sentence": 0.72,
    "cosine of the unit under its heading": 4.04,
    "question's words in the unit": 0.91,
    "words for the same matter": 1.46,
    "words of either kind in the headings": 2.23,
    "question's words in the chunk": 0.14,
    "looks like an answer": 0.44,
    "lacks the look of an answer": -0.33,
    "place of the chunk": 0.22,
    "logarithm of words": 0.23,
    "more than one sentence": 0.02,
    "ends with a colon": 0.41,
    "few words": -1.08,
}
WEIGHTS, BASE = np.array(list(FEATURES.values())), -1.74
Numbers = NDArray[np.float64]
LOG = logging.getLogger(__name__)
_WORD = re.compile(r"[^\W\d_]{2,}")
_GRADE = re.compile(r"(?<![\w-])[A-F](?:[+–−-](?!\w)|\b)")
_EXERCISES = re.compile(r"[\d.\s]*(?:(?:review|study|discussion|practice) )?(?:questions|exercises|problems)", re.IGNORECASE)
_TASK = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:name|explain|describe|give|list|define|discuss|compare|calculate|draw|show|state|find|suppose)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:^|[.?!:])\W*A (?=[a-z])")
_ASKS_WHAT = re.compile(r"\W*(?:what|which)\b", re.IGNORECASE)  # is on a day: no sentence about another day answers


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """Passages of a chunk that answer together, in reading order. score: logarithm of the odds that they answer. vector: of the
    text under its heading. terms: of that text. source: number of the source with the chunk, 0 before it has one. is_named: a
    row of a table with a date, code or grade of the question."""

    chunk: ChunkId
    passages: tuple[Passage, ...]
    score: float
    vector: Vectors
    terms: frozenset[str]
    source: int = 0
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class CandidateUnit:
    """A passage of a chunk with those it answers together with. rank: of the chunk, from 0. keys: those of the question that a
    row has."""

    found: FoundChunk
    rank: int
    passage: Passage
    passages: tuple[Passage, ...]
    keys: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        return "\n".join(one.sentence.text for one in self.passages)

    @property
    def headings(self) -> tuple[str, ...]:
        return headings_of(self.passage)

    @property
    def compared(self) -> str:
        return ". ".join([*self.headings[-1:], self.text])


@dataclass(frozen=True, slots=True)
class _QuestionTerms:
    """A question with the rarity of its terms. grades: "B+". keys: keys_in it, and those."""

    terms: Sequence[str]
    rarities: Mapping[str, float]
    look: re.Pattern[str] | None
    grades: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    asks_what: bool = False

    def names_others(self, text: str) -> bool:
        """Whether the text names other dates, codes or weeks than the question, and none of the question's."""
        there = keys_in(text)
        kinds = {key.split()[0] for key in self.keys}
        return not there & self.keys and any(key.split()[0] in kinds for key in there)

    def share(self, wanted: Sequence[str]) -> float:
        """Share in [0, 1] of the question's terms that these are, by rarity."""
        whole = sum(self.rarities[term] for term in self.terms)
        return sum(self.rarities[term] for term in wanted) / whole if whole else 0.0

    def features(self, candidate: CandidateUnit, cosine: float, odds: Mapping[SentenceId, float]) -> tuple[float, ...]:
        """In the order of FEATURES. cosine: of the unit under its heading; odds: of each sentence, by the reader."""
        text, own = candidate.text, candidate.passage.sentence.text
        there, above = self._terms_in(text), set(terms_of(" ".join(candidate.headings)))
        chunk = set(terms_of(" ".join((candidate.found.chunk.text, *candidate.found.chunk.headings))))
        near = {term: {term, *related_terms(term)} for term in self.terms}
        literal = [term for term in self.terms if term in there]
        related = [term for term in self.terms if term not in there and near[term] & there]
        headed = [term for term in self.terms if not near[term] & there and near[term] & above]
        return (
            odds[candidate.passage.sentence.id],
            max(odds.get(one.sentence.id, -inf) for one in candidate.passages),
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

    def matching(self, text: str) -> float:
        """Share in [0, 1] of the question's terms for which the text has a word."""
        there = self._terms_in(text)
        return self.share([term for term in self.terms if {term, *related_terms(term)} & there])

    def _terms_in(self, text: str) -> set[str]:
        """The terms of the text, but for grades other than those of the question: a "B+" is no "B"."""
        others = self.grades - grades_in(text) if self.grades else ()
        return set(terms_of(text)) - {grade[0].lower() for grade in others}


def grades_in(text: str) -> frozenset[str]:
    """The grades "B", "B+", "A-" in the text."""
    return frozenset(re.sub("[–−]", "-", grade) for grade in _GRADE.findall(text))


def is_exercise(passage: Passage) -> bool:
    """Whether it is a task under "Review questions" or the like."""
    headings = headings_of(passage)
    return bool(headings and _EXERCISES.fullmatch(headings[-1]) and _TASK.match(passage.sentence.text))


def _keys_of_row(row: Passage, header: Passage) -> frozenset[str]:
    """What the row names, grades included; a number that it begins with belongs to the first word of its header: "Week"."""
    first = "" if header is row else header.sentence.text.split()[0]
    return keys_in(f"{first} {row.sentence.text}") | grades_in(row.sentence.text)


def score_units(question: str, found: Sequence[FoundChunk], services: CollectionServices) -> list[ScoredUnit]:
    """The units of the chunks without questions, each once, best first; none for FAQ entries and where they cannot be read
    (_read). One embed call. Raises EmbedderUnavailable, IndexUnavailable."""
    candidates, vectors, rows = read_units(question, found, services)
    scores = rows @ WEIGHTS + BASE + NAMED * np.array([bool(one.keys) for one in candidates])
    return [
        ScoredUnit(
            candidates[at].found.chunk.id,
            candidates[at].passages,
            float(scores[at]),
            vectors[at],
            frozenset(terms_of(candidates[at].compared)),
            is_named=bool(candidates[at].keys),
        )
        for at in np.argsort(-scores, kind="stable")
    ]


def read_units(
    question: str, found: Sequence[FoundChunk], services: CollectionServices
) -> tuple[list[CandidateUnit], Vectors, Numbers]:
    """The candidates with their vectors, (n, d), and features, (n, len(FEATURES)). Raises as score_units."""
    chunks = [one for one in found[:READ_CHUNKS] if not one.chunk.question]
    odds = _odds_of_sentences(question, chunks, services) if chunks else None
    if odds is None or services.words is None:
        return [], np.empty((0, 0), np.float32), np.empty((0, len(FEATURES)))
    embedder, terms = services.using(chunks[0].book.key.model).embedder, distinct_terms(question)
    grades = grades_in(_ARTICLE.sub("", question))
    rarities = services.words.rarities(chunks[0].book.key.partition, terms)
    question_terms = _QuestionTerms(
        terms, rarities, look_of_answer(question), grades, keys_in(question) | grades, bool(_ASKS_WHAT.match(question))
    )
    candidates = _candidates(chunks, odds, question_terms)
    [wanted] = embedder.embed_queries([question])
    vectors = embedder.embed_passages([one.compared for one in candidates])
    rows = [question_terms.features(one, float(vector @ wanted), odds) for one, vector in zip(candidates, vectors, strict=True)]
    return candidates, vectors, np.array(rows)


def _odds_of_sentences(
    question: str, found: Sequence[FoundChunk], services: CollectionServices
) -> dict[SentenceId, float] | None:
    """What the reader says of each sentence of the chunks, of one in two chunks the better; None if it does not read."""
    parts = [(part, paragraphs) for one in found for part, paragraphs in passages_of(one)]
    read = _read(question, [paragraphs for _, paragraphs in parts], found, services)
    if read is None:
        return None
    odds: dict[SentenceId, float] = {}
    for (part, _), its in zip(parts, read, strict=True):
        for passage, value in zip(part, its[1:], strict=True):
            odds[passage.sentence.id] = max(value, odds.get(passage.sentence.id, -inf))
    return odds


def _read(
    question: str, passages: Sequence[Sequence[Sequence[str]]], found: Sequence[FoundChunk], services: CollectionServices
) -> list[list[float]] | None:
    """What the reader says; None without a reader or an index of words, if it fails, for an embedding model that the weights
    were not fitted to, and for texts in another language than English, which it has not learned."""
    read, is_fitted = services.read_answers, found[0].book.key.model in DEFAULT_THRESHOLDS
    words = [word for one in found[:LANGUAGE_CHUNKS] for word in _WORD.findall(one.chunk.text)]
    if read is None or services.words is None or not is_fitted or not are_english(words):
        return None
    try:
        return read(question, passages)
    except ModelUnavailable:
        LOG.exception("reader of answers unavailable")
        return None


def passages_of(found: FoundChunk) -> Iterator[tuple[Sequence[Passage], list[list[str]]]]:
    """Sentences of the chunk as the reader reads them, in reading order: so many at a time as it has learned to read, by
    paragraph, after the heading they stand under."""
    part, characters = list[Passage](), 0
    for passage in found.every:
        if part and characters + len(passage.sentence.text) > PART:
            yield part, _paragraphs(part)
            part, characters = [], 0
        part.append(passage)
        characters += len(passage.sentence.text)
    yield part, _paragraphs(part)


def _paragraphs(part: Sequence[Passage]) -> list[list[str]]:
    by_paragraph = groupby((one.sentence for one in part), key=lambda one: (one.address.chapter.index, one.address.paragraph))
    heading = " ".join(headings_of(part[0])[-2:])
    return [[heading or "."], *([one.text for one in its] for _, its in by_paragraph)]


def entry_paragraphs(question: str, answer: str) -> list[list[str]]:
    """An FAQ entry as the reader reads it: without a heading, its question, and its answer as one sentence."""
    return [["."], [question], [answer]]


def headings_of(passage: Passage) -> tuple[str, ...]:
    """Chapter, or else the book's title, and sections, outermost first."""
    address = passage.sentence.address
    return tuple(filter(None, (address.chapter.name or passage.book_title, *address.section_path)))


def _candidates(found: Sequence[FoundChunk], odds: Mapping[SentenceId, float], question: _QuestionTerms) -> list[CandidateUnit]:
    """Of each chunk, the sentences nearest to the question, those that likeliest answer it, the rows with most of its words and
    those with its keys; no header of a table without a row, no other row where one has more keys, and then nothing about
    another date to "What is on 3 May?"."""
    candidates: dict[str, CandidateUnit] = {}
    for rank, one in enumerate(found):
        every = one.every
        likeliest = sorted(every, key=lambda each: -odds[each.sentence.id])[: len(one.passages)]
        rows = [each for each in every if each.sentence.kind is Kind.TABLE]
        matching = sorted(rows, key=lambda each: -question.matching(each.sentence.text))[:MATCHING_ROWS]
        for passage in (*one.passages, *likeliest, *matching, *(rows if question.keys else ())):
            is_question = (passage.sentence.text.rstrip().endswith("?") and len(one.passages) > 1) or is_exercise(passage)
            if passage.sentence.id not in candidates and not is_question:
                together, is_row = one.together(passage), passage.sentence.kind is Kind.TABLE
                keys = question.keys & _keys_of_row(passage, together[0]) if question.keys and is_row else frozenset[str]()
                if keys or passage in one.passages or passage in likeliest or passage in matching:
                    candidates[passage.sentence.id] = CandidateUnit(one, rank, passage, together, keys)
    of_tables = [one for one in candidates.values() if one.passage.sentence.kind is Kind.TABLE]
    most = max((len(one.keys) for one in of_tables), default=0)
    passed_over = {one.passages[0].sentence.id for one in of_tables if one.passages[0] is not one.passage}
    passed_over |= {one.passage.sentence.id for one in of_tables if len(one.keys) < most}
    if most and question.asks_what:
        passed_over |= {one.passage.sentence.id for one in candidates.values() if question.names_others(one.text)}
    return [one for id, one in candidates.items() if id not in passed_over]


@dataclass(frozen=True, slots=True)
class OrderedEntries:
    """Chunks, the FAQ entries among them with the likeliest first, in the places that entries have. lead: logarithm of the odds
    of the first entry against the second; infinite without a second. is_same: the first asks the same in the same words.
    chance: in [0, 1], that the first answers, if half of all questions have an answer; None if entries were not read."""

    chunks: Sequence[FoundChunk]
    lead: float = inf
    is_same: bool = False
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message that leans on the answer before. entry: question of the entry that answered; query: the message with that
    before it; found: for the query."""

    entry: str
    query: str
    found: Sequence[FoundChunk]

    @property
    def is_of_entry(self) -> bool:
        """Whether an entry, and no document, answered before."""
        return any(one.chunk.question == self.entry for one in self.found)

    def repeats(self, message: str) -> bool:
        """Whether the query only finds the entry again that answered before: it is first, and lacks words of the message."""
        first = self.found[0].chunk if self.found else None
        return bool(first and first.question == self.entry and not _has_words(message, first.text))

    def help(self, message: str, entries: Sequence[FoundChunk], services: CollectionServices) -> Numbers:
        """What the topic adds to the scores of entries that were found for the message, never less than nothing. The entry that
        answered before is helped only if it has the message's words. Raises IndexUnavailable."""
        by_id = {one.chunk.id: one for one in self.found if one.chunk.question}
        near = [by_id[one.chunk.id] for one in entries if one.chunk.id in by_id]
        rows = read_entries(self.query, near, services) if near else None
        scores = (
            dict(zip((one.chunk.id for one in near), rows @ ENTRY_WEIGHTS + ENTRY_BASE, strict=True))
            if rows is not None
            else {}
        )
        return np.array([self._weight(message, one) * np.logaddexp(0.0, scores.get(one.chunk.id, -inf)) for one in entries])

    def _weight(self, message: str, one: FoundChunk) -> float:
        if one.chunk.question != self.entry:
            return TOPIC_HELP
        return SAME_ENTRY_HELP if _has_words(message, one.chunk.text) else 0.0


def _has_words(message: str, text: str) -> bool:
    return set(distinct_terms(message)) <= set(terms_of(text))


def order_entries(
    question: str, found: Sequence[FoundChunk], services: CollectionServices, follow_up: FollowUp | None = None
) -> OrderedEntries:
    """The chunks as they are where no entry is first, or where the entries cannot be read. follow_up: what the question may
    lean on. Raises IndexUnavailable."""
    entries = [one for one in found if one.chunk.question]
    rows = read_entries(question, entries, services) if entries and found[0] is entries[0] else None
    if rows is None:
        return OrderedEntries(found)
    scores = rows @ ENTRY_WEIGHTS + ENTRY_BASE
    if follow_up:
        scores += follow_up.help(question, entries, services)
    is_same = np.array([_is_same_question(question, one.chunk.question or "") for one in entries])
    best = np.argsort(-np.where(is_same, inf, scores), kind="stable")
    ordered = iter(entries[at] for at in best)
    chunks = [next(ordered) if one.chunk.question else one for one in found]
    others = [at for at in best[1:] if entries[at].chunk.question != entries[best[0]].chunk.question]
    lead = float(scores[best[0]] - scores[others[0]]) if others else inf
    return OrderedEntries(chunks, lead, bool(is_same[best[0]]), logistic(float(scores[best[0]])))


def read_entries(question: str, entries: Sequence[FoundChunk], services: CollectionServices) -> Numbers | None:
    """Features of the entries, at least one, (n, len(ENTRY_FEATURES)); None where they cannot be read. Raises
    IndexUnavailable."""
    passages = [entry_paragraphs(one.chunk.question or "", _answer_of(one)) for one in entries]
    odds = _read(question, passages, entries, services)
    if odds is None or services.words is None:
        return None
    terms = distinct_terms(question)
    question_terms = _QuestionTerms(terms, services.words.rarities(entries[0].book.key.partition, terms), None)
    return np.array([(its[1], its[2], *_entry_features(question_terms, one)) for one, its in zip(entries, odds, strict=True)])


def _answer_of(entry: FoundChunk) -> str:
    return entry.chunk.text.partition("\nAnswer: ")[2]


def _entry_features(wanted: _QuestionTerms, entry: FoundChunk) -> tuple[float, ...]:
    """In the order of ENTRY_FEATURES, after what the reader says."""
    question = entry.chunk.question or ""
    named, told = set(terms_of(question)), set(terms_of(_answer_of(entry)))
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
    return logistic(best.score)
