"""The command line: `chapterverse`. Each command translates, calls one use case, and prints."""

import logging
import sys
from typing import Annotated

import typer

from chapterverse.cli import books, doctor, essays, evaluate, inspect, keys, serve
from chapterverse.cli.outcome import Commands

EPILOG = (
    "Exit codes: 0 done; 1 a defect of ours or of the machine; 2 unusable input; 3 not found; 4 beyond a limit; "
    "5 a PDF that cannot become a book; 6 the index was made with another model; 7 no weights for the model; "
    "10, 11, 12, 14, 15 the index, the embedder, the catalog, the object store or the queue does not answer, 13 another is at "
    "work on the same book, try again; 16 to 22 are of the HTTP interface; "
    "130 interrupted; 141 nobody reads the output any more.\n\n"
    "CHAPTERVERSE_HOME says where the data lives (~/.chapterverse); CHAPTERVERSE_… stands before every other setting, too."
)

app = typer.Typer(
    name="chapterverse", cls=Commands, epilog=EPILOG, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False
)
app.add_typer(books.app, name="books")
app.command()(essays.evidence)
app.command()(essays.feedback)
app.command()(inspect.inspect)
app.command()(evaluate.evaluate)
app.command()(doctor.doctor)
app.command()(serve.serve)
app.add_typer(keys.app, name="keys")


@app.callback()
def start(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say more: progress of each step, and where an error arose.")
    ] = False,
) -> None:
    """Feedback on essays, backed by the exact sentence of a book: book, chapter, page."""
    logging.basicConfig(level=logging.INFO if verbose else logging.ERROR, format="%(levelname)s %(name)s: %(message)s")


def main() -> None:
    """The program; never returns."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # JSON is UTF-8, whatever the terminal was told
    app()


if __name__ == "__main__":
    main()
