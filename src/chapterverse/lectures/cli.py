"""The command `lecture`: replays a transcript with citations, as text or JSON."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import read_bytes, sources_at
from chapterverse.cli.session import make_home, services, settings
from chapterverse.cli.terminal import Json, note, print_json_line, print_line, progress_bar
from chapterverse.composition import lecture_context
from chapterverse.library.cli import counted

if TYPE_CHECKING:
    from chapterverse.lectures.context import LectureContext
    from chapterverse.lectures.model import Attached, WindowResult


def show(result: WindowResult) -> None:
    """Print a window, and of each citation rank, score, book, printed page, section and snippet."""
    start, end = (timedelta(seconds=int(at)) for at in (result.window.start, result.window.end))
    print_line(f"[{start} – {end}] {result.window.text}")
    for one in result.citations:
        page = one.page_label and f"p. {one.page_label}"
        place = filter(None, (one.document_name, page, one.section_heading))
        print_line(f"  {one.rank}  {' · '.join((f'{one.relevance_score:.2f}', *place, f'“{one.snippet}”'))}")


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
    from chapterverse.lectures.service import begin_session, load_models
    from chapterverse.lectures.transcripts import read_transcript
    from chapterverse.lectures.windows import all_windows

    segments = read_transcript(read_bytes(transcript))
    make_home(settings())
    context = lecture_context(settings(), services())
    attached = [one for given in (*books, *(more or ())) for one in attached_at(given, context)]
    session = begin_session(settings().school, attached, context)
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


def attached_at(given: str, context: LectureContext) -> list[Attached]:
    """The attached books, made ready: files are added to the collection of lectures, books of other collections are split into
    paragraphs, unless that is done already. Raises BadBook, BadRequest, NotFound, and as the ports do."""
    from chapterverse.core.book import Collection
    from chapterverse.lectures.context import cut_now
    from chapterverse.lectures.model import Attached
    from chapterverse.lectures.service import resolve
    from chapterverse.library.intake import add_book

    school = settings().school
    if not (Path(given).exists() or "://" in given or given.lower().endswith(FILES)):
        attached = resolve(school, given, context)
        if attached.collection is not Collection.LECTURES:
            with progress_bar(given) as bar:
                cut_now(school, attached.book, context.of_collection(attached.collection), bar)
        return [attached]
    limits, books = composition.limits(settings(), context.services.collection), list[Attached]()
    for source in sources_at(given, limits):
        with progress_bar(source.name) as bar:
            data, into, title, authors = source.read(), context.services, source.title, source.authors
            added = add_book(data, source.name, school, into, limits, title=title, authors=authors, progress=bar)
        books.append(Attached(added.book.id))
    return books
