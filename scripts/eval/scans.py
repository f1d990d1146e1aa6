#!/usr/bin/env python3
"""Score text recognition on scans made from books whose sentences have known addresses.

    scans.py [--books FOLDER] [--only NAME …] [--pages N] [--engines tesseract rapidocr] [--conditions NAME …]

FOLDER holds NAME.pdf with NAME.gold.jsonl.gz (one sentence a line: text, chapter, sure_start, sure_end, boxes with page, label,
x0, y0, x1, y1). Without it, the sample book is used, and what our reader makes of its text layer is what is right.

N pages of a book, from its second chapter on, become a PDF of pictures, which is read as any upload is. `text` is the same
pages with their text layer and without an outline: what a perfect recognition would give. Figures, over sentences that lie
within the pages and whose boundaries are sure:

  found     read with the same boundaries and at most 2 % wrong letters (one letter in short ones)
  exact     read without a wrong letter          wrong     share of wrong letters in all sentences with the same boundaries
  chapter, label, boxes    right, over the found ones; boxes: mean intersection over union along each line
  altered   shown as a quotation with a wrong letter, over all shown
  cpu       seconds of both processes a page; on two free cores a page takes half of it"""

import argparse
import gzip
import json
import re
import resource
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pymupdf

from bookreader.ocr import TextRecognizer, rapid_ocr, tesseract
from bookreader.pdf.parse import parse_book
from bookreader.scans.recognition import scan_reader
from chapterverse.core.book import Book, BookId, Box, Kind, Sentence

SAMPLE = Path(__file__).parents[2] / "samples" / "on-liberty.pdf"
ENGINES = {"tesseract": tesseract, "rapidocr": rapid_ocr}
GOALS = {"found": 0.95, "exact": 0.0, "wrong": -0.02, "chapter": 0.98, "label": 0.98, "boxes": 0.85, "altered": -1.0}
WRONG_LETTERS = 0.02
ALIKE = 0.1  # share of wrong letters up to which two sentences have the same boundaries
LEAP = 12  # sentences on either side among which the one read is looked for


@dataclass(frozen=True)
class Condition:
    """How a page is scanned. skew: degrees; blur: pixels; quality: of JPEG; shift: points by which pages lie apart, at most."""

    dpi: int
    skew: float = 0.0
    blur: float = 0.0
    quality: int = 85
    shift: float = 0.0


CONDITIONS = {
    "200": Condition(200),
    "worn": Condition(200, skew=-0.7, blur=0.8, quality=40, shift=9.0),
}


@dataclass(frozen=True)
class Gold:
    """A sentence as it is printed. boxes: (page, label, box), pages counted within the scan."""

    text: str
    chapter: str
    boxes: tuple[tuple[int, str, Box], ...]


def golden(pdf: Path) -> list[Gold]:
    """The sentences of a book in order."""
    stored = pdf.with_suffix(".gold.jsonl.gz")
    if not stored.exists():
        return [gold_of(one) for one in parse_book(pdf.read_bytes(), BookId("gold")).sentences if one.kind is Kind.SENTENCE]
    with gzip.open(stored, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Gold(
            row["text"],
            row["chapter"] or "",
            tuple((box["page"], box["label"], Box(box["x0"], box["y0"], box["x1"], box["y1"])) for box in row["boxes"]),
        )
        for row in rows
        if row["sure_start"] and row["sure_end"]
    ]


def gold_of(sentence: Sentence) -> Gold:
    boxes = tuple((place.page_index, place.page_label, box) for place in sentence.address.places for box in place.boxes)
    return Gold(sentence.text, sentence.address.chapter.name or "", boxes)


def within(gold: Sequence[Gold], first: int, last: int) -> list[Gold]:
    """The sentences on pages [first, last), with pages counted from the first."""
    inside = [one for one in gold if all(first <= page < last for page, _, _ in one.boxes)]
    return [Gold(one.text, one.chapter, tuple((page - first, label, box) for page, label, box in one.boxes)) for one in inside]


def second_chapter(gold: Sequence[Gold]) -> int:
    """The page on which the second chapter with a name begins."""
    names: list[str] = []
    for one in gold:
        if one.chapter and one.chapter not in names:
            names.append(one.chapter)
        if len(names) == 2:
            return one.boxes[0][0]
    return 0


def scanned(pdf: Path, first: int, last: int, condition: Condition) -> tuple[bytes, dict[int, pymupdf.Matrix]]:
    """A PDF of pictures of pages [first, last), and how each page was moved."""
    book, scan, moved = pymupdf.open(pdf), pymupdf.open(), {}
    chance = np.random.default_rng(4)
    for number in range(first, last):
        page = book[number]
        dx, dy = chance.uniform(-condition.shift, condition.shift, 2) if condition.shift else (0.0, 0.0)
        centre = page.rect.width / 2, page.rect.height / 2
        turn = pymupdf.Matrix(1, 0, 0, 1, -centre[0], -centre[1]) * pymupdf.Matrix(-condition.skew)
        turn *= pymupdf.Matrix(1, 0, 0, 1, centre[0] + dx, centre[1] + dy)
        zoom = condition.dpi / 72
        width, height = round(page.rect.width * zoom), round(page.rect.height * zoom)
        drawn = page.get_pixmap(matrix=turn * pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY)
        canvas = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, width, height))
        canvas.clear_with(255)
        canvas.copy(drawn, drawn.irect)
        grey = np.frombuffer(canvas.samples, np.uint8).reshape(height, canvas.stride)[:, :width].astype(float)
        worn = np.clip(blurred(grey, condition.blur), 0, 255).astype(np.uint8)
        picture = pymupdf.Pixmap(pymupdf.csGRAY, width, height, np.ascontiguousarray(worn).tobytes(), False)
        new = scan.new_page(width=page.rect.width, height=page.rect.height)
        new.insert_image(new.rect, stream=picture.tobytes("jpeg", jpg_quality=condition.quality))
        moved[number - first] = turn
    return scan.tobytes(), moved


def blurred(grey: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian blur."""
    if not sigma:
        return grey
    reach = np.arange(-round(3 * sigma), round(3 * sigma) + 1)
    weights = np.exp(-((reach / sigma) ** 2) / 2)
    weights /= weights.sum()
    for axis in (0, 1):
        grey = np.apply_along_axis(lambda row: np.convolve(np.pad(row, len(reach) // 2, "edge"), weights, "valid"), axis, grey)
    return grey


def with_text(pdf: Path, first: int, last: int) -> bytes:
    """The pages with their text, without outline and page labels."""
    book = pymupdf.open(pdf)
    book.select(range(first, last))
    book.set_toc([])
    book.set_page_labels([])
    return book.tobytes()


def plain(text: str) -> str:
    """Text as it is compared: kinds of quotation marks and blanks are alike."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return re.sub(r"\s+", " ", text).strip()


def distance(one: str, other: str) -> int:
    """Letters to change, add or leave out (Levenshtein)."""
    if one == other:
        return 0
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def pairs_of(gold: Sequence[Gold], read: Sequence[Sentence]) -> Iterator[tuple[Gold, Sentence | None, int]]:
    """Each sentence, the one read in its place if any, and the letters that differ."""
    texts = [plain(one.text) for one in read]
    where: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        where.setdefault(text, []).append(i)
    here = 0
    for one in gold:
        text = plain(one.text)
        same = [i for i in where.get(text, ()) if abs(i - here) <= 4 * LEAP]
        options = same or [
            i
            for i in range(max(0, here - LEAP), min(len(read), here + LEAP))
            if abs(len(texts[i]) - len(text)) <= max(1, ALIKE * len(text))
        ]
        found = min(((distance(text, texts[i]), abs(i - here), i) for i in options), default=None)
        if found and found[0] <= max(1, ALIKE * len(text)):
            here = found[2] + 1
            yield one, read[found[2]], found[0]
        else:
            yield one, None, len(text)


def along_lines(gold: Sequence[tuple[int, Box]], read: Sequence[tuple[int, Box]]) -> float:
    """Mean, over the lines of both, of the intersection over union of their extent along the line."""
    left, overlaps = list(read), []
    for page, box in gold:
        mine = [each for each in left if each[0] == page and box.y0 - 1 <= (each[1].y0 + each[1].y1) / 2 <= box.y1 + 1]
        mine = [each for each in mine if each[1].x0 < box.x1 and each[1].x1 > box.x0]
        if mine:
            x0, x1 = min(each.x0 for _, each in mine), max(each.x1 for _, each in mine)
            overlaps.append(max(0.0, min(x1, box.x1) - max(x0, box.x0)) / (max(x1, box.x1) - min(x0, box.x0)))
            left = [each for each in left if each not in mine]
        else:
            overlaps.append(0.0)
    return sum(overlaps) / (len(overlaps) + len(left))


def joined(boxes: Sequence[tuple[int, str, Box]], moved: dict[int, pymupdf.Matrix]) -> list[tuple[int, Box]]:
    """The boxes as they lie in the scan, those of one line in one."""
    lines: list[tuple[int, Box]] = []
    for page, _, box in sorted(boxes, key=lambda each: (each[0], round(each[2].y0), each[2].x0)):
        last = lines[-1] if lines else None
        if last and last[0] == page and abs(last[1].y0 + last[1].y1 - box.y0 - box.y1) < 6 and box.x0 - last[1].x1 < 25:
            one = last[1]
            lines[-1] = page, Box(one.x0, min(one.y0, box.y0), max(one.x1, box.x1), max(one.y1, box.y1))
        else:
            lines.append((page, box))
    placed = [(page, pymupdf.Rect(box.x0, box.y0, box.x1, box.y1).quad * moved[page]) for page, box in lines]
    return [(page, Box(*quad.rect)) for page, quad in placed]


def same_chapter(want: str, have: str) -> bool:
    wanted, had = (re.sub(r"\W", "", unicodedata.normalize("NFKC", text)).casefold() for text in (want, have))
    return not wanted or (bool(had) and (wanted in had or had in wanted))


def score(gold: Sequence[Gold], book: Book, moved: dict[int, pymupdf.Matrix], worst: list[str]) -> dict[str, float]:
    read = [one for one in book.sentences if one.kind is Kind.SENTENCE]
    pairs = list(pairs_of(gold, read))
    matched = [(one, other, off) for one, other, off in pairs if other]
    found = [(one, other) for one, other, off in matched if off <= max(1, WRONG_LETTERS * len(one.text))]
    for one, other, off in pairs:
        if off:
            mark = "shown" if other and other.quotable else "not shown"
            worst.append(f"{off:3}  {mark}\n     {one.text}\n     {other.text if other else '-'}")
    chapters = [same_chapter(one.chapter, other.address.chapter.name or "") for one, other in found]
    labels = [one.boxes[0][1] == other.address.places[0].page_label for one, other in found]
    boxes = [
        along_lines(joined(one.boxes, moved), [(each.page_index, box) for each in other.address.places for box in each.boxes])
        for one, other in found
    ]
    shown = [(other, off) for _, other, off in matched if other.quotable]
    return {
        "sentences": len(gold),
        "found": len(found) / len(gold),
        "exact": sum(not off for _, _, off in matched) / len(gold),
        "wrong": sum(off for _, _, off in matched) / max(1, sum(len(one.text) for one, _, _ in matched)),
        "chapter": mean(chapters or [0.0]),
        "label": mean(labels or [0.0]),
        "boxes": mean(boxes or [0.0]),
        "altered": sum(off > 0 for _, off in shown) / max(1, len(shown)),
        "unsure": sum(not other.quotable for _, other, _ in matched) / max(1, len(matched)),
    }


def cpu() -> float:
    """Seconds of this process and its children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def row(name: str, figures: dict[str, float], *seconds: float) -> str:
    cells = [
        f"{figures[key]:8.4f}{'*' if (figures[key] > -goal if goal < 0 else figures[key] < goal) else ' '}"
        for key, goal in GOALS.items()
    ]
    return " ".join([f"{name:42}", *cells, f"{figures['unsure']:8.4f} ", *(f"{each:7.2f}" for each in seconds)])


def parsed(data: bytes, recognizer: TextRecognizer | None) -> tuple[Book, float, float]:
    """The book, and the seconds and the processor's seconds that it took."""
    start, used = time.monotonic(), cpu()
    scans = scan_reader(recognizer) if recognizer else None
    return parse_book(data, BookId("scan"), scans=scans), time.monotonic() - start, cpu() - used


def main() -> None:
    asked = arguments()
    books = sorted(asked.books.glob("*.pdf")) if asked.books else [SAMPLE]
    engines: dict[str, Any] = {name: engine for name in asked.engines if (engine := ENGINES[name]())}
    print(f"{'':42}", *(f"{name:>8} " for name in GOALS), f"{'unsure':>8} ", f"{'wall':>7} {'cpu':>7}")
    for pdf in [book for book in books if not asked.only or book.stem in asked.only]:
        gold = golden(pdf)
        first = second_chapter(gold)
        last = min(first + asked.pages, pymupdf.open(pdf).page_count)
        inside, still = within(gold, first, last), dict.fromkeys(range(last - first), pymupdf.Identity)
        runs = [("text", None, "", with_text(pdf, first, last), still)]
        for condition in asked.conditions:
            data, moved = scanned(pdf, first, last, CONDITIONS[condition])
            runs += [(condition, engine, name, data, moved) for name, engine in engines.items()]
        for condition, engine, name, data, moved in runs:
            book, seconds, used = parsed(data, engine)
            worst: list[str] = []
            figures = score(inside, book, moved, worst)
            print(
                row(f"{pdf.stem} {condition} {name}", figures, *(each / (last - first) for each in (seconds, used))), flush=True
            )
            for line in worst[: asked.worst]:
                print(line, file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", type=Path)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--pages", type=int, default=16)
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--conditions", nargs="+", choices=CONDITIONS, default=list(CONDITIONS))
    parser.add_argument("--worst", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
