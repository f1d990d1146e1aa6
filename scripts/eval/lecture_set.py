"""Lectures with the notes that were taken of them, as cases: which part of the notes each moment belongs to; and texts of books
as if they were spoken.

SHARED/data/lectures/nyu-deep-learning: captions, notes whose headings name seconds of the recording, and these as a list."""

import gzip
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bookreader.html.markdown import front_matter_text, parted
from chapterverse.lectures.model import Window
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.lectures.windows import all_windows

NOTES, BOOKS = "data/lectures/nyu-deep-learning", "goldbooks/pdf"
SPOKEN, SECONDS = 3, 6.0  # sentences of a window that is read aloud, and how long it lasts
LINK = re.compile(r"\[(.*)\]\([^)]*\)\s*$")


@dataclass(frozen=True)
class Lecture:
    """name: of its captions; windows: as the product makes them; sections: which part of the notes the middle of each belongs
    to, as page#title, None before the first heading that has a time."""

    name: str
    windows: Sequence[Window]
    sections: Sequence[str | None]


def keyed(title: str) -> str:
    """A heading without anything that typesetting changes."""
    return re.sub(r"[^a-z0-9]", "", LINK.sub(r"\1", title.strip()).lower())


def lectures(shared: Path, weeks: Sequence[int]) -> Iterator[Lecture]:
    """By name. NN-1 and NN-2 are notes of lectureNN, NN-3 of practicumNN, and 04-1 of practicum04."""
    of: dict[str, list[tuple[float, str]]] = {}
    for row in json.loads((shared / NOTES / "heading_times.json").read_text()):
        week, part = re.search(r"(\d\d)-(\d)", row["file"]).groups()  # type: ignore[union-attr]
        if int(week) in weeks:
            name = f"practicum{week}" if part == "3" or week == "04" else f"lecture{week}"
            of.setdefault(name, []).append((row["t"], f"{Path(row['file']).stem}#{keyed(row['heading'])}"))
    for name, moments in sorted(of.items()):
        [file] = (shared / NOTES / "docs").glob(f"week*/{name}.sbv")
        windows = all_windows(read_transcript(file.read_bytes()))
        yield Lecture(name, windows, [section_at((one.start + one.end) / 2, moments) for one in windows])


def section_at(seconds: float, moments: Sequence[tuple[float, str]]) -> str | None:
    """moments: when each section begins."""
    begun = [moment for moment in moments if moment[0] <= seconds]
    return max(begun)[1] if begun else None


def copy_notes(shared: Path, weeks: Sequence[int], to: Path) -> Path:
    """A folder of Markdown pages, as `sources add` takes one; without the weeks' tables of contents, which repeat the notes."""
    shutil.rmtree(to, ignore_errors=True)
    for page in pages(shared, weeks):
        (to / page.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copy(page, to / page.parent.name)
    return to


def pages(shared: Path, weeks: Sequence[int]) -> Iterator[Path]:
    """In reading order."""
    for week in sorted(weeks):
        yield from sorted((shared / NOTES / "docs").glob(f"week{week:02}/*-*.md"))


def title_of(page: Path) -> str:
    """As its front matter has it."""
    return front_matter_text(parted(page.read_text())[0], "title") or page.stem


def read_aloud(shared: Path, number: int) -> Iterator[tuple[str, list[Window]]]:
    """So many windows of the middle of each typeset book, without punctuation and capitals, as captions are."""
    for file in sorted((shared / BOOKS).glob("*.gold.jsonl.gz")):
        texts = [json.loads(line)["text"] for line in gzip.decompress(file.read_bytes()).splitlines()]
        begin = max(0, len(texts) // 2 - number * SPOKEN // 2)
        parts = [" ".join(texts[at : at + SPOKEN]) for at in range(begin, begin + number * SPOKEN, SPOKEN)]
        spoken = [" ".join(re.findall(r"\w+", part.lower())) for part in parts]
        name = file.name.partition(".")[0]
        yield name, [Window(at, at * SECONDS, (at + 1) * SECONDS, text) for at, text in enumerate(spoken) if text]
