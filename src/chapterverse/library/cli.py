"""`chapterverse sources`: the sources of every collection; `chapterverse inspect`: what is recognized in a file, without adding
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli import terminal
from chapterverse.cli.session import GivenPdf, name_of, pdf_at, read_pdf, services, services_of, settings, sources_at
from chapterverse.core.book import Book, BookId, Collection, Kind, Oddities, QualityReport
from chapterverse.core.errors import BadRequest, BookBusy, ChapterverseError, PermanentError
from chapterverse.core.names import one_line
from chapterverse.messages import ENGLISH, filled

if TYPE_CHECKING:
    from chapterverse.library.model import CatalogBook
    from chapterverse.library.schemas import ReportedSource
    from chapterverse.library.services import Intake


CHAPTERS_FROM = {
    "outline": "from the file's outline",
    "contents": "from the printed contents",
    "headings": "from the headings",
    "none": "none found: the book counts as one chapter",
}

LABELS_FROM = {
    "labels": "the PDF's own",
    "folios": "read off the pages",
    "index": "counted, because no printed ones were found",
    "pages": "from the e-book's list of printed pages",
    "none": "none: the file has no list of printed pages",
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
    told = "{pages:page|pages}, {words:word|words}, {chapters:chapter|chapters}, {sentences:sentence|sentences}"
    return filled(told, asdict(report), ENGLISH)


def report_rows(report: QualityReport) -> list[tuple[str, str]]:
    """Rows of a table: one for each fact and each warning."""
    to_look_at = [f"{page.page_label or page.page_index + 1} ({odd(page.oddities)})" for page in report.odd_pages[:MAX_NAMED]]
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
        ("pages to look at", ", ".join(to_look_at) or "none"),
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
    following = groupby(enumerate(sorted(pages)), lambda one: one[1] - one[0])
    runs = [[page + 1 for _, page in run] for _, run in following]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A PDF with text on its pages, or an EPUB.")],
    sentences: Annotated[bool, typer.Option("--sentences", help="One JSON object a sentence, in reading order.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
) -> None:
    """Show what is recognized in a PDF or EPUB: its quality report, or every sentence with its address. Nothing is stored."""
    book = parse(file)
    if sentences:
        from chapterverse.citations.records import SentenceRecord

        for sentence in book.sentences:
            terminal.print_json_line(SentenceRecord.of(sentence).model_dump(mode="json"))
        return
    rows = [("title", book.title), ("authors", ", ".join(book.authors)), *report_rows(book.report)]
    found = {"book": book.id, "title": book.title, "authors": list(book.authors), **asdict(book.report)}
    terminal.print_found(found, ("", ""), rows, as_json=as_json)


def parse(file: Path) -> Book:
    """The parsed book, with the id that adding the file would give it."""
    from bookreader.book import title_of_file
    from chapterverse.library.services import as_pdf, parsed
    from chapterverse.library.versions import book_id_of

    limits = composition.limits(settings())
    name, data = name_of(file), read_pdf(file, limits)
    with terminal.progress_bar(name) as progress:
        book = parsed(as_pdf(data, limits), book_id_of(name), limits, lambda done, total: progress("parsing", done, total))
    return replace(book, title=book.title or title_of_file(name))


AboutTopic = Annotated[list[str] | None, typer.Option("--topic", help="Only sources about this; may be given more than once.")]
Of = Annotated[Collection, typer.Option("--collection", "-c", help="The collection of the source.")]
SourceName = Annotated[str, typer.Argument(metavar="SOURCE", help="Its name, as `sources list` shows it.")]
Title = Annotated[str | None, typer.Option(help="The title; else as the file says.")]
Authors = Annotated[list[str] | None, typer.Option("--author", help="An author; may be given more than once.")]
LISTS = (".json", ".jsonl", ".csv")  # of questions and answers: `helpdesk faq add`
app = typer.Typer(name="sources", help="Books, documents, textbooks and other sources.", no_args_is_help=True)


@app.command()
def add(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="PDFs with text on their pages, and EPUBs; except for books also Markdown, HTML, and folders or zips of them.",
        ),
    ],
    *,
    collection: Of = Collection.BOOKS,
    title: Title = None,
    author: Authors = None,
    department: Annotated[str | None, typer.Option(help="Help desk: the department it belongs to; else all.")] = None,
    as_json: terminal.Json = False,
) -> None:
    """Add sources to a collection. The same file again changes nothing; another file of the same name is a new version.

    A file that is refused does not stop the others; the exit code is then that of the first refusal."""
    if department and collection is not Collection.HELPDESK:
        raise BadRequest("department_of_helpdesk_only")
    if any(file.lower().endswith(LISTS) for file in files):
        raise BadRequest("cli_list_of_questions")
    intake = composition.intake(settings(), services()).of(collection)
    limits = intake.limits
    if collection is Collection.BOOKS:
        given = [pdf_at(file, limits) for file in files]
    else:
        given = [source for file in files for source in sources_at(file, limits)]
    if len(given) > 1 and (title or author):
        raise BadRequest("cli_title_of_one_source")
    names = tuple(name for each in author or () if (name := one_line(each)))
    sources = [replace(each, title=one_line(title or "") or each.title, authors=names or each.authors) for each in given]
    errors = [error for source in sources if (error := try_to_add(source, intake, as_json, department))]
    if errors:
        raise typer.Exit(errors[0].exit_code)


@app.command("list")
def list_all(
    source: Annotated[str | None, typer.Argument(help="Only this one: what was recognized in its file, and warnings.")] = None,
    collection: Of = Collection.BOOKS,
    as_json: terminal.Json = False,
) -> None:
    """List the sources of a collection by title, or show one."""
    catalog = services_of(collection).catalog
    if source is not None:
        book = catalog.book(settings().school, BookId(source))
        rows = [("source", book.id), ("title", book.title), ("authors", ", ".join(book.authors)), ("file", book.file_name)]
        rows += [("state", state_of(book)), *(report_rows(book.report) if book.report else [])]
        terminal.print_found(reported(book), ("", ""), rows, as_json=as_json)
        return
    books = catalog.books(settings().school)
    heads = ("source", "title", "department" if collection is Collection.HELPDESK else "authors", "chunks", "state")
    terminal.print_found(list(map(reported, books)), heads, map(book_row, books), as_json=as_json)


@app.command()
def remove(
    source: SourceName,
    collection: Of = Collection.BOOKS,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: terminal.Json = False,
) -> None:
    """Remove a source from all its uses, its file and all data made from it."""
    from chapterverse.library.intake import remove_everywhere

    book = services_of(collection).catalog.book(settings().school, BookId(source))
    if not yes:
        typer.confirm(f"Remove {terminal.printable(book.title)}?", err=True, abort=True)
    remove_everywhere(settings().school, book.id, composition.intake(settings(), services()).of(collection))
    terminal.print_json({"removed": book.id}) if as_json else terminal.print_line(f"Removed {book.title}.")


def try_to_add(file: GivenPdf, intake: Intake, as_json: bool, department: str | None = None) -> ChapterverseError | None:
    """Add one file and print the outcome; returns the refusal, if any. department: of the help desk."""
    from chapterverse.library.intake import add_book, use_everywhere
    from chapterverse.library.versions import IndexHere

    try:
        data = file.read()
        with terminal.progress_bar(file.name) as progress:
            add = partial(add_book, title=file.title, authors=file.authors, department=department)
            here = IndexHere(progress, share=partial(use_everywhere, intake=intake, indexing=IndexHere(progress)))
            added = add(data, file.name, settings().school, intake.services, intake.limits, indexing=here)
    except (PermanentError, BookBusy) as error:
        terminal.complain(error, of=file.name)
        return error
    except KeyboardInterrupt as error:
        terminal.note(f"{file.name}: interrupted. Add the file again to finish it.")
        raise typer.Exit(terminal.INTERRUPTED) from error
    print_added(added.book, added.outcome, as_json, added.replaced)
    return None


def print_added(book: CatalogBook, outcome: str, as_json: bool, replaced: CatalogBook | None = None) -> None:
    """Print the outcome of adding a book, and its warnings."""
    if as_json:
        more = {"outcome": outcome, "replaced": replaced and reported(replaced)}
        terminal.print_json({**reported(book).model_dump(mode="json"), **more})
        return
    report, before = book.report, replaced and replaced.report
    pages = filled(" ({pages:page|pages})", {"pages": before.pages}, ENGLISH) if before else ""
    done = f"replaces {replaced.title}{pages}" if replaced else outcome
    terminal.print_line(f"{book.title}: {done} as {book.id}" + (f", {summary(report)}." if report else "."))
    for warning in report.warnings if report else ():
        terminal.print_line(f"  {warning}")


def reported(book: CatalogBook) -> ReportedSource:
    """The source as --json prints it."""
    from chapterverse.library.schemas import BookReport, ReportedSource

    return ReportedSource.of(book, report=BookReport.of(book))


def state_of(book: CatalogBook) -> str:
    """State of the newest version, with the reason of a failure, and whether an older version is searched meanwhile."""
    newest = book.newest
    if newest is None:
        return "empty"
    why = f": {newest.message}" if newest.message else ""
    return f"{newest.state}{why}" + (" (an earlier version is searched)" if book.active and book.active != newest else "")


def book_row(book: CatalogBook) -> tuple[str, ...]:
    """One line of the list."""
    chunks = str(book.active.sentences or "") if book.active else ""
    return book.id, book.title, book.department or ", ".join(book.authors), chunks, state_of(book)
