#!/usr/bin/env python3
"""How well the pages beside a lecture are those that it speaks of: the product over real captions, against the notes of them.

    CHAPTERVERSE_HOME=build/lecture PYTHONPATH=src python -m scripts.eval.lecture [SHARED]
        [--forms markdown,pdf] [--weeks 1-5] [--out FILE]

right: a citation from the part of the notes that the moment belongs to, up to the next heading with a time; strict: from below
the heading itself. Steps are added one after the other. silent: of windows of other books spliced in, how many have no
citation. Intervals: 95 %, bootstrapped over parts of the notes."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, cycle
from pathlib import Path
from uuid import uuid4

import numpy as np

from chapterverse import composition
from chapterverse.cli.files import sources_at
from chapterverse.composition import lecture_context
from chapterverse.core.book import BookId, ChunkId
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.lectures.citing import cite_windows
from chapterverse.lectures.context import LectureContext, as_found
from chapterverse.lectures.following import PositionFilter
from chapterverse.lectures.model import Attached, LectureSession
from chapterverse.library.chunks import load_chunks
from chapterverse.library.intake import add_book
from chapterverse.library.versions import list_books
from chapterverse.settings import read_settings
from scripts.eval.lecture_set import (
    OFF_TOPIC,
    Lecture,
    copy_notes,
    keyed,
    lectures,
    off_topic,
    pages,
    print_notes,
    shuffled,
    spliced,
    title_of,
)
from scripts.eval.shared import shared_folder

AT_ONCE, EVERY, SEED, DRAWS = 64, 4, 7, 1000
EVERYTHING = PositionFilter(min_score=-9.0, min_confidence=0.0, min_about=0.0)


@dataclass
class Kept:
    """An embedder that embeds no query twice: the steps ask the same."""

    embedder: Embedder
    known: dict[str, Vectors] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return self.embedder.model

    @property
    def dimensions(self) -> int:
        return self.embedder.dimensions

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.embedder.count_tokens(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        if new := [text for text in dict.fromkeys(texts) if text not in self.known]:
            self.known.update(zip(new, self.embedder.embed_queries(new), strict=True))
        return np.stack([self.known[text] for text in texts])


@dataclass(frozen=True)
class Told:
    """What one window got. gold: the section that it belongs to, None for none; found: of each citation, best first, the
    section with a time that is the last before it, and the one that it stands below."""

    gold: str | None
    found: Sequence[tuple[str, str]]
    of_lecture: bool = True

    def right(self, first: int, *, strict: bool) -> bool:
        return self.gold in [pair[strict] for pair in self.found[:first]]


@dataclass(frozen=True)
class Sources:
    """A form of the notes as a school of its own. places: of each paragraph, as Told.found."""

    school: str
    books: Sequence[BookId]
    places: Mapping[ChunkId, tuple[str, str]]


def sources_of(
    form: str, files: Sequence[Path], names: Mapping[str, str], timed: frozenset[str], context: LectureContext
) -> Sources:
    """The files added. names: of each title of a page, as keyed, how moments call it; timed: the sections that have a time."""
    services, limits = context.services, composition.limits(read_settings(), context.services.collection)
    for file in files:
        for given in sources_at(str(file), limits):
            add_book(given.read(), given.name, form, services, limits)
    books, places = list_books(form, services), dict[ChunkId, tuple[str, str]]()
    for book in sorted(books, key=lambda one: one.id):
        assert book.active is not None
        last = ""
        for chunk in load_chunks(services.bucket, book.active.key):
            page = names[keyed(chunk.headings[0])] if chunk.headings else ""
            above = [key for heading in chunk.headings[1:] if (key := f"{page}#{keyed(heading)}") in timed]
            last = above[-1] if above else last
            places[chunk.id] = last, above[-1] if above else ""
    if lost := timed - {last for last, _ in places.values()}:
        print(f"headings not found in {form}: {sorted(lost)}", file=sys.stderr)
    return Sources(form, [book.id for book in books], places)


def told(given: Lecture, sources: Sources, context: LectureContext, others: Iterator[str] | None = None) -> Iterator[Told]:
    """Of a lecture's windows in one session; with windows of other texts spliced in, where there are others."""
    session = LectureSession(uuid4(), sources.school, datetime.now(UTC), tuple(map(Attached, sources.books)))
    context.store.begin(session)
    alone = [(*pair, True) for pair in zip(given.windows, given.sections, strict=True)]
    every = list(spliced(given, others, EVERY)) if others else alone
    for at in range(0, len(every), AT_ONCE):
        part = every[at : at + AT_ONCE]
        results = cite_windows(session, [window for window, _, _ in part], context)
        for result, (_, section, own) in zip(results, part, strict=True):
            if result.failed:
                sys.exit(f"{given.name}: {result.failed} was away")
            yield Told(section, [sources.places[citation.paragraph] for citation in result.citations], own)


def steps(context: LectureContext) -> Iterator[tuple[str, LectureContext]]:
    """From what the seed says to what is the default, then what is left out of it, each without silence but the seed's own."""
    loud = replace(context, reorder=EVERYTHING)
    seed = replace(loud, reorder=as_found, plan=replace(context.plan, lexical=0.0))
    yield "as the seed: vectors", seed
    yield "and words", replace(loud, reorder=as_found)
    yield "and the running position", loud
    yield "… by vectors alone", replace(loud, plan=seed.plan)


def figures(every: Sequence[Told]) -> dict[str, object]:
    """Of windows that belong to a section: first and first three right, with intervals."""
    timed = [one for one in every if one.gold]
    shown = [one for one in timed if one.found]
    silent = [not one.found for one in every if not one.of_lecture]
    return {
        "windows": len(timed),
        "strict@1": share([one.right(1, strict=True) for one in timed]),
        "strict@3": share([one.right(3, strict=True) for one in timed]),
        "right@1": share([one.right(1, strict=False) for one in timed]),
        "right@3": share([one.right(3, strict=False) for one in timed]),
        "right@3 interval": interval(timed),
        "shown": share([bool(one.found) for one in timed]),
        "first of shown strict": share([one.right(1, strict=True) for one in shown]),
        "first of shown right": share([one.right(1, strict=False) for one in shown]),
        "silent": share(silent) if silent else None,
    }


def share(each: Sequence[bool]) -> float:
    return round(float(np.mean(each)), 3) if each else 0.0


def interval(timed: Sequence[Told]) -> tuple[float, float]:
    """Windows of a section are not independent: sections are drawn."""
    by: dict[str, list[bool]] = {}
    for one in timed:
        by.setdefault(str(one.gold), []).append(one.right(3, strict=False))
    draw, sections = np.random.default_rng(SEED), list(by.values())
    means = [
        np.mean(list(chain.from_iterable(sections[i] for i in draw.integers(0, len(sections), len(sections)))))
        for _ in range(DRAWS)
    ]
    low, high = np.percentile(means, [2.5, 97.5])
    return round(float(low), 3), round(float(high), 3)


def print_row(name: str, told_: Mapping[str, object]) -> None:
    low, high = told_["right@3 interval"]  # type: ignore[misc]
    line = [
        f"{name:34}",
        *(f"{told_[key]:6.3f}" for key in ("strict@1", "strict@3", "right@1", "right@3")),
        f"{low:.2f}–{high:.2f}",
    ]
    line += [f"{told_[key]:6.3f}" for key in ("shown", "first of shown strict", "first of shown right")]
    print("  ".join([*line, f"{told_['silent']:6.3f}" if told_["silent"] is not None else ""]), flush=True)


def by_week(given: Sequence[Lecture], every: Sequence[Sequence[Told]]) -> dict[str, float]:
    """right@3 of each week's own lectures."""
    weeks = sorted({lecture.week for lecture in given})
    return {
        week: share(
            [
                one.right(3, strict=False)
                for lecture, its in zip(given, every, strict=True)
                if lecture.week == week
                for one in its
                if one.gold
            ]
        )
        for week in weeks
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    parser.add_argument("--forms", default="markdown,pdf")
    parser.add_argument("--weeks", default="1-5")
    parser.add_argument("--out", type=Path, help="all figures as JSON")
    args = parser.parse_args()
    shared = shared_folder(args.shared, OFF_TOPIC).parents[1]
    first, last = map(int, args.weeks.split("-"))
    weeks, context = range(first, last + 1), lecture_context(read_settings())
    context = replace(context, services=replace(context.services, embedder=Kept(context.services.embedder)))
    out = {form: of_form(form, shared, weeks, context) for form in args.forms.split(",")}
    if args.out:
        args.out.write_text(json.dumps(out, indent=1))


def of_form(form: str, shared: Path, weeks: range, context: LectureContext) -> dict[str, object]:
    home, given = read_settings().home, list(lectures(shared, weeks))
    names = {keyed(title_of(page)): page.stem for page in pages(shared, weeks)}
    timed = frozenset(section for lecture in given for section in lecture.sections if section)
    files = print_notes(shared, weeks, home / "pdf") if form == "pdf" else [copy_notes(shared, weeks, home / "notes")]
    sources = sources_of(form, files, names, timed, context)
    print(
        f"{form}: {len(sources.places)} paragraphs, {sum(len(one.windows) for one in given)} windows of {len(given)} lectures"
    )
    print(f"{'':34}  strict @1, @3  right  @1, @3 (interval)  shown; first of shown strict, right; silent on others")
    found: dict[str, object] = {}
    for name, its in steps(context):
        every = [list(told(lecture, sources, its)) for lecture in given]
        found[name] = {**figures([one for each in every for one in each]), "by week": by_week(given, every)}
        print_row(name, found[name])  # type: ignore[arg-type]
    others = cycle(off_topic(shared, 600, SEED))
    found["as it is, others spliced in"] = figures(
        [one for lecture in given for one in told(lecture, sources, context, others)]
    )
    print_row("as it is, others spliced in", found["as it is, others spliced in"])  # type: ignore[arg-type]
    found |= dict(of_other_lectures(given, sources, context))
    return found


def of_other_lectures(
    given: Sequence[Lecture], sources: Sources, context: LectureContext
) -> Iterator[tuple[str, dict[str, object]]]:
    """One that jumps at every window, which a prior for its position must not hurt."""
    jumping = [shuffled(given, SEED)]
    words, placed = replace(context, reorder=as_found), replace(context, reorder=EVERYTHING)
    runs = [("shuffled: words", jumping, words), ("shuffled: and the position", jumping, placed)]
    for name, theirs, its in runs:
        told_ = figures([one for lecture in theirs for one in told(lecture, sources, its)])
        print_row(name, told_)
        yield name, told_


if __name__ == "__main__":
    main()
