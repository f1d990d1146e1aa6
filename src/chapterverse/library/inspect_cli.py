"""`chapterverse inspect` and `sources chunks`: what is recognized in a file and how well its chunks are found, without adding
it; quality reports as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import name_of, read_pdf
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_json, print_json_line, print_table, progress_bar

if TYPE_CHECKING:
    from chapterverse.core.book import Book, Kind, Oddities, QualityReport

SIZES = "300/30,500/50,1000/100"  # S2-2
CHAPTERS_FROM = {
    "outline": "from the PDF's outline",
    "contents": "from the printed contents",
    "headings": "from the headings",
    "none": "none found: the book counts as one chapter",
}

LABELS_FROM = {
    "labels": "the PDF's own",
    "folios": "read off the pages",
    "index": "counted, because no printed ones were found",
    "pages": "from the e-book's list of printed pages",
    "none": "none: the e-book has no list of printed pages",
}


ODDITIES = {
    "lower_case": "beginning in lower case",
    "number": "beginning with a number",
    "unreadable": "with unreadable letters",
    "garbled": "hardly made of words",
    "unquotable": "shown as pictures",
}
MAX_NAMED = 3  # pages that are named
SMALLEST_SHARE = 0.005  # of the text: a kind with less is not named


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
        ("pages read by OCR", ranges(report.recognized_pages) or "none"),
        ("kinds of text", shares(report.kind_shares)),
        ("sentences that look odd", odd(report.oddities)),
        (
            "pages to look at",
            ", ".join(
                f"{page.page_label or page.page_index + 1} ({odd(page.oddities)})" for page in report.odd_pages[:MAX_NAMED]
            )
            or "none",
        ),
        *(("warning", str(warning)) for warning in report.warnings),
        *(() if report.warnings or report.odd_pages else (("warnings", "nothing about this file looks odd"),)),
    ]


def shares(kinds: Mapping[Kind, float]) -> str:
    """Shares of the text: "sentence 91%, code 9%"."""
    return ", ".join(f"{kind} {share:.0%}" for kind, share in kinds.items() if share >= SMALLEST_SHARE) or "not counted"


def odd(oddities: Oddities) -> str:
    """Numbers of sentences: "3 beginning in lower case, 1 shown as pictures"."""
    counts = {name: getattr(oddities, name) for name in ODDITIES}
    return ", ".join(f"{number:,} {ODDITIES[name]}" for name, number in counts.items() if number) or "none"


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
    """Show what is recognized in a PDF: its quality report, or every sentence with its address. Nothing is stored."""
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
    from bookreader.book import title_of_file
    from chapterverse.library.uploads import as_pdf
    from chapterverse.library.versions import book_id_of

    limits = composition.limits(settings())
    name, pdf = name_of(file), as_pdf(read_pdf(file, limits), limits)
    with progress_bar(name) as progress:
        book = composition.parser()(pdf, book_id_of(name), limits, lambda done, total: progress("parsing", done, total))
    return replace(book, title=book.title or title_of_file(name))


def print_sentences(book: Book) -> None:
    """Print JSON lines, each a SentenceRecord."""
    from chapterverse.citations.records import SentenceRecord

    for sentence in book.sentences:
        print_json_line(SentenceRecord.of(sentence).model_dump(mode="json"))
