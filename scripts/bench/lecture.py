"""How long a window of a lecture takes to its citations: a real lecture beside its notes and a textbook.

    CHAPTERVERSE_HOME=build/lecture python -m scripts.bench.lecture [SHARED] [--windows 100]

One session, a window at a time; twenty sessions that close a window at the same moment, and that speak as people do.
ms: by the clock; cpu: milliseconds of all cores, which other programs on the machine stretch less."""

import argparse
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any
from uuid import uuid4

import numpy as np

from chapterverse import composition
from chapterverse.cli.session import sources_at
from chapterverse.composition import lecture_context
from chapterverse.core.book import BookId
from chapterverse.lectures.citing import LectureContext, cite_windows
from chapterverse.lectures.model import LectureSession, Window
from chapterverse.lectures.service import WindowPool
from chapterverse.library.chunks import load_chunks
from chapterverse.library.intake import add_book
from chapterverse.settings import read_settings
from scripts.bench.report import settings, show
from scripts.eval.lecture_set import NOTES, copy_notes, lectures
from scripts.eval.shared import ADJACENT, shared_folder

TEXTBOOK = "data/pdf/think-python-2e/thinkpython2.pdf"
SESSIONS, ROUNDS, TALK = 20, 4, 10.0  # seconds between two windows of one lecture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, default=ADJACENT, help="the shared folder")
    parser.add_argument("--windows", type=int, default=100)
    given = parser.parse_args()
    shared = shared_folder(given.shared, NOTES).parents[2]
    windows = list(next(lectures(shared, [1])).windows)
    context = lecture_context(read_settings())
    sources = filled(context, "bench", [copy_notes(shared, range(1, 6), read_settings().home / "notes"), shared / TEXTBOOK])
    cite_windows(begun(sources, context), windows[-2:], context)  # what is loaded at the first is no window's
    rows = [one_session("one session", sources, context, windows[: given.windows])]
    rows += [many(sources, context, windows, pause=0.0), many(sources, context, windows, pause=TALK / SESSIONS)]
    show("windows of a lecture", rows, settings(paragraphs=sources.paragraphs))


@dataclass(frozen=True)
class Sources:
    """Books beside a lecture."""

    school: str
    books: Sequence[BookId]
    paragraphs: int

    def session(self) -> LectureSession:
        return LectureSession(uuid4(), self.school, datetime.now(UTC), tuple(self.books))


def filled(context: LectureContext, school: str, files: Sequence[Path]) -> Sources:
    """With these files as its books; done already, it does nothing."""
    limits = composition.limits(read_settings())
    for file in files:
        for source in sources_at(str(file), limits):
            add_book(source.read(), source.name, school, context.services, limits)
    books = context.services.catalog.books(school)
    chunks = sum(len(load_chunks(context.services.bucket, book.active.key)) for book in books if book.active)
    return Sources(school, [book.id for book in books], chunks)


def begun(sources: Sources, context: LectureContext) -> LectureSession:
    session = sources.session()
    context.store.begin(session)
    return session


def one_session(name: str, sources: Sources, context: LectureContext, windows: Sequence[Window]) -> dict[str, Any]:
    session, cpu = begun(sources, context), process_time()
    spent = [cite_windows(session, [window], context)[0].milliseconds for window in windows]
    return row(name, spent, 1000 * (process_time() - cpu) / len(windows))


def many(sources: Sources, context: LectureContext, windows: Sequence[Window], pause: float) -> dict[str, Any]:
    """From handing a window in to its citations, through the pool; pause: seconds between two lectures' windows."""
    pool = WindowPool(lambda session, its: cite_windows(session, its, context))
    sessions, spent, cpu = [begun(sources, context) for _ in range(SESSIONS)], list[float](), process_time()
    everyone = threading.Semaphore(0)

    def hand_in(session: LectureSession, window: Window) -> None:
        began = perf_counter()

        def deliver(_: object) -> None:
            spent.append(1000 * (perf_counter() - began))
            everyone.release()

        pool.submit(session, [window], deliver)

    for number in range(ROUNDS):
        for place, session in enumerate(sessions):
            hand_in(session, windows[(number + place * ROUNDS) % len(windows)])
            sleep(pause)
        for _ in sessions:
            everyone.acquire()
    cpu = 1000 * (process_time() - cpu) / len(spent)
    return row(f"{SESSIONS} sessions, " + ("a window each 10 s" if pause else "all at one moment"), spent, cpu)


def row(name: str, spent: Sequence[float], cpu: float) -> dict[str, Any]:
    """p50/p95 of a window, in milliseconds."""
    both = f"{np.percentile(spent, 50):.1f} / {np.percentile(spent, 95):.1f}"
    return {"what": name, "windows": len(spent), "total_ms": both, "cpu_ms": round(cpu, 1)}


if __name__ == "__main__":
    main()
