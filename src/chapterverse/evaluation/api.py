"""HTTP: variants of a book's sentences, and how well the search finds the sentences by them (S1-19)."""

from collections.abc import Mapping
from http import HTTPStatus
from time import monotonic

from flask import Response
from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.evaluation import settings_schemas as schemas
from chapterverse.evaluation.measurements import EvaluationResult, MeasurementOrder, begin
from chapterverse.evaluation.model import Measured, Measurement
from chapterverse.evaluation.retrieval import LevelMetrics, evaluate, open_library
from chapterverse.evaluation.settings_api import who
from chapterverse.evaluation.variants import SentenceSample, Series, open_series
from chapterverse.library.schemas import MAX_SAMPLE
from chapterverse.library.service import list_books, show_book
from chapterverse.web.operations import LINES, ApiTopic, Call, Request, Whole

topic = ApiTopic("Evaluation")
SECONDS = 10.0  # after which a request starts no further sentence, to end before clients time out
CASES = {LINES: {"type": "string", "description": "One line of a file of variants per case."}}
MAY_RAISE = (errors.NotFound, errors.ModelUnavailable, errors.BucketUnavailable)


class VariantsRequest(Request):
    """Sentences of a book to make variants of."""

    n: Whole = Field(100, ge=1, le=MAX_SAMPLE, description="How many to draw.")
    seed: Whole = Field(0, ge=0, lt=2**31, description="The same seed draws the same sentences.")


class VariantProgress(BaseModel):
    """Of the sentences drawn: how many have variants, were dropped, and are left."""

    book: str
    drawn: int
    made: int
    dropped: int
    left: int

    @classmethod
    def of(cls, series: Series) -> "VariantProgress":
        """The progress of a series."""
        cases = series.cases()
        made = sum(case is not None for case in cases)
        drawn = len(series.sampled)
        return VariantProgress(book=series.key.book, drawn=drawn, made=made, dropped=len(cases) - made, left=drawn - len(cases))


class EvaluationQuery(BaseModel):
    """The sentences drawn whose variants are the cases."""

    model_config = ConfigDict(frozen=True)

    n: int = Field(100, ge=1, le=MAX_SAMPLE, description="How many were drawn.")
    seed: int = Field(0, ge=0, lt=2**31, description="With which seed.")


class BookEvaluation(VariantProgress):
    """How well the search finds a book's sentences among all books, by minor rewrites (level1), full paraphrases (level2) and
    the claim as a student would put it (level3)."""

    level1: LevelMetrics
    level2: LevelMetrics
    level3: LevelMetrics


@topic.operation(
    "POST", "/books/{book}/variants", KeyScope.TEACHER, *MAY_RAISE, errors.LanguageModelUnavailable, errors.CeilingReached
)
def make_variants(call: Call, book: str, body: VariantsRequest) -> VariantProgress:
    """Let the language model write variants of sentences drawn at random, for about ten seconds. Repeat the request until none
    is left: it continues, and does nothing twice."""
    series, until = _series(call, book, body), monotonic() + SECONDS
    for _ in series.make():
        if monotonic() >= until:
            break
    return VariantProgress.of(series)


@topic.operation(
    "GET",
    "/books/{book}/evaluation",
    KeyScope.TEACHER,
    *MAY_RAISE,
    errors.DimensionMismatch,
    errors.IndexUnavailable,
    errors.EmbedderUnavailable,
)
def evaluation(call: Call, book: str, query: EvaluationQuery) -> BookEvaluation:
    """How well the search finds the book's sentences among those of all the school's books, by the variants made so far."""
    series = _series(call, book, query)
    variants = [case for case in series.cases() if case]
    if not variants:
        raise NotFound("no_variants_yet")
    library = open_library(Scope(call.caller.school), call.context.services, call.context.essays.plan, BookId(book))
    levels = evaluate(variants, [], {}, library).variants or {}
    return BookEvaluation(**VariantProgress.of(series).model_dump(), **levels)


def _series(call: Call, book: str, drawn: VariantsRequest | EvaluationQuery) -> Series:
    sample = SentenceSample(call.caller.school, BookId(book), drawn.n, drawn.seed)
    return open_series(sample, call.context.services, call.context.essays.writing.paid)


@topic.operation(
    "POST", "/books/{book}/evaluations", KeyScope.TEACHER, *MAY_RAISE, errors.QueueUnavailable, success=HTTPStatus.ACCEPTED
)
def begin_evaluation(call: Call, book: str, body: schemas.EvaluationRequest) -> schemas.EvaluationRun:
    """Make variants of sentences drawn at random and evaluate the search by them, in the background. The language model writes
    the variants; without one, words are left out. An equal evaluation that is not finished is returned instead."""
    found = show_book(call.caller.school, BookId(book), call.context.services)
    order = MeasurementOrder(call.caller.school, Measured.EVALUATION, found.id, body.n, body.seed, who(call))
    return _run(begin(order, call.context.measuring), {found.id: found.title})


@topic.operation("GET", "/evaluations", KeyScope.TEACHER)
def evaluations(call: Call) -> schemas.EvaluationRuns:
    """The school's evaluations with their progress, newest first."""
    context, titles = call.context, _titles(call)
    stored = context.measuring.store.of_school(call.caller.school, Measured.EVALUATION)
    paid = context.measuring.paid
    return schemas.EvaluationRuns(writes=paid and paid.model.model, runs=[_run(one, titles) for one in stored])


@topic.operation("GET", "/evaluations/{evaluation}", KeyScope.TEACHER, errors.NotFound)
def one_evaluation(call: Call, evaluation: str) -> schemas.EvaluationDetail:
    """One evaluation, with some variants whose sentence was not found first."""
    found = _found(call, evaluation)
    result, run = _result(found), _run(found, _titles(call))
    return schemas.EvaluationDetail(**dict(run), misses=result and result.misses)


@topic.operation("GET", "/evaluations/{evaluation}/cases", KeyScope.TEACHER, errors.NotFound, media=CASES)
def cases_of_evaluation(call: Call, evaluation: str) -> Response:
    """The variants as JSON lines; `chapterverse evaluate --variants FILE` gives the same metrics."""
    found = _found(call, evaluation)
    if not (result := _result(found)):
        raise NotFound("evaluation_without_variants")
    lines = "".join(case.model_dump_json() + "\n" for case in result.cases)
    as_file = {"Content-Disposition": f'attachment; filename="variants-{found.id}.jsonl"'}
    return Response(lines, headers=as_file, content_type=f"{LINES}; charset=utf-8")


@topic.operation("DELETE", "/evaluations/{evaluation}", KeyScope.TEACHER, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def forget_evaluation(call: Call, evaluation: str) -> None:
    """Delete an evaluation, even if it is not finished."""
    call.context.measuring.store.remove(call.caller.school, _found(call, evaluation).id)


def _found(call: Call, id: str) -> Measurement:
    found = call.context.measuring.store.find(call.caller.school, id)
    if found.kind is not Measured.EVALUATION:
        raise NotFound("no_such_evaluation")
    return found


def _titles(call: Call) -> dict[str, str]:
    return {book.id: book.title for book in list_books(call.caller.school, call.context.services)}


def _result(of: Measurement) -> EvaluationResult | None:
    return EvaluationResult.model_validate_json(of.result) if of.result else None


def _run(of: Measurement, titles: Mapping[str, str]) -> schemas.EvaluationRun:
    result = _result(of)
    return schemas.EvaluationRun(
        **dict(schemas.MeasurementStatus.model_validate(of)),
        title=titles.get(of.about, of.about),
        made_by=result and result.by,
        drawn=result and result.drawn,
        dropped=result and result.dropped,
        sentences=result and result.sentences,
        levels=result and result.levels,
    )
