"""Lectures with the notes that were taken of them, as cases: which part of the notes each moment belongs to; lecture.py and
../bench/lecture.py import it by its bare name.

SHARED/data/lectures/nyu-deep-learning: captions, notes whose headings name seconds of the recording, and these as a list."""

import gzip
import json
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from bookreader.html.markdown import front_matter_text, parted
from chapterverse.lectures.model import Window
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.lectures.windows import all_windows

NOTES, OFF_TOPIC = "data/lectures/nyu-deep-learning", "goldbooks/pdf"
STYLE = (
    "@page { size: 148mm 210mm; margin: 18mm } body { font: 10pt serif } h1 { break-before: page } p { text-align: justify }"
)
LEAST, MOST = 30, 150  # words of a window (S3)
LINK = re.compile(r"\[(.*)\]\([^)]*\)\s*$")
HEADING = re.compile(r"^(#{1,6}\s+)(.*)$", re.MULTILINE)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<[^>]+>")


@dataclass(frozen=True)
class Lecture:
    """name: of its captions; week: whose notes are its own; windows: as the product makes them; sections: which part of the
    notes the middle of each belongs to, as page#title, None before the first heading that has a time."""

    name: str
    week: str
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
        yield Lecture(name, file.parent.name, windows, [section_at((one.start + one.end) / 2, moments) for one in windows])


def section_at(seconds: float, moments: Sequence[tuple[float, str]]) -> str | None:
    """moments: when each section begins."""
    begun = [moment for moment in moments if moment[0] <= seconds]
    return max(begun)[1] if begun else None


def shuffled(given: Sequence[Lecture], seed: int) -> Lecture:
    """All their windows as one lecture that jumps from each to the next."""
    pairs = [pair for lecture in given for pair in zip(lecture.windows, lecture.sections, strict=True)]
    random.Random(seed).shuffle(pairs)
    return Lecture("shuffled", "", [replace(window, index=i) for i, (window, _) in enumerate(pairs)], [at for _, at in pairs])


def copy_notes(shared: Path, weeks: Sequence[int], to: Path) -> Path:
    """A folder of Markdown pages, as `sources add` takes one; without the weeks' tables of contents, which repeat the notes."""
    shutil.rmtree(to, ignore_errors=True)
    for page in pages(shared, weeks):
        (to / page.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copy(page, to / page.parent.name)
    return to


def print_notes(shared: Path, weeks: Sequence[int], to: Path) -> list[Path]:
    """Two PDFs, so that a course has two books; pages are chapters, and the headings are in the outline. Ends the program where
    WeasyPrint is missing."""
    try:
        from weasyprint import HTML
    except (ImportError, OSError) as missing:  # OSError: it is there, Pango is not
        sys.exit(f"Typesetting needs `pip install weasyprint`, and Debian's libpango-1.0-0 and libpangoft2-1.0-0: {missing}")
    to.mkdir(parents=True, exist_ok=True)
    half = len(weeks) // 2
    printed = []
    for part in filter(None, (weeks[:half], weeks[half:])):
        printed.append(to / f"weeks-{part[0]:02}-{part[-1]:02}.pdf")
        HTML(string=html_of(f"Notes of week {part[0]} to {part[-1]}", list(pages(shared, part)))).write_pdf(printed[-1])
    return printed


def pages(shared: Path, weeks: Sequence[int]) -> Iterator[Path]:
    """In reading order."""
    for week in sorted(weeks):
        yield from sorted((shared / NOTES / "docs").glob(f"week{week:02}/*-*.md"))


def html_of(title: str, given: Sequence[Path]) -> str:
    """Formulas as they are typed, pictures left out; each page is a chapter, with the headings of its text below."""
    md = MarkdownIt("commonmark", {"html": False}).enable("table").use(dollarmath_plugin)
    parts = [f"<html><head><title>{title}</title><style>{STYLE}</style></head><body>"]
    for page in given:
        _, text = parted(page.read_text())
        parts += [
            f"<h1>{title_of(page)}</h1>",
            md.render(IMAGE.sub("", HEADING.sub(lambda line: line[1] + LINK.sub(r"\1", line[2]), text))),
        ]
    return "".join([*parts, "</body></html>"])


def title_of(page: Path) -> str:
    """As its front matter has it."""
    return front_matter_text(parted(page.read_text())[0], "title") or page.stem


def off_topic(shared: Path, number: int, seed: int) -> list[str]:
    """Three sentences of a typeset book each, without punctuation and capitals, as captions are: of no lecture's subject."""
    draw = random.Random(seed)
    files = sorted((shared / OFF_TOPIC).glob("*.gold.jsonl.gz"))
    books = [[json.loads(line)["text"] for line in gzip.decompress(file.read_bytes()).splitlines()] for file in files]
    found: list[str] = []
    while len(found) < number:
        book = draw.choice(books)
        at = draw.randrange(len(book) - 3)
        words = re.findall(r"\w+", " ".join(book[at : at + 3]).lower())
        if LEAST <= len(words) <= MOST:
            found.append(" ".join(words))
    return found


def spliced(given: Lecture, others: Iterator[str], every: int) -> Iterator[tuple[Window, str | None, bool]]:
    """After `every` windows of a lecture one of another text; each with its section, and whether it is of the lecture. Numbered
    anew."""
    index = 0
    for number, (window, section) in enumerate(zip(given.windows, given.sections, strict=True), start=1):
        yield replace(window, index=index), section, True
        index += 1
        if number % every == 0:
            yield Window(index, window.end, window.end, next(others)), None, False
            index += 1
