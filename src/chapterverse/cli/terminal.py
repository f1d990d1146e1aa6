"""Tables, colour and progress for people; plain lines and JSON for programs."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

ProgressBar = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


def print_line(line: str = "") -> None:
    """One line on standard output, as it is."""
    sys.stdout.write(line + "\n")


def print_json(value: Any) -> None:
    """Indented for people, on one line in a pipe."""
    print_line(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def print_markdown(text: str) -> None:
    """Headings, bold and lists on a terminal; as it is in a pipe."""
    if not sys.stdout.isatty():
        print_line(text)
        return
    Console().print(Markdown(text))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> None:
    """A table on a terminal; in a pipe one line a row, the cells apart by a tab, no head."""
    if not sys.stdout.isatty():
        for row in rows:
            print_line("\t".join(" ".join(cell.split()) for cell in row))
        return
    table = Table(*columns, title=title, title_justify="left", show_header=any(columns))
    for row in rows:
        table.add_row(*row)
    Console(markup=False).print(table)


@contextmanager
def progress_bar(label: str) -> Iterator[ProgressBar]:
    """A bar on standard error while the block runs, where that is a terminal; else nothing."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)
        yield lambda stage, done, total: bar.update(task, description=f"{label}: {stage}", completed=done, total=total)
