"""`chapterverse variants`: make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.outcome import INTERRUPTED, note
from chapterverse.cli.session import services, settings
from chapterverse.cli.terminal import print_json, print_line, progress_bar
from chapterverse.errors import RetryableError

if TYPE_CHECKING:
    from chapterverse.usecases.variants import Case, Series

app = typer.Typer(name="variants", help="Cases to evaluate the search by, made of your own books.", no_args_is_help=True)

GO_ON = "The same command goes on where this one ended."


@app.callback()
def variants() -> None:
    """Cases to evaluate the search by, made of your own books."""


@app.command()
def make(
    book: Annotated[str, typer.Option("--book", metavar="BOOK", help="A book's name, as `books list` shows it.")],
    n: Annotated[int, typer.Option("--n", min=1, max=10_000, help="Sentences to draw (S1: 100).")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed draws the same sentences.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Where to write; else variants-BOOK.jsonl, here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Draw sentences of a book at random and have the language model say each in three other ways, from minor rewrite to a
    student's own words; `chapterverse evaluate --variants FILE` then shows how well they lead back.

    Each variant is checked; a sentence whose variants are not as they should be after a second try is dropped, and counted.
    The same command again does nothing twice: after an interruption it goes on, with a greater --n it adds."""
    from chapterverse.model import BookId
    from chapterverse.usecases.variants import Wanted, open_series

    paid = composition.paid_model(settings()) if settings().llm else None
    series = open_series(Wanted(settings().school, BookId(book), n, seed), services(), paid)
    micros = make_all(series)
    cases = series.cases()
    file = output or Path(f"variants-{series.name}.jsonl")
    file.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases if case), "utf-8")
    tell(series, cases, micros, file, as_json)


def make_all(series: Series) -> int:
    """With a bar; what ends it early loses nothing, and the user is told so. What it cost, in millionths."""
    drawn, micros = len(series.drawn), 0
    done = drawn - series.left()
    try:
        with progress_bar(series.title) as progress:
            progress("variants", done, drawn)
            for cost in series.make():
                done, micros = done + 1, micros + cost
                progress("variants", done, drawn)
    except KeyboardInterrupt as error:
        note(f"Interrupted. {GO_ON}")
        raise typer.Exit(INTERRUPTED) from error
    except RetryableError:
        note(f"{done} of {drawn} sentences are done. {GO_ON}")
        raise
    return micros


def tell(series: Series, cases: list[Case | None], micros: int, file: Path, as_json: bool) -> None:
    """What was done, and what to do next."""
    made = sum(case is not None for case in cases)
    if as_json:
        told = {
            "book": series.key.book,
            "file": str(file),
            "drawn": len(cases),
            "made": made,
            "dropped": len(cases) - made,
            "left": series.left(),
        }
        print_json({**told, "cost_micros": micros})
        return
    late = f" {series.left()} answers were late. {GO_ON}" if series.left() else ""
    print_line(f"{series.title}: {made} sentences with variants in {file}, {len(cases) - made} dropped.{late}")
    if made:
        print_line(f"Next: chapterverse evaluate --variants {file}")
    elif cases:
        print_line("The language model wrote none that can be used: name a larger one by CHAPTERVERSE_LLM_MODEL.")
