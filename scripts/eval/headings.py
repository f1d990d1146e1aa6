"""Compare our chapters and sections with hand-made tables of contents.

    python -m scripts.eval.headings [SHARED]

SHARED holds data/headings/hips: PDFs/NAME.pdf and GT_TOCs/NAME.toc, a line
"level,heading,page" a heading, pages from 1. Ours are read off the addresses: a chapter or section stands where its first
sentence does, so a heading with no text of its own (a part above its first chapter, the contents) is never among them. The
two are one if their letters agree, numbers before them aside, and their pages to within one; each counts once."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import typer

from bookreader.pdf.chapters import letters
from bookreader.pdf.parse import parse_book
from chapterverse.core.book import Address, Book, BookId, Kind
from scripts.eval.shared import ADJACENT, Shared, shared_folder

NUMBER = re.compile(r"^(?:(?:chapter|part|appendix)\s+)?(?:\d[\d.]*|[ivx]+|[a-h])?[.:)]?\s+(?=\S)", re.IGNORECASE)
ENOUGH = 6  # letters that a heading must have more of to be found as a part of another
COLUMNS = ("headings", "ours", "recall", "precision", "F1", "level right", "level 1", "chapters from", "pages")


@dataclass(frozen=True)
class Heading:
    """level: 1 = chapter. page: index from 0."""

    level: int
    text: str
    page: int

    @property
    def bare(self) -> str:
        """Small letters and digits without the number before them."""
        return letters(NUMBER.sub("", self.text)) or letters(self.text)


@dataclass(frozen=True)
class Comparison:
    """One book's headings as they should be and as we have them, and the pairs that are one."""

    gold: list[Heading]
    ours: list[Heading]
    pairs: dict[Heading, Heading]


def gold_of(toc: Path) -> list[Heading]:
    """Commas within a heading are not always quoted."""
    with toc.open(encoding="utf-8-sig", newline="") as lines:
        rows = [row for row in csv.reader(lines) if len(row) >= 3]
    return [Heading(int(level), ",".join(text).strip(), int(page) - 1) for level, *text, page in rows]


def ours_of(book: Book) -> list[Heading]:
    """Every chapter and section once, where its first sentence stands."""
    addresses = [sentence.address for sentence in book.sentences if sentence.kind is Kind.SENTENCE]
    return [heading for before, here in pairwise([None, *addresses]) for heading in opened(before, here)]


def opened(before: Address | None, here: Address | None) -> Iterator[Heading]:
    """The headings between two successive sentences, outermost first."""
    assert here is not None
    page = here.places[0].page_index
    new_chapter = before is None or before.chapter.index != here.chapter.index
    if new_chapter and here.chapter.name:
        yield Heading(1, here.chapter.name, page)
    above = () if before is None or new_chapter else before.section_path
    same = next((i for i, (a, b) in enumerate(zip(above, here.section_path, strict=False)) if a != b), len(above))
    for depth, name in enumerate(here.section_path[same:], start=same):
        yield Heading(2 + depth, name, page)


def agree(gold: Heading, ours: Heading) -> bool:
    """Whether the two are one heading."""
    short, long = sorted((gold.bare, ours.bare), key=len)
    return abs(gold.page - ours.page) <= 1 and (short == long or (len(short) > ENOUGH and short in long))


def compare(gold: list[Heading], ours: list[Heading]) -> Comparison:
    """Each heading is paired with the first of ours that agrees and is still free."""
    pairs: dict[Heading, Heading] = {}
    free = list(ours)
    for heading in gold:
        if found := next((each for each in free if agree(heading, each)), None):
            pairs[heading] = found
            free.remove(found)
    return Comparison(gold, ours, pairs)


def share(part: int, whole: int) -> float:
    return part / max(1, whole)


def figures(of: Comparison) -> tuple[float, float, float, float]:
    """Recall, precision, F1; and of those found, the share that we have at the level it should be."""
    recall, precision = share(len(of.pairs), len(of.gold)), share(len(of.pairs), len(of.ours))
    level_right = share(sum(gold.level == ours.level for gold, ours in of.pairs.items()), len(of.pairs))
    return recall, precision, 2 * recall * precision / max(1e-9, recall + precision), level_right


def level_1(of: Comparison) -> tuple[int, int]:
    """Gold chapters that are among our headings of any level, and all of them."""
    chapters = [heading for heading in of.gold if heading.level == 1]
    return sum(heading in of.pairs for heading in chapters), len(chapters)


def row(name: str, of: Comparison, *more: object) -> str:
    found, chapters = level_1(of)
    shares = (f"{share:.3f}" for share in figures(of))
    return f"| {name} | {' | '.join([str(len(of.gold)), str(len(of.ours)), *shares, f'{found}/{chapters}', *map(str, more)])} |"


def score(pdf: Path) -> Comparison:
    """Compare one book and print its row."""
    book = parse_book(pdf.read_bytes(), BookId(pdf.stem))
    found = compare(gold_of(pdf.parents[1] / "GT_TOCs" / f"{pdf.stem}.toc"), ours_of(book))
    print(row(pdf.stem[:40], found, book.report.chapter_source, book.report.pages), flush=True)
    return found


def main(shared: Shared = ADJACENT) -> None:
    folder = shared_folder(shared, "data/headings/hips")
    print(f"| book | {' | '.join(COLUMNS)} |\n{'| --- ' * (len(COLUMNS) + 1)}|")
    books = [score(pdf) for pdf in sorted(folder.glob("PDFs/*.pdf"))]
    means = (sum(column) / len(books) for column in zip(*map(figures, books), strict=True))
    print(f"means of {sum(len(each.gold) for each in books)} headings:", *(f"{mean:.3f}" for mean in means))


if __name__ == "__main__":
    typer.run(main)
