"""Output and errors of commands: tables and progress for people, lines and JSON for programs, one line and an exit code for
errors.

HINTS says what to type after an error; the extras of pyproject.toml say which of them brings a missing library."""

import errno
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import datetime
from importlib.metadata import distribution, requires
from pathlib import Path
from time import monotonic
from typing import Annotated, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from typer.core import TyperGroup

from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest, ChapterverseError, StorageFull, is_about_full_disk
from chapterverse.core.names import is_web_address
from chapterverse.messages import to_json

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
"""The option --json."""

ProgressBar = Callable[[str, int, int], None]
"""Called with the name of the step, the amount done and the total."""

LINE_SECONDS = 10.0  # between two lines about progress
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # C0 and C1 without tab and line end: control sequences of terminals
UNESCAPED = re.compile(r"[\x7f-\x9f]")  # that JSON does not escape


def printable(text: str) -> str:
    """The text with U+FFFD for control characters: titles and essays are not ours."""
    return CONTROL.sub("\ufffd", text)


def print_line(line: str = "") -> None:
    sys.stdout.write(printable(line) + "\n")


def print_json(value: Any) -> None:
    """Print JSON, indented on a terminal, on one line in a pipe."""
    print_json_line(value, indent=2 if sys.stdout.isatty() else None)


def print_json_line(value: Any, indent: int | None = None) -> None:
    """Print JSON with control characters escaped. value: may contain pydantic models, dataclasses and times."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_json_of)
    sys.stdout.write(UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def _json_of(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    dump = getattr(value, "model_dump", None)  # of a pydantic model; the help imports no pydantic
    return dump(mode="json") if dump else str(value)


def print_markdown(text: str) -> None:
    """Print Markdown, rendered on a terminal, unchanged in a pipe."""
    if not sys.stdout.isatty():
        print_line(text)
        return
    from rich.markdown import Markdown  # with its parser of Markdown: no other command needs them

    Console().print(Markdown(printable(text)))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> None:
    """Print a table; in a pipe, one line per row with cells separated by tabs, without a head. Without rows, say so."""
    if not (rows := list(rows)):
        note("Nothing to list yet.")
        return
    if not sys.stdout.isatty():
        for row in rows:
            print_line("\t".join(" ".join(cell.split()) for cell in row))
        return
    table = Table(*columns, title=title, title_justify="left", show_header=any(columns))
    for row in rows:
        table.add_row(*map(printable, row))
    Console(markup=False).print(table)


def print_found(found: Any, columns: Sequence[str], rows: Iterable[Sequence[str]], *, as_json: bool) -> None:
    """Print what was found as JSON, or these rows of it as a table."""
    print_json(found) if as_json else print_table(columns, rows)


@contextmanager
def progress_bar(label: str) -> Iterator[ProgressBar]:
    """Show a progress bar on standard error while the block runs; where that is no terminal, a line from time to time."""
    console, said = Console(stderr=True), monotonic()

    def show(stage: str, done: int, total: int) -> None:
        nonlocal said
        bar.update(task, description=f"{printable(label)}: {stage}", completed=done, total=total)
        if not console.is_terminal and monotonic() - said > LINE_SECONDS:
            said = monotonic()
            note(f"{label}: {stage}, {done:,} of {total:,}")

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(printable(label), total=None)
        yield show


HOME = "CHAPTERVERSE_HOME"
DEMO = ".demo"  # of `make demo`
OF_DEMO = f"The sample book of `make demo` is in another home: set {HOME}={DEMO} to use it."
LISTED = f"`chapterverse sources list --collection books` shows the books. Collections: {', '.join(Collection)}."
HINTS = {  # with the values of the error
    "book_data_damaged": "`chapterverse doctor` names the book.",
    "book_not_indexed": "Run `chapterverse index fill`.",
    "book_not_ready_for_variants": "`chapterverse sources list SOURCE` says how far it is.",
    "catalog_still_read": "It is freed when nobody reads any more.",
    "collection_empty": "`chapterverse sources add FILE --collection {collection}` adds one.",
    "collection_full": "`chapterverse sources remove` removes a source; CHAPTERVERSE_MAX_BOOKS is the limit of books.",
    "collection_indexed_otherwise": "Run `chapterverse index fill --reembed`, or correct CHAPTERVERSE_EMBEDDING_MODEL.",
    "collection_not_ready": "`chapterverse sources list` shows why; add again what was interrupted.",
    "index_incomplete": "Run `chapterverse index fill`.",
    "key_print_invalid": "`chapterverse keys create --secret-only` prints it with the secret.",
    "links_need_site": "Set CHAPTERVERSE_SITE_URL.",
    "lti_keys_in_settings": "`chapterverse lti keys --print-new` prints new ones.",
    "lti_keys_unreadable": "`chapterverse lti keys --print-new` prints them.",
    "embedder_away": "Check CHAPTERVERSE_EMBEDDER_URL, and that its server runs.",
    "no_such_book": LISTED,
    "no_such_document": LISTED,
    "no_such_key": "`chapterverse keys list` shows those there are.",
    "nothing_stored": "`chapterverse doctor` names the book.",
    "no_such_person": "`chapterverse people list` shows who there is.",
    "word_index_unreadable": "`chapterverse index fill --anew` rebuilds it.",
}

DISTRIBUTIONS: Mapping[str, str] = {  # by import name, where it is not the distribution's own
    "google": "google-auth",  # where nothing else has made the namespace
    "google.api_core": "google-cloud-storage",
    "google.cloud": "google-cloud-storage",
    "google.cloud.aiplatform_v1": "google-cloud-aiplatform",
    "google.genai": "google-genai",
    "grpc": "grpcio",
    "jwt": "pyjwt",
}


def how_to_install(error: ModuleNotFoundError) -> str | None:
    """One sentence with the pip command for the library that an import did not find; None if no extra brings it."""
    parts = (error.name or "").split(".")
    names = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    wanted = next((DISTRIBUTIONS[name] for name in names if name in DISTRIBUTIONS), parts[0].replace("_", "-"))
    found = (re.fullmatch(r"([\w-]+).*; extra == .(\w+).", each) for each in requires("chapterverse") or ())
    extra = next((each[2] for each in found if each and each[1] == wanted and each[2] != "all"), None)
    return extra and f"{error.name} is not installed: {pip_command(extra)}"


def web_address(given: str | None) -> str | None:
    """The address without slashes at its end. Raises BadRequest for what is none."""
    if given and not is_web_address(given):
        raise BadRequest("cli_no_web_address", address=given)
    return given and given.rstrip("/")


def pip_command(extra: str) -> str:
    """What installs an extra of this installation, from where it came: it may be on no package index."""
    found = json.loads(distribution("chapterverse").read_text("direct_url.json") or "{}")
    if found.get("dir_info", {}).get("editable"):
        return f'pip install --editable "{url2pathname(urlsplit(found["url"]).path)}[{extra}]"'
    return f'pip install "chapterverse[{extra}]' + (f' @ {found["url"]}"' if found else '"')


log = logging.getLogger(__name__)
INTERRUPTED = 130  # 128 + SIGINT, as shells count
BROKEN_PIPE = 141  # 128 + SIGPIPE
FAILED_SYSTEM = "The operating system refused something; check that it is there and that you may use it"
WANTS_JSON = "chapterverse.json"


class Commands(TyperGroup):
    """The top group: turns exceptions of commands into exit codes, and into a JSON object if --json was given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note whether --json was given; later only the command knows."""
        ctx.meta[WANTS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ChapterverseError as error:
            complain(error)
            if ctx.meta.get(WANTS_JSON):
                print_json(problem_json(error))
            raise typer.Exit(error.exit_code) from error
        except ModuleNotFoundError as error:
            if not how_to_install(error):
                raise
            complain(error)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            note("Interrupted.")
            raise typer.Exit(INTERRUPTED) from error
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")  # of the library that checks values
            raise
        except typer.Abort as error:  # no answer to a question
            note("Not confirmed: nothing was changed.")
            raise typer.Exit(INTERRUPTED) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python reports it again at its end
                raise typer.Exit(BROKEN_PIPE) from error
            full = StorageFull("storage_full") if is_about_full_disk(error) else None
            complain(error, of=None if full else FAILED_SYSTEM)
            if full and ctx.meta.get(WANTS_JSON):
                print_json(problem_json(full))
            raise typer.Exit(full.exit_code if full else 1) from error


def complain(error: Exception, of: str | None = None) -> None:
    """Print one line on standard error; with --verbose, also log the traceback. of: what failed."""
    log.info("%s", type(error).__name__, exc_info=error)
    note(f"{of}: {described(error)}" if of else described(error))


def problem_json(error: ChapterverseError) -> dict[str, Any]:
    """The error as JSON, with the fields of a problem of the HTTP interface."""
    return {"error": {"code": error.code, "detail": str(error), **to_json(error.message)}}


def described(error: Exception) -> str:
    """The error as a sentence: ours with a hint, a missing library with its extra, the operating system's with its file."""
    missing = error.__cause__ or error
    if isinstance(missing, ModuleNotFoundError):
        return how_to_install(missing) or str(error)
    if is_about_full_disk(error) and not isinstance(error, BadRequest):  # that names the file
        return "The disk is full: make room, or set CHAPTERVERSE_HOME."
    if isinstance(error, ChapterverseError):
        near_demo = error.id in {"collection_empty", "no_such_book"} and os.environ.get(HOME) != DEMO and Path(DEMO).is_dir()
        driver = str(getattr(error.__cause__, "orig", "")).partition("\n")[0]  # of a database, and only its first line: no rows
        hints = (HINTS.get(error.id, "").format(**error.values), OF_DEMO if near_demo else "", driver and f"({driver})")
        return " ".join(filter(None, (str(error), *hints)))
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return error.strerror + (f" ({error.filename})." if error.filename else ".")


def note(message: str) -> None:
    """Print one line on standard error."""
    print(printable(f"chapterverse: {message}"), file=sys.stderr)  # noqa: T201
