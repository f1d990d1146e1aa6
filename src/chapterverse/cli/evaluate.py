"""`chapterverse evaluate`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.essays import Books, Json, scope_of
from chapterverse.cli.files import must_be_a_file
from chapterverse.cli.outcome import note
from chapterverse.cli.session import repaired_services, settings
from chapterverse.cli.terminal import print_json, print_table
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.evaluation.cases import GoldSentence
    from chapterverse.evaluation.measures import Figure
    from chapterverse.usecases.evaluation import Evaluation

Variants = Annotated[
    Path | None, typer.Option("--variants", metavar="FILE", help="JSON lines: book, sentence, level1, level2, level3.")
]
Essays = Annotated[
    Path | None, typer.Option("--essays", metavar="FILE", help="JSON lines: paragraphs, each with its text and evidence.")
]
Gold = Annotated[
    Path | None, typer.Option("--gold", metavar="DIR", help="BOOK.gold.jsonl.gz, for evidence that is named by number.")
]


def evaluate(
    variants: Variants = None, essays: Essays = None, gold: Gold = None, book: Books = None, as_json: Json = False
) -> None:
    """How well the sentences of your books are found: by variants of them (Recall, MRR), and for essays with known evidence.

    In the files, book is the PDF's name without its ending; evidence is {"book", "n"} with --gold, or {"book", "sentence"}.
    Every figure comes with its 95 % bootstrap interval."""
    from chapterverse.evaluation.cases import read_essays, read_variants
    from chapterverse.usecases import evaluation
    from chapterverse.usecases.evaluation_json import evaluation_json

    if not variants and not essays:
        raise BadRequest("There is nothing to evaluate by. Name a file with --variants, --essays or both.")
    cases = read_variants(read(variants)) if variants else [], read_essays(read(essays)) if essays else []
    numbered = read_gold_folder(gold) if gold else {}
    library = evaluation.open_library(scope_of(book), repaired_services(), composition.essay_plan(settings()))
    judged = evaluation.evaluate(*cases, numbered, library)
    for line in judged.notes:
        note(line)
    print_json(evaluation_json(judged)) if as_json else print_table(
        ("cases", "measure", "figure", "95 % interval", "n"), rows(judged), "Evaluation"
    )


def read(path: Path) -> bytes:
    """Raises BadRequest."""
    must_be_a_file(path)
    return path.read_bytes()


def read_gold_folder(folder: Path) -> dict[str, list[GoldSentence]]:
    """The numbered sentences of every book in the folder, by the slug of its name. Raises BadRequest."""
    from chapterverse.evaluation.cases import GOLD_ENDING, read_gold
    from chapterverse.names import slug

    files = sorted(folder.glob(f"*{GOLD_ENDING}"))
    if not files:
        raise BadRequest(f"There is no *{GOLD_ENDING} in {folder}. Check the name of the folder.")
    return {slug(file.name.removesuffix(GOLD_ENDING)): read_gold(file.read_bytes()) for file in files}


def rows(evaluation: Evaluation) -> Iterator[tuple[str, str, str, str, str]]:
    """A row a figure."""
    from chapterverse.usecases.evaluation_json import MEASURES

    for level, figures in (evaluation.variants or {}).items():
        for measure in MEASURES:
            yield row(f"variants, {level}", measure, getattr(figures, measure))
    if essays := evaluation.essays:
        yield row("essays", "near_gold_at_1", essays.near_gold_at_1)
        yield row("essays", "nothing_auroc", essays.nothing_auroc)


def row(cases: str, measure: str, figure: Figure | None) -> tuple[str, str, str, str, str]:
    """E.g. ("variants, level3", "mrr", "0.507", "0.419 to 0.593", "100"); a dash where there was no case."""
    if not figure:
        return (cases, measure, "-", "-", "0")
    return (cases, measure, f"{figure.value:.3f}", f"{figure.low:.3f} to {figure.high:.3f}", str(figure.n))
