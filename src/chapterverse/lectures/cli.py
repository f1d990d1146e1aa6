"""The command `lecture`: replays a transcript with citations, as text or JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import STDIN, must_be_a_file, sources_at
from chapterverse.cli.session import make_home, services, settings
from chapterverse.cli.terminal import Json, note, print_json_line, print_line, progress_bar
from chapterverse.composition import lecture_context
from chapterverse.core.errors import TooLarge
from chapterverse.library.cli import counted

if TYPE_CHECKING:
    from chapterverse.lectures.context import LectureContext
    from chapterverse.lectures.model import Attached, LectureCitation, LectureSession, WindowResult


def show(result: WindowResult) -> None:
    """Print a window."""
    print_line(f"[{clock(result.window.start)} – {clock(result.window.end)}] {result.window.text}")
    for citation in result.citations:
        print_line(f"  {' · '.join(parts_of(citation))}")


def parts_of(citation: LectureCitation) -> list[str]:
    """Rank, score, book, printed page, section, snippet."""
    page = [f"p. {citation.page_label}"] if citation.page_label else []
    section = [citation.section_heading] if citation.section_heading else []
    return [
        f"{citation.rank}  {citation.relevance_score:.2f}",
        citation.document_name,
        *page,
        *section,
        f"“{citation.snippet}”",
    ]


def clock(seconds: float) -> str:
    """Hours, minutes and whole seconds, "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


MAX_BYTES = 64 * 2**20  # of a transcript; a lecture of a day has about one MiB
FILES = (".pdf", ".epub", ".zip")


def lecture(
    transcript: Annotated[
        Path, typer.Argument(metavar="TRANSCRIPT", help=".vtt, .srt, .sbv, .jsonl or plain text; - is standard input.")
    ],
    more: Annotated[list[str] | None, typer.Argument(metavar="BOOK…", help="More books.")] = None,
    *,
    books: Annotated[
        list[str],
        typer.Option(
            metavar="BOOK", help="A book to cite: its id in any collection, a PDF, or a folder of Markdown or HTML pages."
        ),
    ],
    as_json: Json = False,
) -> None:
    """Replay a lecture's transcript with citations of its books, window by window.

    A file or folder given as a book is added to the collection `lectures` first. With --json each line is the object of one
    window."""
    from chapterverse.lectures.citing import cite_windows
    from chapterverse.lectures.service import load_models
    from chapterverse.lectures.transcripts import read_transcript
    from chapterverse.lectures.windows import all_windows

    segments = read_transcript(read_bytes(transcript))
    make_home(settings())
    context = lecture_context(settings(), services())
    session = session_with([*books, *(more or ())], context)
    results: list[WindowResult] = []
    load_models(context)
    try:
        for window in all_windows(segments):
            results += cite_windows(session, [window], context)
            if as_json:
                from chapterverse.lectures.schemas import WindowEvent

                print_json_line({"text": window.text, **WindowEvent.of(results[-1]).model_dump(mode="json")})
            else:
                show(results[-1])
            sys.stdout.flush()
    finally:
        cited, failed = sum(bool(one.citations) for one in results), sum(bool(one.failed) for one in results)
        note(f"{counted(len(results), 'window')}, {cited} of them with citations, {failed} failed. Session {session.id}.")


def read_bytes(path: Path) -> bytes:
    """Content of a file, a pipe or standard input. Raises BadRequest, TooLarge."""
    if path != STDIN and not path.is_fifo():
        must_be_a_file(path)
    with sys.stdin.buffer if path == STDIN else path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise TooLarge("cli_transcript_too_large", max_mib=MAX_BYTES // 2**20)
    return data


def session_with(books: list[str], context: LectureContext) -> LectureSession:
    """A new session with these books, made ready first. Raises BadBook, BadRequest, NotFound, and as the ports do."""
    from chapterverse.lectures.service import begin_session

    attached = [one for given in books for one in attached_at(given, context)]
    return begin_session(settings().school, attached, context)


def attached_at(given: str, context: LectureContext) -> list[Attached]:
    """The attached books: files are added, books of other collections are split into paragraphs, unless that is done
    already."""
    from chapterverse.core.book import Collection
    from chapterverse.lectures.context import cut_now
    from chapterverse.lectures.service import resolve

    if Path(given).exists() or "://" in given or given.lower().endswith(FILES):
        return added(given, context)
    attached = resolve(settings().school, given, context)
    if attached.collection is not Collection.LECTURES:
        with progress_bar(given) as progress:
            cut_now(settings().school, attached.book, context.of_collection(attached.collection), progress)
    return [attached]


def added(given: str, context: LectureContext) -> list[Attached]:
    """Add files to the collection of lectures; a file that is there already changes nothing."""
    from chapterverse.lectures.model import Attached
    from chapterverse.library.intake import add_book

    limits, books = composition.limits(settings(), context.services.collection), list[Attached]()
    for source in sources_at(given, limits):
        with progress_bar(source.name) as bar:
            pdf, school = source.read(), settings().school
            book = add_book(
                pdf, source.name, school, context.services, limits, title=source.title, authors=source.authors, progress=bar
            ).book
        books.append(Attached(book.id))
    return books
