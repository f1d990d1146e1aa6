"""S1's evaluation on a school's own book: variants of its sentences, and how well the search finds them by these."""

from collections.abc import Sequence
from time import monotonic

from chapterverse import errors
from chapterverse.errors import NotFound
from chapterverse.evaluation.cases import Variant
from chapterverse.model import BookId, KeyScope, Scope
from chapterverse.usecases.evaluation import evaluate, open_library
from chapterverse.usecases.variants import Case, Series, Wanted, open_series
from chapterverse.web import schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Evaluation")

SECONDS = 10.0  # after which a request begins no further sentence: it is answered long before anybody gives it up
MAY_RAISE = (errors.NotFound, errors.ModelUnavailable, errors.BucketUnavailable)


@topic.operation(
    "POST", "/books/{book}/variants", KeyScope.TEACHER, *MAY_RAISE, errors.LanguageModelUnavailable, errors.CeilingReached
)
def make_variants(call: Call, book: str, body: schemas.VariantsRequest) -> schemas.Variants:
    """Have the language model write variants of sentences drawn at random, as many as ten seconds allow. Ask again until none
    is left: it goes on where it ended, and does nothing twice."""
    series, until = _series(call, book, body), monotonic() + SECONDS
    for _ in series.make():
        if monotonic() >= until:
            break
    return schemas.Variants.model_validate(_progress(series, series.cases()))


@topic.operation(
    "GET",
    "/books/{book}/evaluation",
    KeyScope.TEACHER,
    *MAY_RAISE,
    errors.DimensionMismatch,
    errors.IndexUnavailable,
    errors.EmbedderUnavailable,
)
def evaluation(call: Call, book: str, query: schemas.EvaluationQuery) -> schemas.Evaluation:
    """How well the search finds the book's sentences among those of all the school's books, by the variants made so far."""
    series = _series(call, book, query)
    cases = series.cases()
    variants = [Variant.model_validate(case) for case in cases if case]
    if not variants:
        raise NotFound("There are no variants of these sentences yet: POST the same n and seed to the book's variants first.")
    library = open_library(Scope(call.caller.school), call.parts.services, call.parts.plan, BookId(book))
    figures = evaluate(variants, [], {}, library).variants
    return schemas.Evaluation.model_validate({**_progress(series, cases), **(figures or {})})


def _series(call: Call, book: str, drawn: schemas.VariantsRequest | schemas.EvaluationQuery) -> Series:
    wanted = Wanted(call.caller.school, BookId(book), drawn.n, drawn.seed)
    return open_series(wanted, call.parts.services, call.parts.writing.paid)


def _progress(series: Series, cases: Sequence[Case | None]) -> dict[str, object]:
    made = sum(case is not None for case in cases)
    return {
        "book": series.key.book,
        "drawn": len(series.drawn),
        "made": made,
        "dropped": len(cases) - made,
        "left": len(series.drawn) - len(cases),
    }
