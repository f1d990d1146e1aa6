"""`chapterverse calibrate`: the scores from which answers of one collection are sure, or may be there, by its own texts.

Kept where it was accepted: {school}/_{collection}/calibration-{unit}-{model}.json, one for each unit and each model."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from pydantic import TypeAdapter

from chapterverse.errors import NotFound
from chapterverse.evaluation.calibration import Asked, Told, maybe_from, question_of, sure_from, told_at
from chapterverse.model import Chunk, ChunkId, Hit, Query, QueryKind, Scope, SentenceId
from chapterverse.names import path_part
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.retrieve import Shelf, best_candidates
from chapterverse.usecases.artefacts import damage_as_loss
from chapterverse.usecases.chunks import load_chunks
from chapterverse.usecases.services import Services
from chapterverse.usecases.shelf import OpenBook, look_in_open_books, model_of

QUESTIONS = 200  # a share near 0.95 is then known to 0.015 (standard error)
CANDIDATES = 20  # more than overlap with any one


@dataclass(frozen=True, slots=True)
class Calibration:
    """sure: cosine from which on an answer is right in 95 of 100 cases; None where none is. maybe: what 95 of 100 right answers
    reach. questions: that were made. told: what these thresholds, and those that were asked about, do."""

    model: str
    unit: str
    questions: int
    sure: float | None
    maybe: float
    told: tuple[Told, ...]


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
) -> Calibration:
    """The same texts, number and seed give the same. thresholds: to be told about, too.

    Raises NotFound where there is nothing to ask about, and every RetryableError of the ports."""

    def look(books: Mapping[str, OpenBook]) -> Calibration:
        of_model = services.using(model_of(books))
        made = list(questions_from(books, of_model, number, seed))
        if not made:
            raise NotFound("There is no sentence here that a question can be made of: add sources first.")
        asked = ask(made, books, replace(plan, candidates_per_query=CANDIDATES), of_model)
        key = next(iter(books.values())).key
        sure, maybe = sure_from(asked), maybe_from(asked)
        known = sorted({*thresholds, maybe, *([sure] if sure is not None else [])}, reverse=True)
        return Calibration(key.model, key.unit, len(made), sure, maybe, tuple(told_at(one, asked) for one in known))

    return look_in_open_books(look, Scope(school), services)


def questions_from(books: Mapping[str, OpenBook], services: Services, number: int, seed: int) -> Iterator[Made]:
    """At most so many, of sentences drawn from all sources, and of the questions of entries."""
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    sources = [source for book in books.values() for source in _sources(book, services)]
    draw.shuffle(sources)
    made = (Made(text, holding) for given, holding in sources if (text := question_of(given, draw)))
    yield from (one for one, _ in zip(made, range(number), strict=False))


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


def ask(made: Sequence[Made], books: Mapping[str, OpenBook], plan: RetrievalPlan, services: Services) -> list[Asked]:
    """Each question once among all chunks, and once without those that hold its answer."""
    texts = [one.text for one in made]
    queries = tuple(Query(text, QueryKind.QUESTION, number) for number, text in enumerate(texts))
    looked_up = EmbeddedQueries(queries, services.embedder.embed_queries(texts))
    shelf = Shelf(next(iter(books.values())).key.partition, tuple(books))
    found = best_candidates(looked_up, shelf, plan, services.index, words=services.words)
    vectors = zip(looked_up.vectors, found, made, strict=True)
    return [
        _asked([(hit, float(vector @ hit.vector)) for hit in hits], one.holding, plan.limit) for vector, hits, one in vectors
    ]


def _asked(hits: Sequence[tuple[Hit, float]], holding: frozenset[ChunkId], limit: int) -> Asked:
    """The score is the best cosine of the first `limit`, as for the bands of an answer."""
    others = [(hit, cosine) for hit, cosine in hits if hit.record.id not in holding]
    right = any(hit.record.id in holding for hit, _ in hits[:limit])
    return Asked(_best(hits[:limit]), right, _best(others[:limit]))


def _best(hits: Sequence[tuple[Hit, float]]) -> float:
    return max((cosine for _, cosine in hits), default=-1.0)


def accept(school: str, calibration: Calibration, services: Services) -> None:
    """From now on the bands of this collection are these. Raises BucketUnavailable."""
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


def least_of_bands(school: str, services: Services) -> Mapping[str, float]:
    """What was accepted, as AnswerStyle.with_least takes it; empty where nothing was. No score is "high" where none is sure."""
    found = accepted(school, services)
    if found is None:
        return {}
    return {"high": inf if found.sure is None else found.sure, "medium": found.maybe}


def calibration_name(school: str, unit: str, model: str, services: Services) -> str:
    """Where it is kept. No book's name begins so."""
    return f"{path_part(school)}/_{services.collection}/calibration-{unit}-{path_part(model)}.json"
