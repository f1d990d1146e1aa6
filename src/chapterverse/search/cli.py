"""`chapterverse evaluate`: how well the search finds a book's sentences, on a teacher's own book."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import must_be_writable, repaired_services, settings
from chapterverse.cli.terminal import Json, note, print_json, print_line, print_table, progress_bar
from chapterverse.core.errors import NotFound, RetryableError

if TYPE_CHECKING:
    from chapterverse.core.paid_model import PaidModel
    from chapterverse.library.services import CollectionServices
    from chapterverse.search.evaluation import SentenceSample, Variant

FITTED_TO = 2_000  # sentences
REFERENCE = {"embedder": "onnx", "embedding_model": "all-MiniLM-L6-v2"}  # the model that thresholds were chosen for


def evaluate(
    book: Annotated[str, typer.Argument(metavar="BOOK", help="Id of a book, from `sources list`.")],
    n: Annotated[int, typer.Option("--n", min=1, max=10_000, help="Sentences to draw (S1-19: 100).")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed draws the same sentences.")] = 0,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Also write the variants, as JSON lines.")
    ] = None,
    fit: Annotated[
        bool, typer.Option("--fit", help="Fit the embedding model, a folder, to the thresholds instead; slow, once.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure how well the search finds a book's sentences among all books: Recall@K and MRR, by 100 sentences drawn at random,
    each in three variants, from a minor rewrite to a student's own words (S1).

    A language model writes the variants, which are checked; without one, words are left out. Run the command again to continue
    after an interruption, or with a larger --n to add sentences; nothing is done twice. Every figure has a 95 % interval."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope
    from chapterverse.search import evaluation
    from chapterverse.search.plan import ESSAY_BATCH

    if output:
        must_be_writable(output.absolute().parent, output)
    services, sample = repaired_services(), evaluation.SentenceSample(settings().school, BookId(book), n, seed)
    if fit:
        fit_model(sample, services)
        return
    if settings().llm:
        paid = composition.ports.paid_model(settings())
        by, made = paid.model.model, all_made(sample, services, paid)
    else:
        by, made = evaluation.BY_RULES, evaluation.cases_by_rules(sample, services)
    cases = [case for case in made if case]
    if output:
        output.write_text("".join(case.model_dump_json() + "\n" for case in cases), "utf-8")
        print_line(f"{len(cases)} sentences with variants in {output}")
    if not cases:
        raise NotFound("no_variants_usable", sentences=len(made))
    levels = evaluation.evaluate(cases, evaluation.open_library(Scope(settings().school), services, ESSAY_BATCH))
    if as_json:
        print_json({"book": book, "by": by, "drawn": len(made), "dropped": len(made) - len(cases), "levels": levels})
        return
    rows = [
        (level, measure, f"{each.value:.3f}", f"{each.low:.3f} to {each.high:.3f}", str(each.n))
        for level, metrics in levels.items()
        for measure, each in metrics.items()
    ]
    print_table(("variants", "measure", "value", "95 % interval", "n"), rows, f"{book}: variants by {by}")


def fit_model(sample: SentenceSample, services: CollectionServices) -> None:
    """Fit the embedding model to a book, and print what came of it."""
    from chapterverse.search.evaluation import REACHES, cases_by_rules, fit, of_sample

    *_, sentences = of_sample(replace(sample, n=max(sample.n, FITTED_TO)), services)
    cases = [case for case in cases_by_rules(sample, services) if case]
    model, reference = (composition.ports.embedder(each) for each in (settings(), settings().model_copy(update=REFERENCE)))
    found = fit(model, reference, [each.text for each in sentences], cases)
    rows = [
        (name, *(f"{value:.2f}" for value in astuple(each)))
        for name, each in zip(("before", "fitted", reference.model), found, strict=True)
    ]
    print_table(("model", "own sentence", "another", f"own from {REACHES}", f"another from {REACHES}"), rows)
    print_line("The books have to be embedded anew: `chapterverse index fill`.")


def all_made(sample: SentenceSample, services: CollectionServices, paid: PaidModel) -> list[Variant | None]:
    """All variants, with a progress bar. After an interruption the user is told how to continue."""
    from chapterverse.search.evaluation import cases_by_model

    made: list[Variant | None] = []
    try:
        with progress_bar(sample.book) as bar:
            for case in cases_by_model(sample, services, paid):
                made.append(case)
                bar("variants", len(made), sample.n)
    except (KeyboardInterrupt, RetryableError):
        note(f"{len(made)} of {sample.n} sentences are done. Run the same command again to continue.")
        raise
    return made
