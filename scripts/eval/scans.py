"""Score text recognition on pages of the sample book made into scans: what our reader makes of its text layer is right.

    python -m scripts.eval.scans [--pages 16] [--worst 0]

The pages, from the second chapter on, become a PDF of pictures, which each recognizer that is installed reads as any upload is.
`text` is the same pages with their text layer: what a perfect recognition would give. Over the sentences of these pages:

  found     read with the same boundaries and at most 2 % wrong letters (one letter in short ones)
  exact     read without a wrong letter          wrong     share of wrong letters in sentences with the same boundaries
  altered   shown as a quotation with a wrong letter, over all shown          unsure    not shown, over all read
  cpu       seconds of all processes a page"""

import io
import re
import resource
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pymupdf
import typer
from PIL import Image, ImageFilter

from bookreader.ocr import rapid_ocr, tesseract
from bookreader.pdf.parse import parse_book
from bookreader.scans.recognition import read_scans
from chapterverse.core.book import BookId, Kind, Sentence

SAMPLE = Path(__file__).parents[2] / "samples" / "on-liberty.pdf"
ENGINES = {"tesseract": tesseract, "rapidocr": rapid_ocr}
DPI = 200
WRONG_LETTERS = 0.02
ALIKE = 0.1  # share of wrong letters up to which two sentences have the same boundaries
LEAP = 12  # sentences on either side among which the one read is looked for


@dataclass(frozen=True)
class Condition:
    """How a page is scanned. skew: degrees; blur: pixels; quality: of JPEG."""

    skew: float = 0.0
    blur: float = 0.0
    quality: int = 85


CONDITIONS = {"clean": Condition(), "worn": Condition(skew=-0.7, blur=0.8, quality=40)}


def prose_of(data: bytes, engine: str = "") -> list[Sentence]:
    """The sentences of a PDF, read by that recognizer if it is a scan."""
    scans = partial(read_scans, recognizer=ENGINES[engine]()) if engine else None
    return [one for one in parse_book(data, BookId("scan"), scans=scans).sentences if one.kind is Kind.SENTENCE]


def scanned(pages: bytes, condition: Condition) -> bytes:
    """The same pages as a PDF of pictures."""
    scan = pymupdf.open()
    for page in pymupdf.open(stream=pages):
        drawn = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
        picture = Image.frombytes("L", (drawn.width, drawn.height), drawn.samples)
        turned = picture.rotate(condition.skew, Image.Resampling.BICUBIC, fillcolor=255)
        turned.filter(ImageFilter.GaussianBlur(condition.blur)).save(stored := io.BytesIO(), "jpeg", quality=condition.quality)
        new = scan.new_page(width=page.rect.width, height=page.rect.height)
        new.insert_image(new.rect, stream=stored.getvalue())
    return scan.tobytes()


def plain(text: str) -> str:
    """Text as it is compared: kinds of quotation marks and blanks are alike."""
    text = unicodedata.normalize("NFKC", text).translate(str.maketrans("’‘“”", "''\"\""))
    return re.sub(r"\s+", " ", text).strip()


def distance(one: str, other: str) -> int:
    """Letters to change, add or leave out (Levenshtein)."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def pairs_of(gold: Sequence[str], read: Sequence[Sentence]) -> Iterator[tuple[str, Sentence | None, int]]:
    """Each sentence, the one read in its place if any, and the letters that differ."""
    here = 0
    for text in gold:
        room = max(1, ALIKE * len(text))
        near = [(at, plain(read[at].text)) for at in range(max(0, here - LEAP), min(len(read), here + LEAP))]
        alike = [(distance(text, other), at) for at, other in near if abs(len(other) - len(text)) <= room]
        off, at = min(alike, default=(len(text), -1))
        if off <= room and at >= 0:
            here = at + 1
            yield text, read[at], off
        else:
            yield text, None, len(text)


def figures_of(pairs: Sequence[tuple[str, Sentence | None, int]]) -> dict[str, float]:
    """The figures of the sentences with what was read of them."""
    matched = [(text, read, off) for text, read, off in pairs if read]
    shown = [off for _, read, off in matched if read.quotable]
    return {
        "found": sum(off <= max(1, WRONG_LETTERS * len(text)) for text, _, off in matched) / len(pairs),
        "exact": sum(not off for _, _, off in matched) / len(pairs),
        "wrong": sum(off for _, _, off in matched) / max(1, sum(len(text) for text, _, _ in matched)),
        "altered": sum(off > 0 for off in shown) / max(1, len(shown)),
        "unsure": 1 - len(shown) / max(1, len(matched)),
    }


def cpu() -> float:
    """Seconds of this process and its children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(pages: int = 16, worst: int = 0) -> None:
    """Print a line for the text, and for each condition and recognizer; worst: so many wrong sentences of each, too."""
    chapters = {one.address.chapter.index: one.address.places[0].page_index for one in reversed(prose_of(SAMPLE.read_bytes()))}
    first = sorted(chapters.values())[1]
    book = pymupdf.open(SAMPLE)
    book.select(range(first, min(first + pages, len(book))))
    book.set_toc([])
    text = book.tobytes()
    gold = [plain(one.text) for one in prose_of(text)]
    installed = [name for name, engine in ENGINES.items() if engine()]
    runs = [("text", "", text)]
    for name, condition in CONDITIONS.items():
        data = scanned(text, condition)
        runs += [(name, engine, data) for engine in installed]
    for name, engine, data in runs:
        used = cpu()
        pairs = list(pairs_of(gold, prose_of(data, engine)))
        told = figures_of(pairs) | {"cpu": (cpu() - used) / len(book)}
        print(f"{name} {engine}: {len(gold)} sentences;", *(f"{key} {value:.3f}" for key, value in told.items()), flush=True)
        for wanted, read, off in [one for one in pairs if one[2]][:worst]:
            print(f"  {off:3} {wanted}\n      {read.text if read else '–'}")


if __name__ == "__main__":
    typer.run(main)
