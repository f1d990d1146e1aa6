"""The command `lecture`: replays a transcript with citations, as text or JSON."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse.cli.session import read_bytes, services, settings
from chapterverse.cli.terminal import Json, complain, note, print_json_line, print_line
from chapterverse.composition import lecture_context
from chapterverse.messages import ENGLISH, filled

if TYPE_CHECKING:
    from chapterverse.lectures.model import WindowResult


def show(result: WindowResult) -> None:
    """Print a window, and of each citation rank, score, book, printed page, section and snippet."""
    start, end = (timedelta(seconds=int(at)) for at in (result.window.start, result.window.end))
    print_line(f"[{start} – {end}] {result.window.text}")
    for one in result.citations:
        page = one.page_label and f"p. {one.page_label}"
        place = filter(None, (one.document_name, page, one.section_heading))
        print_line(f"  {one.rank}  {' · '.join((f'{one.relevance_score:.2f}', *place, f'“{one.snippet}”'))}")


def lecture(
    transcript: Annotated[
        Path, typer.Argument(metavar="TRANSCRIPT", help=".vtt, .srt, .sbv or plain text; - is standard input.")
    ],
    *,
    books: Annotated[list[str] | None, typer.Option(metavar="BOOK", help="Cite only this book; repeatable.")] = None,
    as_json: Json = False,
) -> None:
    """Replay a lecture's transcript with citations of its books, window by window.

    With --json each line is the object of one window."""
    from chapterverse.core.errors import NotFound
    from chapterverse.lectures.citing import cite_windows
    from chapterverse.lectures.service import begin_session, load_models, resolve, state_of
    from chapterverse.lectures.transcripts import read_transcript
    from chapterverse.lectures.windows import all_windows

    segments = read_transcript(read_bytes(transcript))
    context = lecture_context(settings(), services())
    school, catalog = settings().school, context.services.catalog
    wanted = [resolve(school, id, context) for id in books or ()] or [one.id for one in catalog.books(school)]
    if not wanted:
        raise NotFound("collection_empty", collection=catalog.collection)
    session = begin_session(school, wanted, context)
    for each in (state_of(session.school, one, context) for one in session.books):
        if each.state != "ready":
            note(f"{each.document_name} is not cited, because it is not ready ({each.message or each.state}).")
    results: list[WindowResult] = []
    if error := load_models(context):
        complain(error, of="A model of lectures could not be loaded")
    try:
        for window in all_windows(segments):
            results += cite_windows(session, [window], context)
            if as_json:
                from chapterverse.lectures.schemas import WindowEvent

                print_json_line(WindowEvent.of(results[-1]).model_dump(mode="json"))
            else:
                show(results[-1])
            sys.stdout.flush()
    finally:
        cited, failed = sum(bool(one.citations) for one in results), sum(bool(one.failed) for one in results)
        windows = filled("{n:window|windows}", {"n": len(results)}, ENGLISH)
        note(f"{windows}, {cited} of them with citations, {failed} failed. Session {session.id}.")
