"""`chapterverse calibrate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import make_home, settings
from chapterverse.cli.terminal import print_json, print_line, print_table
from chapterverse.questions.cli import QuestionCollection

if TYPE_CHECKING:
    from chapterverse.questions.calibration import Calibration, Scale, Told
    from chapterverse.search.plan import RetrievalPlan


SEEDS: Mapping[QuestionCollection, Mapping[float, str]] = {
    QuestionCollection.DOCUMENTS: {
        0.79: "S2's 0.70 as it computes it: 1/(1 + L2²)",
        0.70: "S2: an answer",
        0.50: "S2: may contain",
    },
    QuestionCollection.TEXTBOOK: {0.70: "S4: an answer"},
    QuestionCollection.HELPDESK: {0.65: "S5: an answer"},
}


def calibrate(
    collection: Annotated[
        QuestionCollection, typer.Argument(help="Whose answers: documents, textbook or helpdesk.")
    ] = QuestionCollection.DOCUMENTS,
    questions: Annotated[int, typer.Option(min=20, help="Questions that are made of its own texts.")] = 300,
    accept: Annotated[bool, typer.Option("--accept", help="Use what is found for this school from now on.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """From which score on an answer is in your texts in 95 of 100 cases, beside the thresholds of the specification."""
    from chapterverse.core.book import Collection
    from chapterverse.evaluation import calibration
    from chapterverse.questions.calibration import accept as accept_calibration

    make_home(settings())
    services = composition.compose(settings(), collection=Collection(collection))
    school, seeds = settings().school, SEEDS[collection]
    found = calibration.calibrate(school, services, plan_of(collection), thresholds=list(seeds), number=questions)
    if accept:
        accept_calibration(school, found, services)
    if as_json:
        print_json(as_object(found) | {"accepted": accept})
        return
    heads = ("score", "from", "right", "answered: shown", "others: silent", "")
    rows = [*rows_of("confidence", found.confidence, {}), *rows_of("cosine", found.cosine, seeds)]
    print_table(heads, rows, title=title_of(found))
    print_line("Accepted: answers of this school go by it from now on." if accept else "Nothing was changed: --accept does so.")


def as_object(found: Calibration) -> dict[str, Any]:
    """Without the single questions."""
    told = asdict(found)
    for score in ("cosine", "confidence"):
        del told[score]["asked"]
    return told


def plan_of(collection: QuestionCollection) -> RetrievalPlan:
    """How it is looked up."""
    from chapterverse.core.book import Collection
    from chapterverse.evaluation.measurements import PLANS

    return PLANS[Collection(collection)]


def title_of(found: Calibration) -> str:
    """What was asked."""
    return f"{found.questions} made questions, {found.model}, {found.unit}; each asked once more without its answer"


def rows_of(score: str, scale: Scale, seeds: Mapping[float, str]) -> Iterator[tuple[str, ...]]:
    """A row a threshold, the highest first. score: what it is a threshold of."""
    for told in scale.told:
        yield (score, f"{told.threshold:.3f}", *shares_of(told), "; ".join(names_of(told.threshold, scale, seeds)))
    if scale.sure is None:
        yield (score, "", "", "", "", "none is right in 95 of 100 cases")


def shares_of(told: Told) -> tuple[str, str, str]:
    """Three numbers; the first is missing where nothing is shown."""
    right = "" if told.precision is None else f"{told.precision:.3f}"
    return right, f"{told.shown:.3f}", f"{told.silent:.3f}"


def names_of(threshold: float, scale: Scale, seeds: Mapping[float, str]) -> Iterator[str]:
    """Whose threshold it is."""
    if threshold == scale.sure:
        yield "calibrated: sure"
    if threshold == scale.maybe:
        yield "calibrated: possible"
    if threshold in seeds:
        yield seeds[threshold]
