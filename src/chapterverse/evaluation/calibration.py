"""`chapterverse calibrate`: thresholds of one collection, from questions made of its own texts.

Each question is asked twice: among all chunks, and without the chunks that contain its answer. A made question contains a third
of the content words of its text, in order; with half, precision on real questions was lower than promised (docs/quality.md). So
neither a language model nor questions from people are needed. Accepted calibrations are stored by questions/judging.py."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Self, TypeVar

import numpy as np

from chapterverse.core.book import Chunk, ChunkId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Hit, Query, QueryKind, Scope, Vectors
from chapterverse.core.words import terms_of
from chapterverse.essays.model import Rating
from chapterverse.library.chunks import load_chunks
from chapterverse.library.scope import OpenBook, look_in_open_books, model_of
from chapterverse.library.services import CollectionServices
from chapterverse.questions.helpdesk import chance_of
from chapterverse.questions.judging import Calibration, CalibrationQuestion, Scale, ThresholdMetrics
from chapterverse.questions.log import EvaluationCase
from chapterverse.search.chunks import with_sentences
from chapterverse.search.engine import find
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

PRECISION = 0.95  # of answers shown as confident
OWN_REFUSED, OWN_SILENT = 0.5, 0.1
"""Share of the entries' own questions that a help desk does not answer where their entry is left out, if no person has looked
at its calibration; and share for which it names no other entries either. They resemble what people ask and the desk cannot
answer yet, which made questions do not: docs/quality.md."""

RECALL = 0.95  # share of the right answers that are at least shown as possible
SHARE = 1 / 3  # of a text's content words in a question made of it
DRAWS = 4  # questions of one text at most; a small help desk has few texts
NINE_IN_TEN = 1.2816  # 90 % quantile of the normal distribution
MIN_TERMS, MAX_TERMS = 4, 30  # content words of a text that questions are made of
QUESTIONS = 300  # of a calibration; a confident threshold needs at least 32 right answers and no wrong one
CANDIDATES = 20  # of a query; more than the chunks that overlap with one
PROGRESS_EVERY = 30  # questions
About = TypeVar("About")
Progress = Callable[[int, int], None]


def question_of(text: str, draw: random.Random, share: float = SHARE) -> str | None:
    """A share of the text's content words, in order; None if it has fewer than MIN_TERMS or more than MAX_TERMS."""
    words = [word for word in text.split() if terms_of(word)]
    if not MIN_TERMS <= len(words) <= MAX_TERMS:
        return None
    places = sorted(draw.sample(range(len(words)), max(2, round(share * len(words)))))
    return " ".join(words[place].strip(".,;:!?()\"'“”‘’") for place in places)


def questions_of(sources: Sequence[tuple[str, About]], number: int, draw: random.Random) -> Iterator[tuple[str, About]]:
    """At most `number` different questions, each with what its text came with; at most DRAWS of a text, and one of every text
    before a second of any."""
    shuffled = draw.sample(sources, len(sources))
    made = ((question_of(text, draw), about) for _ in range(DRAWS) for text, about in shuffled)
    known = set[str]()
    for question, about in made:
        if len(known) == number:
            return
        if question and question not in known:
            known.add(question)
            yield question, about


def metrics_at(threshold: float, questions: Sequence[CalibrationQuestion]) -> ThresholdMetrics:
    """Effect of a threshold. questions: at least one."""
    reached = [one for one in questions if one.score >= threshold]
    right, wrong = sum(one.right for one in reached), sum(one.without >= threshold for one in questions)
    precision = right / (len(reached) + wrong) if reached or wrong else None
    return ThresholdMetrics(threshold, precision, len(reached) / len(questions), 1 - wrong / len(questions))


def confident_from(questions: Sequence[CalibrationQuestion], precision: float = PRECISION) -> float | None:
    """The lowest score of a right answer at which the precision is significantly reached; None without one.

    Significantly: by the lower bound of Wilson's interval (1927) at 90 %. questions: at least one."""
    scores = sorted({one.score for one in questions if one.right})
    return next((score for score in scores if _min_precision(score, questions) >= precision), None)


def _min_precision(threshold: float, questions: Sequence[CalibrationQuestion]) -> float:
    """Lower bound of the precision at a threshold."""
    right = sum(one.right for one in questions if one.score >= threshold)
    reached = sum(one.score >= threshold for one in questions) + sum(one.without >= threshold for one in questions)
    share, spread = right / reached, NINE_IN_TEN**2 / reached
    return (share + spread / 2 - sqrt(spread * (share * (1 - share) + spread / 4))) / (1 + spread)


def possible_from(questions: Sequence[CalibrationQuestion], recall: float = RECALL) -> float:
    """The score that this share of the right answers reaches; 1 if none is right."""
    right = [one.score for one in questions if one.right]
    return float(np.quantile(right, 1 - recall)) if right else 1.0


def by_itself(found: Calibration) -> Calibration:
    """The calibration as it is used without a person: confident from `own` on. Without entries it stays as it is."""
    confident = found.confidence.confident if found.own is None else found.own
    return replace(found, confidence=replace(found.confidence, confident=confident), automatic=True)


@dataclass(frozen=True, slots=True)
class ScaleRecord:
    """A Scale in `calibrate --json`, under the names that are stored, without the single questions."""

    sure: float | None
    maybe: float
    told: Sequence[ThresholdMetrics]

    @classmethod
    def of(cls, scale: Scale) -> Self:
        return cls(scale.confident, scale.possible, scale.metrics)


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """A Calibration in `calibrate --json`. accepted: whether the school's answers use it from now on."""

    model: str
    unit: str
    questions: int
    cosine: ScaleRecord
    confidence: ScaleRecord
    accepted: bool

    @classmethod
    def of(cls, found: Calibration, *, accepted: bool) -> Self:
        scales = ScaleRecord.of(found.cosine), ScaleRecord.of(found.confidence)
        return cls(found.model, found.unit, found.questions, *scales, accepted)


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """A question. holding: the chunks that contain the text it was made of."""

    text: str
    holding: frozenset[ChunkId]


def calibrate(
    school: str,
    services: CollectionServices,
    plan: RetrievalPlan,
    *,
    thresholds: Sequence[float] = (),
    number: int = QUESTIONS,
    seed: int = 0,
    cases: Iterable[EvaluationCase] = (),
    progress: Progress = lambda *_: None,
) -> Calibration:
    """The calibration of a collection; deterministic for the same texts, number, seed and cases. thresholds: cosines to report
    on, too. cases: questions that people rated; those of other collections are left out. progress: called with the number of
    questions asked and of all.

    Raises NotFound if there is nothing to ask about, and every RetryableError of the ports."""

    def look(books: Mapping[str, OpenBook]) -> Calibration:
        of_model = services.using(model_of(books))
        entries = list(questions_of_entries(books, of_model))
        made = list(questions_from(books, of_model, number, seed)) or entries
        if not made:
            raise NotFound("nothing_to_measure")
        made += rated_questions([one for one in cases if one.application == services.collection], books, of_model)
        fewer = plan if plan.hubness_penalty else replace(plan, candidates_per_query=CANDIDATES)
        results = ask(made, books, fewer, of_model, progress)
        cosine = scale_of([cosine for cosine, _ in results], thresholds)
        confidence = scale_of([confidence for _, confidence in results])
        own = [confidence.without for _, confidence in ask(entries, books, fewer, of_model)] if entries else []
        silent, least = (float(np.quantile(own, share)) if own else None for share in (OWN_SILENT, OWN_REFUSED))
        confidence = replace(confidence, near=silent)
        key = next(iter(books.values())).key
        return Calibration(key.model, key.unit, len(made), cosine, confidence, own=least)

    return look_in_open_books(look, Scope(school), services)


def questions_from(
    books: Mapping[str, OpenBook], services: CollectionServices, number: int, seed: int
) -> Iterator[MadeQuestion]:
    """At most `number` questions, made of sentences drawn from all sources and of the questions of FAQ entries."""
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    sources = [source for book in books.values() for source in _sources(book, services)]
    yield from (MadeQuestion(text, holding) for text, holding in questions_of(sources, number, draw))


def questions_of_entries(books: Mapping[str, OpenBook], services: CollectionServices) -> Iterator[MadeQuestion]:
    """The questions of the FAQ entries as they stand."""
    for book in books.values():
        for chunk in load_chunks(services.bucket, book.key):
            if chunk.question:
                yield MadeQuestion(chunk.question, frozenset({chunk.id}))


def rated_questions(
    cases: Sequence[EvaluationCase], books: Mapping[str, OpenBook], services: CollectionServices
) -> Iterator[MadeQuestion]:
    """The questions that people rated: rated up, the chunks of the cited sentences answer, if there still are any; rated down,
    none does."""
    holding = _holding([chunk for book in books.values() for chunk in load_chunks(services.bucket, book.key)]) if cases else {}
    for case in cases:
        chunks = frozenset(chunk for sentence in case.sentences for chunk in holding.get(sentence, ()))
        if case.thumb is Rating.DOWN:
            yield MadeQuestion(case.question, frozenset())
        elif chunks:
            yield MadeQuestion(case.question, chunks)


def _sources(book: OpenBook, services: CollectionServices) -> Iterator[tuple[str, frozenset[ChunkId]]]:
    """Texts to make questions of, each with the chunks that contain it."""
    chunks = load_chunks(services.bucket, book.key)
    for chunk in chunks:
        if chunk.question:
            yield chunk.question, frozenset({chunk.id})
    holding = _holding([chunk for chunk in chunks if not chunk.question])
    for sentence in services.text_of(book.key).sentences(tuple(holding)) if holding else ():
        yield sentence.text, frozenset(holding[sentence.id])


def _holding(chunks: Sequence[Chunk]) -> dict[SentenceId, set[ChunkId]]:
    """The chunks of each sentence."""
    holding: dict[SentenceId, set[ChunkId]] = {}
    for chunk in chunks:
        for sentence in chunk.sentences:
            holding.setdefault(sentence, set()).add(chunk.id)
    return holding


def ask(
    made: Sequence[MadeQuestion],
    books: Mapping[str, OpenBook],
    plan: RetrievalPlan,
    services: CollectionServices,
    progress: Progress = lambda *_: None,
) -> list[tuple[CalibrationQuestion, CalibrationQuestion]]:
    """Ask each question twice; its cosines and its confidences."""
    texts = [one.text for one in made]
    queries = tuple(Query(text, QueryKind.QUESTION, number) for number, text in enumerate(texts))
    embedded = EmbeddedQueries(queries, services.embedder.embed_queries(texts))
    found = find(lambda _: embedded, books, replace(plan, reranked=0), services, lambda result: result.candidates)
    asker, results = _Asker(books, plan, services), list[tuple[CalibrationQuestion, CalibrationQuestion]]()
    for one, vector, hits in zip(made, embedded.vectors, found, strict=True):
        if len(results) % PROGRESS_EVERY == 0:
            progress(len(results), len(made))
        results.append(asker(one, vector, hits))
    return results


@dataclass(frozen=True)
class _Asker:
    """Scores hits as an application does."""

    books: Mapping[str, OpenBook]
    plan: RetrievalPlan
    services: CollectionServices

    def __call__(
        self, made: MadeQuestion, vector: Vectors, hits: Sequence[Hit]
    ) -> tuple[CalibrationQuestion, CalibrationQuestion]:
        """vector: (d,). Right if one of the first `limit` hits, those an application shows, contains the answer."""
        limit = self.plan.limit
        others = [hit for hit in hits if hit.record.id not in made.holding]
        right = any(hit.record.id in made.holding for hit in hits[:limit])
        cosine, confidence = self._scores(made.text, vector, hits[:limit])
        cosine_without, confidence_without = self._scores(made.text, vector, others[:limit])
        return CalibrationQuestion(cosine, right, cosine_without), CalibrationQuestion(confidence, right, confidence_without)

    def _scores(self, question: str, vector: Vectors, hits: Sequence[Hit]) -> tuple[float, float]:
        """(best cosine, chance that something answers); where nothing can be read, the cosine stands for both. Re-scored if
        the plan does so."""
        cosine = max((hit.score if self.plan.hubness_penalty else float(hit.vector @ vector) for hit in hits), default=-1.0)
        if self.plan.hubness_penalty:
            return cosine, cosine
        found = with_sentences(question, vector, hits[: self.plan.limit], self.books, self.services)
        chance = chance_of(question, found, self.services)
        return cosine, cosine if chance is None else chance


def scale_of(questions: Sequence[CalibrationQuestion], thresholds: Sequence[float] = ()) -> Scale:
    """The scale of a score. thresholds: others to report on."""
    confident, possible = confident_from(questions), possible_from(questions)
    known = sorted({*thresholds, possible, *([confident] if confident is not None else [])}, reverse=True)
    return Scale(confident, possible, tuple(metrics_at(one, questions) for one in known), tuple(questions))
