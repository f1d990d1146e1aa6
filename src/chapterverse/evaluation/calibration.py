"""At which score an answer is in the books: questions made of what is there, asked with and without the place they are of.

What a made question shares with its place is a third of its words, in their order: as people ask for something that they hardly
remember. With half of them, answers to people were right less often than was promised (docs/quality.md). So no model is needed,
and no words of anybody who asked.

`chapterverse calibrate`: the scores from which answers of one collection are sure, or may be there, by its own texts.

Kept where it was accepted: {school}/_{collection}/calibration-2-{unit}-{model}.json, one for each unit and each model."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TypeVar

import numpy as np

from chapterverse.core.book import Chunk, ChunkId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Hit, Query, QueryKind, Scope, Vectors
from chapterverse.core.words import terms_of
from chapterverse.library.chunks import load_chunks
from chapterverse.library.scope import OpenBook, look_in_open_books, model_of
from chapterverse.library.services import CollectionServices
from chapterverse.questions.judging import Calibration, CalibrationQuestion, Scale, ThresholdMetrics, answerability_of
from chapterverse.search.chunks import with_sentences
from chapterverse.search.engine import find
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

PRECISION = 0.95  # of ten answers that are shown as sure, nine and a half hold what was asked for

KEPT = 0.95  # share of the questions that are answered which are to be shown something

SHARE = 1 / 3  # of a text's words that say something, in a question made of it

DRAWS = 4  # questions of one text, at most: a small help desk has few texts

NINE_IN_TEN = 1.2816  # the normal distribution's quantile

FEWEST, MOST = 4, 30  # such words in a text that questions are made of

About = TypeVar("About")


def question_of(text: str, draw: random.Random, share: float = SHARE) -> str | None:
    """A share of the words that say something, in their order; None where there are too few or too many of them."""
    words = [word for word in text.split() if terms_of(word)]
    if not FEWEST <= len(words) <= MOST:
        return None
    kept = sorted(draw.sample(range(len(words)), max(2, round(share * len(words)))))
    return " ".join(words[place].strip(".,;:!?()\"'“”‘’") for place in kept)


def made_of(sources: Sequence[tuple[str, About]], number: int, draw: random.Random) -> Iterator[tuple[str, About]]:
    """At most so many questions, all different, each with what its text came with; of a text DRAWS at most, and of every text
    one before a second of any."""
    drawn = draw.sample(sources, len(sources))
    made = ((question_of(text, draw), about) for _ in range(DRAWS) for text, about in drawn)
    known = set[str]()
    for question, about in made:
        if len(known) == number:
            return
        if question and question not in known:
            known.add(question)
            yield question, about


def told_at(threshold: float, asked: Sequence[CalibrationQuestion]) -> ThresholdMetrics:
    """asked: at least one."""
    shown = [one for one in asked if one.score >= threshold]
    right, strays = sum(one.right for one in shown), sum(one.without >= threshold for one in asked)
    precision = right / (len(shown) + strays) if shown or strays else None
    return ThresholdMetrics(threshold, precision, len(shown) / len(asked), 1 - strays / len(asked))


def sure_from(asked: Sequence[CalibrationQuestion], precision: float = PRECISION) -> float | None:
    """The lowest score of a right answer from which on precision is reached, and not by chance; None where it is at none.

    Not by chance: by the lower end of Wilson's interval (1927), which nine in ten samples keep. asked: at least one."""
    enough = (score for score in sorted({one.score for one in asked if one.right}) if _surely(score, asked) >= precision)
    return next(enough, None)


def _surely(least: float, asked: Sequence[CalibrationQuestion]) -> float:
    """The precision at a threshold that there is at least."""
    right = sum(one.right for one in asked if one.score >= least)
    shown = sum(one.score >= least for one in asked) + sum(one.without >= least for one in asked)
    share, spread = right / shown, NINE_IN_TEN**2 / shown
    return (share + spread / 2 - sqrt(spread * (share * (1 - share) + spread / 4))) / (1 + spread)


def maybe_from(asked: Sequence[CalibrationQuestion], kept: float = KEPT) -> float:
    """The score that so many of the right answers reach; 1 where none is right."""
    right = [one.score for one in asked if one.right]
    return float(np.quantile(right, 1 - kept)) if right else 1.0


QUESTIONS = 300  # 32 of them must be right and none of them wrong, or more, before any score is sure

CANDIDATES = 20  # more than overlap with any one

TOLD_EVERY = 30  # questions


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """A question and the chunks that hold what it was made of."""

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
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Calibration:
    """The same texts, number and seed give the same. thresholds: to be told about, too; progress: is told (questions asked, in
    all).

    Raises NotFound where there is nothing to ask about, and every RetryableError of the ports."""

    def look(books: Mapping[str, OpenBook]) -> Calibration:
        of_model = services.using(model_of(books))
        made = list(questions_from(books, of_model, number, seed))
        if not made:
            raise NotFound("nothing_to_measure")
        fewer = plan if plan.hubness_penalty else replace(plan, candidates_per_query=CANDIDATES)
        asked = ask(made, books, fewer, of_model, progress)
        key = next(iter(books.values())).key
        cosine, confidence = (scale_of([both[of] for both in asked], given) for of, given in ((0, thresholds), (1, ())))
        return Calibration(key.model, key.unit, len(made), cosine, confidence)

    return look_in_open_books(look, Scope(school), services)


def questions_from(
    books: Mapping[str, OpenBook], services: CollectionServices, number: int, seed: int
) -> Iterator[MadeQuestion]:
    """At most so many, of sentences drawn from all sources, and of the questions of entries."""
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    sources = [source for book in books.values() for source in _sources(book, services)]
    yield from (MadeQuestion(text, holding) for text, holding in made_of(sources, number, draw))


def _sources(book: OpenBook, services: CollectionServices) -> Iterator[tuple[str, frozenset[ChunkId]]]:
    """Texts that questions are made of, each with the chunks that hold it."""
    chunks = load_chunks(services.bucket, book.key)
    for chunk in chunks:
        if chunk.question:
            yield chunk.question, frozenset({chunk.id})
    holding = _holding([chunk for chunk in chunks if not chunk.question])
    for sentence in services.text_of(book.key).sentences(tuple(holding)) if holding else ():
        yield sentence.text, frozenset(holding[sentence.id])


def _holding(chunks: Sequence[Chunk]) -> dict[SentenceId, set[ChunkId]]:
    found: dict[SentenceId, set[ChunkId]] = {}
    for chunk in chunks:
        for sentence in chunk.sentences:
            found.setdefault(sentence, set()).add(chunk.id)
    return found


def ask(
    made: Sequence[MadeQuestion],
    books: Mapping[str, OpenBook],
    plan: RetrievalPlan,
    services: CollectionServices,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> list[tuple[CalibrationQuestion, CalibrationQuestion]]:
    """Each question once among all chunks, and once without those that hold its answer: its cosines, and its confidences."""
    texts = [one.text for one in made]
    queries = tuple(Query(text, QueryKind.QUESTION, number) for number, text in enumerate(texts))
    looked_up = EmbeddedQueries(queries, services.embedder.embed_queries(texts))
    found = find(lambda _: looked_up, books, replace(plan, reranked=0), services, lambda result: result.candidates)
    asking, told = _Asking(books, plan, services), list[tuple[CalibrationQuestion, CalibrationQuestion]]()
    for one, vector, hits in zip(made, looked_up.vectors, found, strict=True):
        if len(told) % TOLD_EVERY == 0:
            progress(len(told), len(made))
        told.append(asking(one, vector, hits))
    return told


@dataclass(frozen=True)
class _Asking:
    """One question after the other, as an application asks it."""

    books: Mapping[str, OpenBook]
    plan: RetrievalPlan
    services: CollectionServices

    def __call__(
        self, made: MadeQuestion, vector: Vectors, hits: Sequence[Hit]
    ) -> tuple[CalibrationQuestion, CalibrationQuestion]:
        """vector: (d,). Right is what has the answer among the first `limit`, as many as an application shows."""
        first, others = hits[: self.plan.limit], [hit for hit in hits if hit.record.id not in made.holding]
        right = any(hit.record.id in made.holding for hit in first)
        (cosine, confidence), (without, doubt) = (
            self._scores(made.text, vector, some) for some in (first, others[: self.plan.limit])
        )
        return CalibrationQuestion(cosine, right, without), CalibrationQuestion(confidence, right, doubt)

    def _scores(self, question: str, vector: Vectors, hits: Sequence[Hit]) -> tuple[float, float]:
        """Of the nearest the cosine, re-scored where the plan has that, and of the first ones the confidence; the cosine again
        where nothing is judged."""
        cosine = max((hit.score if self.plan.hubness_penalty else float(hit.vector @ vector) for hit in hits), default=-1.0)
        read = with_sentences(question, vector, hits[: self.plan.judged], self.books, self.services)
        judgement = answerability_of(question, read, self.plan, self.services)
        return cosine, judgement.score if judgement else cosine


def scale_of(asked: Sequence[CalibrationQuestion], thresholds: Sequence[float]) -> Scale:
    """thresholds: to be told about, too."""
    sure, maybe = sure_from(asked), maybe_from(asked)
    known = sorted({*thresholds, maybe, *([sure] if sure is not None else [])}, reverse=True)
    return Scale(sure, maybe, tuple(told_at(one, asked) for one in known), tuple(asked))
