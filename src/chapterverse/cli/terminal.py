"""Tables, colour and progress for people; plain lines and JSON for programs."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
"""The option of every command that programs read, too."""

ProgressBar = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # C0 and C1 but for tab and line end: a terminal may obey them
UNESCAPED = re.compile(r"[\x7f-\x9f]")  # those that JSON leaves as they are


def printable(text: str) -> str:
    """The text with U+FFFD for what a terminal would take for an order: titles and essays are other people's."""
    return CONTROL.sub("\ufffd", text)


def print_line(line: str = "") -> None:
    """One line on standard output."""
    sys.stdout.write(printable(line) + "\n")


def print_json(value: Any) -> None:
    """Indented for people, on one line in a pipe."""
    print_json_line(value, indent=2 if sys.stdout.isatty() else None)


def print_json_line(value: Any, indent: int | None = None) -> None:
    """As it is: control characters are escaped, and none is lost."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    sys.stdout.write(UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_markdown(text: str) -> None:
    """Headings, bold and lists on a terminal; as it is in a pipe."""
    if not sys.stdout.isatty():
        print_line(text)
        return
    Console().print(Markdown(printable(text)))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> None:
    """A table on a terminal; in a pipe one line a row, the cells apart by a tab, no head."""
    if not sys.stdout.isatty():
        for row in rows:
            print_line("\t".join(" ".join(cell.split()) for cell in row))
        return
    table = Table(*columns, title=title, title_justify="left", show_header=any(columns))
    for row in rows:
        table.add_row(*map(printable, row))
    Console(markup=False).print(table)


@contextmanager
def progress_bar(label: str) -> Iterator[ProgressBar]:
    """A bar on standard error while the block runs, where that is a terminal; else nothing."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(printable(label), total=None)
        yield lambda stage, done, total: bar.update(
            task, description=f"{printable(label)}: {stage}", completed=done, total=total
        )
