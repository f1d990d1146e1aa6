"""`chapterverse inspect`: what is recognized in a PDF, without adding it; and quality reports as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import name_of, read_pdf
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_json, print_json_line, print_table, progress_bar

if TYPE_CHECKING:
    from chapterverse.core.book import Book, QualityReport

CHAPTERS_FROM = {
    "outline": "from the PDF's outline",
    "contents": "from the printed contents",
    "headings": "from the headings",
    "none": "none found: the book counts as one chapter",
}

LABELS_FROM = {
    "labels": "the PDF's own",
    "folios": "read off the pages",
    "index": "counted, because none are printed",
}


def summary(report: QualityReport) -> str:
    """The report in one line: "115 pages, 36,568 words, 12 chapters, 1,402 sentences"."""
    counts = {"page": report.pages, "word": report.words, "chapter": report.chapters, "sentence": report.sentences}
    return ", ".join(counted(number, what) for what, number in counts.items())


def counted(number: int, what: str) -> str:
    """Number and noun: "1 page", "1,402 pages"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def report_rows(report: QualityReport) -> list[tuple[str, str]]:
    """Rows of a table: one for each fact and each warning."""
    return [
        ("pages", f"{report.pages:,}"),
        ("words", f"{report.words:,}"),
        ("sentences", f"{report.sentences:,}"),
        ("chapters", f"{report.chapters:,} ({CHAPTERS_FROM.get(report.chapter_source, report.chapter_source)})"),
        ("page numbers", LABELS_FROM.get(report.label_source, report.label_source)),
        ("outside any paragraph", f"{report.outside_share:.1%} of the text"),
        ("pages without text", ranges(report.pages_without_text) or "none"),
        *(("warning", str(warning)) for warning in report.warnings),
    ]


def ranges(pages: Sequence[int]) -> str:
    """Page indices as people count them: (0, 1, 2, 7) is "1-3, 8"."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(f"{first + 1}-{last + 1}" if last > first else str(first + 1) for first, last in runs)


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE.pdf", help="A PDF with text on its pages.")],
    sentences: Annotated[bool, typer.Option("--sentences", help="One JSON object a sentence, in reading order.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
) -> None:
    """What is recognized in a PDF: its quality report, or every sentence with its address. Nothing is stored."""
    book = parse(file)
    if sentences:
        print_sentences(book)
    elif as_json:
        print_json({"book": book.id, "title": book.title, "authors": list(book.authors), **asdict(book.report)})
    else:
        rows = [("title", book.title), ("authors", ", ".join(book.authors)), *report_rows(book.report)]
        print_table(("", ""), rows)


def parse(file: Path) -> Book:
    """The parsed book, with the id that adding the file would give it."""
    from chapterverse.core.names import title_of_file
    from chapterverse.library.versions import book_id_of

    limits = composition.limits(settings())
    pdf = read_pdf(file, limits)
    name = name_of(file)
    with progress_bar(name) as progress:
        book = composition.parser()(pdf, book_id_of(name), limits, lambda done, total: progress("parsing", done, total))
    return replace(book, title=book.title or title_of_file(name))


def print_sentences(book: Book) -> None:
    """Print JSON lines, each a SentenceRecord."""
    from chapterverse.citations.records import SentenceRecord

    for sentence in book.sentences:
        print_json_line(SentenceRecord.of(sentence).model_dump(mode="json"))
