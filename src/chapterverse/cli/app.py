"""The command line `chapterverse`: all commands."""

import gc
import logging
import os
import sys
from contextlib import ExitStack
from typing import Annotated

import typer

from chapterverse import __version__
from chapterverse.accounts import cli as accounts
from chapterverse.cli import doctor, serve
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import HOME, Commands, note, print_line
from chapterverse.essays import cli as essays
from chapterverse.infrastructure.logs import PlainLines
from chapterverse.lectures import cli as lectures
from chapterverse.library import cli as library
from chapterverse.lti import cli as lti
from chapterverse.operations import cli as operations
from chapterverse.questions import cli as questions
from chapterverse.search import cli as search

EPILOG = (
    "Exit codes: 0 done; 1 a defect, or the installation is not complete; 2 input that cannot be used; 3 nothing here "
    "has that name; 4 refused; 5 try again later; 130 interrupted; 141 the output is no longer read. With --json the error's "
    "id is in the output.\n\n"
    "CHAPTERVERSE_HOME names the folder of the data (~/.chapterverse). All settings begin with CHAPTERVERSE_."
)

app = typer.Typer(
    name="chapterverse", cls=Commands, epilog=EPILOG, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False
)

GARBAGE = 50_000  # new objects between searches for cycles; Python's own 700 takes a short command a fifth of its time


@app.command()
def demo() -> None:
    """Index the sample book and give feedback on the sample essay, in its own home: the folder demo in the default home.

    The first run downloads the embedding model (90 MB) if no package or folder has it."""
    home = settings().home / "demo"
    os.environ[HOME] = str(home)
    settings.cache_clear()
    note(f"The demo's data is in {home}. Set {HOME} to it for other commands; delete it to remove the demo.")
    from importlib.resources import as_file

    from chapterverse.texts import SAMPLE_BOOK, SAMPLE_ESSAY, samples

    with ExitStack() as unpacked:
        book, essay = (unpacked.enter_context(as_file(samples() / name)) for name in (SAMPLE_BOOK, SAMPLE_ESSAY))
        library.add([str(book)])
        essays.feedback(essay)


for command in (
    questions.ask,
    lectures.lecture,
    essays.feedback,
    essays.batch,
    library.inspect,
    search.evaluate,
    doctor.doctor,
    serve.serve,
):
    app.command()(command)
for group in (library.app, operations.index_app, accounts.app, accounts.people_app, lti.app, operations.app):
    app.add_typer(group)


def show_version(wanted: bool) -> None:
    if wanted:
        print_line(f"chapterverse {__version__}")
        raise typer.Exit


@app.callback()
def start(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say more: progress of each step, and where an error arose.")
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and stop.", is_eager=True, callback=show_version)
    ] = False,
) -> None:
    """Feedback on essays, backed by the exact sentence of a book: book, chapter, page."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainLines())
    logging.basicConfig(level=logging.INFO if verbose else logging.CRITICAL, handlers=[handler])


def main() -> None:
    """Run the program; never returns."""
    open_streams()
    gc.set_threshold(GARBAGE)
    try:
        app()
    finally:
        gc.freeze()  # else the interpreter searches all that is left for cycles before it ends


def open_streams() -> None:
    """Open closed standard streams, and write UTF-8 in every locale; half surrogate pairs of file names are escaped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  # open until the program ends
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
