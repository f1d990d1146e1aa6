"""`chapterverse lecture`: a transcript replayed, with the pages of the books beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import STDIN, must_be_a_file
from chapterverse.cli.folders import sources_at
from chapterverse.cli.outcome import note
from chapterverse.cli.replay import replay
from chapterverse.cli.session import make_home, services, settings
from chapterverse.cli.show_citations import Tally, result_json, show
from chapterverse.cli.terminal import Json, print_json_line, progress_bar
from chapterverse.composition.lectures import lecture_desk
from chapterverse.errors import TooLarge

if TYPE_CHECKING:
    from chapterverse.model import Attached, LectureSession, WindowResult
    from chapterverse.usecases.lectures.desk import LectureDesk

MOST_BYTES = 64 * 2**20  # of a transcript; a lecture of a day has about one MiB
FILES = (".pdf", ".zip")


def lecture(
    transcript: Annotated[
        Path, typer.Argument(metavar="TRANSCRIPT", help=".vtt, .srt, .sbv, .jsonl or plain text; - is standard input.")
    ],
    more: Annotated[list[str] | None, typer.Argument(metavar="BOOK…", help="More of what --books names.")] = None,
    *,
    books: Annotated[
        list[str],
        typer.Option(
            metavar="BOOK", help="What is cited: the name of a book on any shelf, a PDF, or a folder of Markdown or HTML pages."
        ),
    ],
    speed: Annotated[
        float | None, typer.Option(min=0.01, help="1: as it was spoken; 10: ten times as fast. Not given: as fast as it goes.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay a lecture's transcript: the pages of its books appear beside it, window by window.

    A file or folder named as a book is put on the shelf of `lectures` first. With --json each window is an object on a line of
    its own."""
    from chapterverse.lecture.transcripts import read_transcript

    segments = read_transcript(read_bytes(transcript))
    make_home(settings())
    desk = lecture_desk(settings(), services())
    session = session_with([*books, *(more or ())], desk)
    tally = Tally()

    def shown(result: WindowResult) -> None:
        tally.add(result)
        print_json_line(result_json(result)) if as_json else show(result)
        sys.stdout.flush()

    try:
        replay(session, segments, desk, speed, shown)
    finally:
        note(f"{tally.told()} Session {session.id}.")


def read_bytes(path: Path) -> bytes:
    """Of a file, a pipe, or standard input. Raises BadRequest, TooLarge."""
    if path != STDIN and not path.is_fifo():
        must_be_a_file(path)
    with sys.stdin.buffer if path == STDIN else path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise TooLarge("cli_transcript_too_large", max_mib=MOST_BYTES // 2**20)
    return data


def session_with(books: list[str], desk: LectureDesk) -> LectureSession:
    """A new session with these books, each ready. Raises BadBook, BadRequest, NotFound, and what the ports raise."""
    from chapterverse.usecases.lectures.sessions import begin_session

    attached = [one for given in books for one in attached_at(given, desk)]
    return begin_session(settings().school, attached, desk)


def attached_at(given: str, desk: LectureDesk) -> list[Attached]:
    """Files are added, books of other shelves cut into paragraphs, where that has not been done before."""
    from chapterverse.model import Collection
    from chapterverse.usecases.lectures.cutting import cut_now
    from chapterverse.usecases.lectures.sessions import resolve

    if Path(given).exists() or "://" in given or given.lower().endswith(FILES):
        return added(given, desk)
    attached = resolve(settings().school, given, desk)
    if attached.shelf is not Collection.LECTURES:
        with progress_bar(given) as progress:
            cut_now(settings().school, attached.book, desk.of_shelf(attached.shelf), progress)
    return [attached]


def added(given: str, desk: LectureDesk) -> list[Attached]:
    """On the lectures' shelf; the same file again: nothing to do."""
    from chapterverse.model import Attached
    from chapterverse.usecases.books import add_book

    limits, books = composition.limits(settings(), desk.services.collection), list[Attached]()
    for source in sources_at(given, limits, {}):
        with progress_bar(source.name) as bar:
            pdf, school = source.read(), settings().school
            book = add_book(
                pdf, source.name, school, desk.services, limits, title=source.title, authors=source.authors, progress=bar
            ).book
        books.append(Attached(book.id))
    return books
