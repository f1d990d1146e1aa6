"""Score what the parser makes of real documents against gold made from the pictures of their pages.

    PYTHONPATH=src:. python -m scripts.eval.real [--only NAME] [--verbose]
    python -m scripts.eval.real --judged FILE    # count the verdicts on single sentences

right: share of the quotable prose sentences on the gold pages that equal a gold sentence. found: share of the gold sentences
that are there. cut: quotable sentences that are printed so, but are more or less than one sentence. altered: those that come
from a gold sentence and are not printed so. not prose: those that are headings, code, tables, … pictures: prose that may not
be quoted (needless where the gold has no formula). chapter, section, label, number: share right among the sentences that
equal a gold sentence. Documents by others and documents typeset here stand apart, and so do those that were never opened, those
that were held out at first and opened later, and those seen all along."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from scripts.eval.real_score import Found, Gold, GoldPage, Score, normalised, score

DATA = Path(__file__).parent / "data/real"
LIMIT_SECONDS = 600  # for one document, text recognition included
GOALS = {"right": 0.97, "found": 0.95, "chapter": 0.99, "label": 0.99}
OURS = {  # typeset here, see data/real/SOURCES.md; gold files stay as they were committed, so that their digests do
    "classic-essays", "essays-with-page-list", "gutenberg-book", "law-with-numbers",
    "new-scan", "old-scan", "school-reader", "worksheets",
}  # fmt: skip
OPENED_LATER = {"gutenberg-book", "journal-paper", "mathematics-paper", "tex-impatient"}  # held out at first, read in 06f94826


@dataclass(frozen=True, slots=True)
class Document:
    """A gold document. held: never opened by who changes the parser. scanned: its text is read by OCR, so quotation marks
    and dashes are compared loosely."""

    name: str
    file: Path
    kind: str
    held: bool
    scanned: bool
    pages: tuple[GoldPage, ...]

    @property
    def group(self) -> str:
        """Under which heading it is printed."""
        opened = "held out at first, opened later" if self.name in OPENED_LATER else "seen"
        return f"{'ours' if self.name in OURS else 'of others'}, {'held out' if self.held else opened}"


def read_gold(path: Path) -> Document:
    """The document that a gold file describes; its PDF or EPUB lies beside it."""
    gold = json.loads(path.read_text())
    norm = partial(normalised, scanned=gold["scan"])
    pages = tuple(page_of(page, norm) for page in gold["pages"])
    return Document(path.stem, path.parent / gold["document"], gold["kind"], gold["held"], gold["scan"], pages)


def page_of(page: dict[str, Any], norm: Callable[[str], str]) -> GoldPage:
    """A page of a gold file; a sentence has its page's chapter and section unless it names its own."""
    sentences = tuple(gold_of({**page, **sentence}, norm) for sentence in page["sentences"])
    return GoldPage(page["page_index"], sentences, tuple((other["kind"], other["text"]) for other in page["others"]))


def gold_of(row: dict[str, Any], norm: Callable[[str], str]) -> Gold:
    """A gold sentence; the marker of a list's item ("2.") may stand before its text or not."""
    texts = [row["text"], *row.get("also", ())]
    texts += [f"{row['marker']} {text}" for text in texts if row.get("marker")]
    return Gold(
        text=row["text"],
        texts=frozenset(map(norm, texts)),
        parts=tuple(map(norm, (*row.get("parts", ()), *row.get("also_parts", ())))),
        holds_formula=row.get("holds_formula", False),
        starts_before=row.get("crosses") == "previous",
        chapter_number=row["chapter_number"],
        chapter_title=row["chapter_title"],
        section=row["section"],
        paragraph_number=row.get("paragraph_number"),
        page_label=row["page_label"],
    )


def parsed(file: Path) -> list[Found] | str:
    """The product's sentences of a file; the line it prints where it refuses the file."""
    command = [sys.executable, "-m", "chapterverse.cli.app", "inspect", str(file), "--sentences"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_SECONDS)
    if done.returncode:
        return next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "refused without a word")
    return [found_of(json.loads(line)) for line in done.stdout.splitlines()]


def found_of(row: dict[str, Any]) -> Found:
    """One line of `chapterverse inspect --sentences`."""
    pages = [box["page"] for box in row["boxes"]]
    if row["page_index"] is not None:
        pages.append(row["page_index"])
    number = row["chapter_number"]
    return Found(
        text=row["text"],
        kind=row["kind"],
        quotable=row["quotable"],
        pages=tuple(sorted(set(pages))),
        page_label=row["page_label"],
        chapter_number=None if number is None else str(number),
        chapter_title=row["chapter"],
        sections=tuple(row["section_path"]),
        paragraph_number=row["paragraph_number"],
    )


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def figures(total: Score, seconds: float) -> dict[str, float | int | str | None]:
    """Column to figure; None where there is nothing to count."""
    return {
        "sentences": total.gold,
        "right": share(total.right, total.shown),
        "found": share(total.found, total.gold),
        "cut": len(total.cut),
        "altered": len(total.altered),
        "not prose": len(total.not_prose),
        "pictures": f"{total.pictures} ({total.needless})",
        "chapter": share(total.chapter, total.addressed),
        "section": share(total.section, total.addressed),
        "label": share(total.label, total.labelled),
        "number": share(total.number, total.numbered),
        "seconds": round(seconds, 1),
    }


COLUMNS = tuple(figures(Score(), 0))


def cells(row: dict[str, float | int | str | None]) -> Iterable[str]:
    """The figures as text, * behind one that misses its goal."""
    for name, value in row.items():
        missed = (value is not None and name in GOALS and float(value) < GOALS[name]) or (name == "altered" and value != 0)
        text = "–" if value is None else f"{value:.3f}" if isinstance(value, float) and name != "seconds" else str(value)
        yield f"{text}{'*' if missed else ' '}"


def print_row(name: str, row: dict[str, float | int | str | None]) -> None:
    print(f"{name:26}", *(f"{cell:>10}" for cell in cells(row)), flush=True)


def print_worst(total: Score) -> None:
    """All that is wrong in a document, beside what is printed."""
    for fault in ("cut", "altered", "not_prose"):
        for wrong in getattr(total, fault):
            print(f"    {fault:9} {wrong.text}\n    printed   {wrong.truth}")
    for text in total.lost:
        print(f"    lost      {text}")


def measure(documents: list[Document], verbose: bool) -> Score:
    """Print a row for each document; returns the sum of the scores."""
    everything = Score()
    print(f"{'':26}", *(f"{name:>9} " for name in COLUMNS))
    began = time.monotonic()
    for document in documents:
        start = time.monotonic()
        sentences = parsed(document.file)
        if isinstance(sentences, str):
            print(f"{document.name:26} refused: {sentences}", flush=True)
            sentences = []
        total = score(document.pages, sentences, partial(normalised, scanned=document.scanned))
        everything.add(total)
        print_row(document.name, figures(total, time.monotonic() - start))
        if verbose and not document.held:
            print_worst(total)
    if len(documents) > 1:
        print_row("all", figures(everything, time.monotonic() - began))
    return everything


def count_judged(path: Path) -> None:
    """Print what was said of sentences drawn at random, each beside the picture of its page; null where nothing can be said."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for kind in [*dict.fromkeys(row["kind"] for row in rows), None]:
        own = [row for row in rows if kind in (row["kind"], None)]
        may = [row for row in own if row["quotable"]]
        parts = {"exact": own, "quotable and exact": may, "quotable and altered": may, "chapter": own, "label": own}
        said = {name: [row[name.split()[-1]] for row in some] for name, some in parts.items()}
        print(f"{kind or 'all':32}", *(f"{name} {v.count(True)} of {len(v) - v.count(None)};" for name, v in said.items()))


def main(folder: Path = DATA, only: str = "", verbose: bool = False, judged: Path | None = None) -> None:
    """folder: gold files and their documents; only: documents whose name contains this; verbose: show what is wrong, but never
    of a held-out document; judged: only count the verdicts in that file."""
    if judged:
        count_judged(judged)
        return
    documents = [read_gold(path) for path in sorted(folder.glob("*.json")) if only in path.stem]
    totals = dict[str, Score]()
    for name in sorted({each.group for each in documents}):
        group = [each for each in documents if each.group == name]
        print(f"\n{name}: {len(group)} documents")
        totals[name] = measure(group, verbose)
    sys.exit(any(total.altered for total in totals.values()))


if __name__ == "__main__":
    typer.run(main)
