"""How well the pages beside a lecture are those that it speaks of: the product over real captions, against the notes of them.

    CHAPTERVERSE_HOME=build/lecture python -m scripts.eval.lecture [SHARED] [--weeks 1-5] [--others 90]

right: a citation from the part of the notes that the moment belongs to, up to the next heading with a time; steps are added one
after the other. silent: of windows of other books spliced in, how many have no citation. Then whether a lecture on another
book is silent: the sample book attached, so many windows of each typeset book read aloud beside it, and the sample's own
lecture, with and without the test whether the book is spoken of at all."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, cycle
from pathlib import Path
from uuid import uuid4

import numpy as np
import typer

from chapterverse import composition
from chapterverse.cli.session import sources_at
from chapterverse.composition import lecture_context
from chapterverse.core.book import BookId, ChunkId
from chapterverse.infrastructure.embedding.batching import RememberedQueries
from chapterverse.lectures.citing import LectureContext, cite_windows
from chapterverse.lectures.following import PositionFilter
from chapterverse.lectures.model import LectureSession, Window
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.lectures.windows import all_windows
from chapterverse.library.chunks import load_chunks
from chapterverse.library.intake import add_book
from chapterverse.settings import read_settings
from evaluations.measures import grouped_estimate
from scripts.eval.lecture_set import NOTES, Lecture, copy_notes, keyed, lectures, pages, read_aloud, title_of
from scripts.eval.shared import ADJACENT, Shared, shared_folder

A_DAY = 86_400.0  # seconds that vectors are kept: the steps ask the same
AT_ONCE, EVERY = 64, 4  # windows; after so many of them comes one of another book
ABOUT = 0.6  # of PositionFilter.min_about, as it is by default
EVERYTHING = PositionFilter(min_score=-9.0, min_confidence=0.0, min_about=0.0)
SAMPLES = Path(__file__).parents[2] / "samples"


@dataclass(frozen=True)
class Told:
    """What one window got. gold: the section that it belongs to, None for none; found: the section of each citation, best
    first."""

    gold: str | None
    found: Sequence[str]

    def right(self, first: int) -> bool:
        return self.gold in self.found[:first]


@dataclass(frozen=True)
class Notes:
    """The notes as a school of their own. places: of each paragraph the last heading before it that has a time."""

    school: str
    books: Sequence[BookId]
    places: Mapping[ChunkId, str]


def add_notes(folder: Path, names: Mapping[str, str], timed: frozenset[str], context: LectureContext) -> Notes:
    """names: of each title of a page, as keyed, how moments call it; timed: the sections that have a time."""
    services, limits, school = context.services, composition.limits(read_settings()), "notes"
    for given in sources_at(str(folder), limits):
        add_book(given.read(), given.name, school, services, limits)
    books, places = services.catalog.books(school), dict[ChunkId, str]()
    for book in sorted(books, key=lambda one: one.id):
        assert book.active is not None
        last = ""
        for chunk in load_chunks(services.bucket, book.active.key):
            page = names[keyed(chunk.headings[0])] if chunk.headings else ""
            above = [key for heading in chunk.headings[1:] if (key := f"{page}#{keyed(heading)}") in timed]
            places[chunk.id] = last = above[-1] if above else last
    if lost := timed - set(places.values()):
        print(f"headings not found: {sorted(lost)}", file=sys.stderr)
    return Notes(school, [book.id for book in books], places)


def cited(windows: Sequence[Window], school: str, books: Sequence[BookId], context: LectureContext) -> Iterator[list[ChunkId]]:
    """The paragraphs cited beside each window of one session."""
    session = LectureSession(uuid4(), school, datetime.now(UTC), tuple(books))
    context.store.begin(session)
    for at in range(0, len(windows), AT_ONCE):
        for result in cite_windows(session, windows[at : at + AT_ONCE], context):
            if result.failed:
                sys.exit(f"{result.failed} was away")
            yield [citation.paragraph for citation in result.citations]


def told(given: Lecture, notes: Notes, context: LectureContext, others: Iterator[str] | None = None) -> list[tuple[Told, bool]]:
    """What each window got, and whether it is the lecture's; with windows of other texts spliced in, where there are others."""
    every = list[tuple[Window, str | None, bool]]()
    for number, (window, section) in enumerate(zip(given.windows, given.sections, strict=True), start=1):
        every.append((replace(window, index=len(every)), section, True))
        if others and number % EVERY == 0:
            every.append((Window(len(every), window.end, window.end, next(others)), None, False))
    found = cited([window for window, _, _ in every], notes.school, notes.books, context)
    return [
        (Told(section, [notes.places[one] for one in its]), own) for (_, section, own), its in zip(every, found, strict=True)
    ]


def steps(context: LectureContext) -> Iterator[tuple[str, LectureContext]]:
    """From what the seed says to what is the default, each without silence but the seed's own."""
    loud = replace(context, reorder=EVERYTHING)
    yield "as the seed: vectors", replace(loud, reorder=None, plan=replace(context.plan, lexical=0.0))
    yield "and words", replace(loud, reorder=None)
    yield "and the running position", loud


def print_figures(name: str, every: Sequence[tuple[Told, bool]]) -> None:
    """Of windows that belong to a section. Those of one section are not independent."""
    timed = [one for one, _ in every if one.gold]
    shown = [one for one in timed if one.found]
    one, three = (grouped_estimate((str(each.gold), each.right(first)) for each in timed) for first in (1, 3))
    line = f"{name:34} {len(timed)} windows, right {one.value:.3f}, among three {three.value:.3f}"
    line += f" ({three.low:.2f}–{three.high:.2f}); shown {share([bool(one.found) for one in timed])}"
    line += f", of these first right {share([one.right(1) for one in shown])}"
    print(f"{line}; silent on others {share([not one.found for one, own in every if not own])}", flush=True)


def share(each: Sequence[bool]) -> str:
    return f"{np.mean(each):.3f}" if each else "–"


def on_notes(shared: Path, weeks: range, context: LectureContext) -> None:
    given = list(lectures(shared, weeks))
    names = {keyed(title_of(page)): page.stem for page in pages(shared, weeks)}
    timed = frozenset(section for lecture in given for section in lecture.sections if section)
    notes = add_notes(copy_notes(shared, weeks, read_settings().home / "notes"), names, timed, context)
    for name, its in steps(context):
        print_figures(name, list(chain.from_iterable(told(lecture, notes, its) for lecture in given)))
    others = cycle(window.text for _, windows in read_aloud(shared, 30) for window in windows)
    print_figures("as it is, others spliced in", [one for each in given for one in told(each, notes, context, others)])


def on_other_books(shared: Path, number: int, context: LectureContext) -> None:
    services, school = context.services, "others"
    limits = composition.limits(read_settings())
    book = add_book((SAMPLES / "on-liberty.pdf").read_bytes(), "on-liberty.pdf", school, services, limits).book.id
    own = all_windows(read_transcript((SAMPLES / "lecture-on-liberty.vtt").read_bytes()))
    for about in (0.0, ABOUT):
        its = replace(context, reorder=PositionFilter(min_about=about))
        silent = {
            name: np.mean([not found for found in cited(windows, school, [book], its)])
            for name, windows in [*read_aloud(shared, number), ("own", own)]
            if name != "on-liberty"
        }
        cites = 1 - silent.pop("own")
        print(f"{'whole lecture' if about else 'window by window'}: other books silent {np.mean(list(silent.values())):.3f}")
        print(f"  least silent {min(silent, key=lambda name: silent[name])} {min(silent.values()):.3f}; own cited {cites:.3f}")


def main(shared: Shared = ADJACENT, weeks: str = "1-5", others: int = 90) -> None:
    """Print the figures; no weeks: the other books alone."""
    shared_folder(shared, NOTES)
    context = lecture_context(read_settings())
    context = replace(context, services=replace(context.services, embedder=RememberedQueries(context.services.embedder, A_DAY)))
    if weeks:
        first, last = map(int, weeks.split("-"))
        on_notes(shared, range(first, last + 1), context)
    on_other_books(shared, others, context)


if __name__ == "__main__":
    typer.run(main)
