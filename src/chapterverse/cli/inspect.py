"""`chapterverse inspect`: what is understood of a PDF, without adding it."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import name_of, read_pdf
from chapterverse.cli.report import report_rows
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_json, print_json_line, print_table, progress_bar

if TYPE_CHECKING:
    from chapterverse.model import Book


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE.pdf", help="A PDF with text on its pages.")],
    sentences: Annotated[bool, typer.Option("--sentences", help="One JSON object a sentence, in reading order.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
) -> None:
    """What is understood of a PDF: its quality report, or every sentence with its address. Nothing is stored."""
    book = parse(file)
    if sentences:
        print_sentences(book)
    elif as_json:
        print_json({"book": book.id, "title": book.title, "authors": list(book.authors), **asdict(book.report)})
    else:
        rows = [("title", book.title), ("authors", ", ".join(book.authors)), *report_rows(book.report)]
        print_table(("", ""), rows)


def parse(file: Path) -> Book:
    """The book in the file, under the name that adding it would give it."""
    from chapterverse.names import title_of_file
    from chapterverse.usecases.versions import book_id_of

    limits = composition.limits(settings())
    pdf = read_pdf(file, limits)
    name = name_of(file)
    with progress_bar(name) as progress:
        book = composition.parser()(pdf, book_id_of(name), limits, lambda done, total: progress("parsing", done, total))
    return replace(book, title=book.title or title_of_file(name))


def print_sentences(book: Book) -> None:
    """JSON lines; the format is that of `sentence_json`."""
    from chapterverse.sentence_json import sentence_json

    for sentence in book.sentences:
        print_json_line(sentence_json(sentence))
