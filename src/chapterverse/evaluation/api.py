"""HTTP: variants of a book's sentences, and how well the search finds the sentences by them (S1-19)."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any

from flask import Response
from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.evaluation import settings_schemas
from chapterverse.evaluation.cases import Variant
from chapterverse.evaluation.measurements import MeasurementOrder, begin
from chapterverse.evaluation.model import Measured, Measurement
from chapterverse.evaluation.retrieval import LevelFigures, evaluate, open_library
from chapterverse.evaluation.settings_api import measurement_json, who
from chapterverse.evaluation.variants import Case, SentenceSample, Series, open_series
from chapterverse.library.schemas import MAX_DRAWN
from chapterverse.library.service import list_books, show_book
from chapterverse.web.operations import LINES, ApiTopic, Call
from chapterverse.web.schemas import Request, Whole

topic = ApiTopic("Evaluation")

SECONDS = 10.0  # after which a request begins no further sentence, so that it ends before clients time out

CASES = {LINES: {"type": "string", "description": "A line of a file of variants each."}}

MAY_RAISE = (errors.NotFound, errors.ModelUnavailable, errors.BucketUnavailable)


class VariantsRequest(Request):
    """Sentences of a book to make variants of."""

    n: Whole = Field(100, ge=1, le=MAX_DRAWN, description="How many to draw.")
    seed: Whole = Field(0, ge=0, lt=2**31, description="The same seed draws the same sentences.")


class VariantProgress(BaseModel):
    """Progress of the variants: of the sentences drawn, how many have variants, were dropped, and are left."""

    book: str
    drawn: int
    made: int
    dropped: int
    left: int


class EvaluationQuery(BaseModel):
    """The sentences drawn whose variants are the cases."""

    model_config = ConfigDict(frozen=True)

    n: int = Field(100, ge=1, le=MAX_DRAWN, description="How many were drawn.")
    seed: int = Field(0, ge=0, lt=2**31, description="By which seed.")


class BookEvaluation(VariantProgress):
    """How well the search finds a book's sentences among all books, by minor rewrites (level1), full paraphrases (level2) and
    the claim as a student would put it (level3)."""

    level1: LevelFigures
    level2: LevelFigures
    level3: LevelFigures


@topic.operation(
    "POST", "/books/{book}/variants", KeyScope.TEACHER, *MAY_RAISE, errors.LanguageModelUnavailable, errors.CeilingReached
)
def make_variants(call: Call, book: str, body: VariantsRequest) -> VariantProgress:
    """Have the language model write variants of sentences drawn at random, as many as ten seconds allow. Ask again until none
    is left: it goes on where it ended, and does nothing twice."""
    series, until = _series(call, book, body), monotonic() + SECONDS
    for _ in series.make():
        if monotonic() >= until:
            break
    return VariantProgress.model_validate(_progress(series, series.cases()))


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
    cases = series.cases()
    variants = [Variant.model_validate(case) for case in cases if case]
    if not variants:
        raise NotFound("no_variants_yet")
    library = open_library(Scope(call.caller.school), call.context.services, call.context.essays.plan, BookId(book))
    figures = evaluate(variants, [], {}, library).variants
    return BookEvaluation.model_validate({**_progress(series, cases), **(figures or {})})


def _series(call: Call, book: str, drawn: VariantsRequest | EvaluationQuery) -> Series:
    wanted = SentenceSample(call.caller.school, BookId(book), drawn.n, drawn.seed)
    return open_series(wanted, call.context.services, call.context.essays.writing.paid)


def _progress(series: Series, cases: Sequence[Case | None]) -> dict[str, object]:
    made = sum(case is not None for case in cases)
    return {
        "book": series.key.book,
        "drawn": len(series.drawn),
        "made": made,
        "dropped": len(cases) - made,
        "left": len(series.drawn) - len(cases),
    }


@topic.operation(
    "POST", "/books/{book}/evaluations", KeyScope.TEACHER, *MAY_RAISE, errors.QueueUnavailable, success=HTTPStatus.ACCEPTED
)
def begin_evaluation(call: Call, book: str, body: settings_schemas.EvaluationRequest) -> settings_schemas.EvaluationRun:
    """Make variants of sentences drawn at random and evaluate the search by them, in the background: by the language model, or
    with words left out where there is none. The same again, while it is under way, is the same run."""
    shelved = show_book(call.caller.school, BookId(book), call.context.services)
    wish = MeasurementOrder(call.caller.school, Measured.EVALUATION, shelved.id, body.n, body.seed, who(call))
    return settings_schemas.EvaluationRun.model_validate(_run(begin(wish, call.context.measuring), {shelved.id: shelved.title}))


@topic.operation("GET", "/evaluations", KeyScope.TEACHER)
def evaluations(call: Call) -> settings_schemas.EvaluationRuns:
    """The school's evaluations, newest first, and how far each has come."""
    parts, school = call.context, call.caller.school
    titles = _titles(call)
    runs = [_run(one, titles) for one in parts.measuring.store.of_school(school, Measured.EVALUATION)]
    paid = parts.measuring.paid
    return settings_schemas.EvaluationRuns.model_validate({"writes": paid and paid.model.model, "runs": runs})


@topic.operation("GET", "/evaluations/{evaluation}", KeyScope.TEACHER, errors.NotFound)
def one_evaluation(call: Call, evaluation: str) -> settings_schemas.EvaluationDetail:
    """One of them, with some variants whose sentence was not found first."""
    found = _found(call, evaluation)
    misses = json.loads(found.result)["misses"] if found.result else None
    return settings_schemas.EvaluationDetail.model_validate({**_run(found, _titles(call)), "misses": misses})


@topic.operation("GET", "/evaluations/{evaluation}/cases", KeyScope.TEACHER, errors.NotFound, media=CASES)
def cases_of_evaluation(call: Call, evaluation: str) -> Response:
    """Its variants as JSON lines: `chapterverse evaluate --variants FILE` gives the same figures by them."""
    found = _found(call, evaluation)
    if not found.result:
        raise NotFound("evaluation_without_variants")
    lines = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in json.loads(found.result)["cases"])
    as_file = {"Content-Disposition": f'attachment; filename="variants-{found.id}.jsonl"'}
    return Response(lines, headers=as_file, content_type=f"{LINES}; charset=utf-8")


@topic.operation("DELETE", "/evaluations/{evaluation}", KeyScope.TEACHER, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def forget_evaluation(call: Call, evaluation: str) -> None:
    """Forget one, also while it is under way."""
    call.context.measuring.store.remove(call.caller.school, _found(call, evaluation).id)


def _found(call: Call, id: str) -> Measurement:
    found = call.context.measuring.store.find(call.caller.school, id)
    if found.kind is not Measured.EVALUATION:
        raise NotFound("no_such_evaluation")
    return found


def _titles(call: Call) -> dict[str, str]:
    return {book.id: book.title for book in list_books(call.caller.school, call.context.services)}


def _run(one: Measurement, titles: Mapping[str, str]) -> dict[str, Any]:
    told = json.loads(one.result) if one.result else {}
    figures = {name: told.get(name) for name in ("drawn", "dropped", "sentences", "levels")}
    return {**measurement_json(one), "title": titles.get(one.about, one.about), "made_by": told.get("by"), **figures}
