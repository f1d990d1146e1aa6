"""`chapterverse calibrate`: the scores from which answers of one collection are sure, or may be there, by its own texts.

Kept where it was accepted: {school}/_{collection}/calibration-2-{unit}-{model}.json, one for each unit and each model."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from chapterverse.errors import NotFound
from chapterverse.evaluation.calibration import Asked, Told, made_of, maybe_from, sure_from, told_at
from chapterverse.model import Chunk, ChunkId, Hit, Query, QueryKind, Scope, SentenceId, Vectors
from chapterverse.names import path_part
from chapterverse.retrieval.answerable import Standing
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.retrieve import Shelf, best_candidates
from chapterverse.usecases.answerable import judgement_on
from chapterverse.usecases.artefacts import damage_as_loss
from chapterverse.usecases.chunk_evidence import with_sentences
from chapterverse.usecases.chunks import load_chunks
from chapterverse.usecases.contexts import rescorer
from chapterverse.usecases.services import Services
from chapterverse.usecases.shelf import OpenBook, look_in_open_books, model_of

QUESTIONS = 300  # 32 of them must be right and none of them wrong, or more, before any score is sure
CANDIDATES = 20  # more than overlap with any one
TOLD_EVERY = 30  # questions


@dataclass(frozen=True, slots=True)
class Scale:
    """sure: score from which on an answer is right in 95 of 100 cases; None where none is. maybe: what 95 of 100 right answers
    reach. told: what these thresholds, and those that were asked about, do. asked: every question, for a picture of them; none
    in what was accepted before they were kept."""

    sure: float | None
    maybe: float
    told: tuple[Told, ...]
    asked: tuple[Asked, ...] = ()

    def answered_from(self, *, only_sure: bool) -> float:
        """The score below which it refuses."""
        return self.sure if only_sure and self.sure is not None else self.maybe

    def from_score(self, least: float | None, *, only_sure: bool) -> "Scale":
        """The same for a school that wants answers from that score on; None: as it was measured."""
        if least is None:
            return self
        sure = least if only_sure else self.sure and max(self.sure, least)
        return replace(self, maybe=least, sure=sure)

    def standing(self, score: float, *, only_sure: bool) -> Standing:
        """only_sure: what is not sure is refused, where any score is sure at all."""
        if self.sure is not None and score >= self.sure:
            return Standing.SURE
        return Standing.REFUSED if score < self.maybe or (only_sure and self.sure is not None) else Standing.POSSIBLE


@dataclass(frozen=True, slots=True)
class Calibration:
    """questions: that were made. cosine: of the nearest chunk; confidence: that it answers at all, by more than one sign
    (usecases/answerable.py)."""

    model: str
    unit: str
    questions: int
    cosine: Scale
    confidence: Scale


CALIBRATION = TypeAdapter(Calibration)


@dataclass(frozen=True, slots=True)
class Made:
    """A question and the chunks that hold what it was made of."""

    text: str
    holding: frozenset[ChunkId]


def calibrate(
    school: str,
    services: Services,
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
        asked = ask(made, books, plan if plan.hubs else replace(plan, candidates_per_query=CANDIDATES), of_model, progress)
        key = next(iter(books.values())).key
        cosine, confidence = (scale_of([both[of] for both in asked], given) for of, given in ((0, thresholds), (1, ())))
        return Calibration(key.model, key.unit, len(made), cosine, confidence)

    return look_in_open_books(look, Scope(school), services)


def questions_from(books: Mapping[str, OpenBook], services: Services, number: int, seed: int) -> Iterator[Made]:
    """At most so many, of sentences drawn from all sources, and of the questions of entries."""
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    sources = [source for book in books.values() for source in _sources(book, services)]
    yield from (Made(text, holding) for text, holding in made_of(sources, number, draw))


def _sources(book: OpenBook, services: Services) -> Iterator[tuple[str, frozenset[ChunkId]]]:
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
    made: Sequence[Made],
    books: Mapping[str, OpenBook],
    plan: RetrievalPlan,
    services: Services,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> list[tuple[Asked, Asked]]:
    """Each question once among all chunks, and once without those that hold its answer: its cosines, and its confidences."""
    texts = [one.text for one in made]
    queries = tuple(Query(text, QueryKind.QUESTION, number) for number, text in enumerate(texts))
    looked_up = EmbeddedQueries(queries, services.embedder.embed_queries(texts))
    shelf = Shelf(next(iter(books.values())).key.partition, tuple(books))
    rescore = rescorer(plan, [book.key for book in books.values()], services)
    found = best_candidates(looked_up, shelf, plan, services.index, rescore=rescore, words=services.words)
    asking, told = _Asking(books, plan, services), list[tuple[Asked, Asked]]()
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
    services: Services

    def __call__(self, made: Made, vector: Vectors, hits: Sequence[Hit]) -> tuple[Asked, Asked]:
        """vector: (d,). Right is what has the answer among the first `limit`, as many as an application shows."""
        first, others = hits[: self.plan.limit], [hit for hit in hits if hit.record.id not in made.holding]
        right = any(hit.record.id in made.holding for hit in first)
        (cosine, confidence), (without, doubt) = (
            self._scores(made.text, vector, some) for some in (first, others[: self.plan.limit])
        )
        return Asked(cosine, right, without), Asked(confidence, right, doubt)

    def _scores(self, question: str, vector: Vectors, hits: Sequence[Hit]) -> tuple[float, float]:
        """Of the nearest the cosine, re-scored where the plan has that, and of the first ones the confidence; the cosine again
        where nothing is judged."""
        cosine = max((hit.score if self.plan.hubs else float(hit.vector @ vector) for hit in hits), default=-1.0)
        read = with_sentences(question, vector, hits[: self.plan.judged], self.books, self.services)
        judgement = judgement_on(question, read, self.plan, self.services)
        return cosine, judgement.score if judgement else cosine


def scale_of(asked: Sequence[Asked], thresholds: Sequence[float]) -> Scale:
    """thresholds: to be told about, too."""
    sure, maybe = sure_from(asked), maybe_from(asked)
    known = sorted({*thresholds, maybe, *([sure] if sure is not None else [])}, reverse=True)
    return Scale(sure, maybe, tuple(told_at(one, asked) for one in known), tuple(asked))


def accept(school: str, calibration: Calibration, services: Services) -> None:
    """From now on answers of this collection go by it. Raises BucketUnavailable."""
    name = calibration_name(school, calibration.unit, calibration.model, services)
    services.bucket.write(name, CALIBRATION.dump_json(calibration))


def accepted(school: str, services: Services) -> Calibration | None:
    """What was accepted for the texts as they are cut and embedded now; None where nothing was."""
    of_school = services.for_school(school)
    try:
        data = services.bucket.read(calibration_name(school, services.cutter.unit, of_school.embedder.model, services))
        with damage_as_loss():
            return CALIBRATION.validate_json(data)
    except NotFound:
        return None


def calibration_name(school: str, unit: str, model: str, services: Services) -> str:
    """Where it is kept. No book's name begins so."""
    return f"{path_part(school)}/_{services.collection}/calibration-2-{unit}-{path_part(model)}.json"


def forget_accepted(school: str, services: Services) -> None:
    """Answers of this collection go by the specification's thresholds again. Raises BucketUnavailable."""
    model = services.for_school(school).embedder.model
    services.bucket.delete(calibration_name(school, services.cutter.unit, model, services))
