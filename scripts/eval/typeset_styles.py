#!/usr/bin/env python3
"""Typeset books in every layout of ./styles, with gold addresses, to test the PDF parser on.

    typeset_styles.py OUT_FOLDER [--shared DIR] [--book DIR ...] [--style NAME ... | --random N --seed S] [--words N]

Writes OUT_FOLDER/BOOK-STYLE.pdf and .gold.jsonl.gz. The typesetting itself is the shared folder's goldbooks/typeset.py, run
from there; the first-line comment of a style may name, beside its options, the features of style_features.py and:
  heads: number|words (of a chapter: "IV"; "Chapter the Fourth" and its title); imposed: N (logical pages side by side, with
  the running head and folio of the sheet); line-numbers: N (every Nth line, in the margin); hyphen: soft (U+00AD in the file)
"""

import argparse
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

NEEDS = "Typesetting needs `pip install weasyprint lxml pymupdf`, and Debian's libpango-1.0-0 and libpangoft2-1.0-0"

try:
    from lxml import etree, html
    from page_features import PAGE_FEATURES
    from random_styles import random_styles
    from style_features import FEATURES, ORDINALS
except ImportError as missing:
    sys.exit(f"{NEEDS}: {missing}")

HERE = Path(__file__).parent
BOOKS = ("on-liberty-se", "the-prince-se")
DISPUTED = re.compile(r"\b(?:[IVXLC]+|Eds?)\.(?=\s+[\"“‘'(]*[A-Z])")
"""A stop that may end a sentence or not, of which the shared typesetter is sure: "Clement VII. It", "Ed. F. L. Polidori"."""
ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50}


def load_typesetter(shared: Path) -> ModuleType:
    """goldbooks/typeset.py as a module. Leaves with a word on what to install where its libraries are missing."""
    path = shared / "goldbooks" / "typeset.py"
    if not path.exists():
        sys.exit(f"No {path}: set CHAPTERVERSE_SHARED to the shared folder, or pass --shared.")
    spec = importlib.util.spec_from_file_location("typeset", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (ImportError, OSError) as missing:  # OSError: weasyprint is there, Pango is not
        sys.exit(f"{NEEDS}: {missing}")
    return module


Span = tuple[int, int, bool, bool]  # of a sentence: start, end, whether each is sure


def with_disputes(split: Callable[[str], list[Span]]) -> Callable[[str], list[Span]]:
    """The shared rules for sentences, unsure of every boundary at a disputed stop, and of sentences that hold one."""

    def split_carefully(text: str) -> list[Span]:
        spans, stops = split(text), [found.end() for found in DISPUTED.finditer(text)]
        inside = [any(start < stop < end for stop in stops) for start, end, *_ in spans]
        ends = [end in stops for _, end, *_ in spans]
        starts = [False, *ends[:-1]]
        unsure = zip(spans, inside, starts, ends, strict=True)
        return [
            (a, b, sure and not (held or first), to and not (held or last)) for (a, b, sure, to), held, first, last in unsure
        ]

    return split_carefully


def with_features(base: type[Any]) -> type[Any]:
    """The shared typesetter, extended by what our styles ask for."""

    class StyledTypesetter(base):  # type: ignore[misc]
        depth = 0

        def render(self) -> str:
            document = html.fromstring(super().render())
            for name in filter(self.opts.__contains__, FEATURES):  # in this order: caps are cut before opening words
                FEATURES[name](document.find("body"), self.opts[name])
            return str(etree.tostring(document, encoding="unicode", method="html", doctype="<!DOCTYPE html>"))

        def section(self, section: Any, parent: Any, toc: Any, chapter: Any, depth: int) -> None:
            self.depth = depth
            super().section(section, parent, toc, chapter, depth)

        def heading(self, section: Any) -> tuple[str | None, str | None] | None:
            found: tuple[str | None, str | None] | None = super().heading(section)
            if not found or not found[0] or self.depth:
                return found
            return restyled(found[0], found[1], self.opts.get("heads", ""))

        def sentence_links(self, paragraph: Any, chapter: Any) -> Any:
            made = super().sentence_links(paragraph, chapter)
            lines = [" ".join("".join(span.itertext()).split()) for span in paragraph if span.getnext() is not None]
            if made is not None and any(str(child.tag).endswith("}br") for child in paragraph):
                made.set("class", "verse")
                break_lines(made, [line for line in lines if line])
            return made

    return StyledTypesetter


def restyled(number: str, title: str | None, heads: str) -> tuple[str | None, str | None]:
    """A chapter's (number, title) as the style prints them."""
    if heads == "number":
        return number, None
    if heads == "words" and (value := roman_value(number)) in range(1, len(ORDINALS) + 1):
        return f"Chapter the {ORDINALS[value - 1].title()}", title
    return number, title


def roman_value(number: str) -> int:
    """The value of the last word if it is a roman numeral, else 0."""
    digits = [ROMAN_DIGITS.get(letter, 0) for letter in number.rsplit(maxsplit=1)[-1]]
    if not all(digits):
        return 0
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))


def break_lines(paragraph: Any, lines: list[str]) -> None:
    """Put a line break after each line of verse: the typesetter has run them together, one blank between."""
    runs = [run for link in paragraph.findall("a") for run in link]
    for line in lines:
        for run in runs:
            tail = run[-1].tail if len(run) else run.text
            before, found, after = (tail or "").partition(line[-12:] + " ")
            if found:
                break_after(run, before + found.rstrip(), after)
                break


def break_after(run: Any, before: str, after: str) -> None:
    """Set `before`, a line break and `after` where the last text of `run` stood."""
    if len(run):
        run[-1].tail = before
    else:
        run.text = before
    etree.SubElement(run, "br").tail = after


def typeset(module: ModuleType, book: Path, style: Path, out: Path, words: int) -> None:
    """One book in one style: laid out by the shared script, then what only finished pages can have."""
    sys.argv = ["typeset.py", str(book), str(style), str(out), "--words", str(words)]
    module.main()
    options = module.options(style.read_text())
    for name in filter(options.__contains__, PAGE_FEATURES):
        PAGE_FEATURES[name](out, options[name], options)


def arguments() -> argparse.Namespace:
    shared = os.environ.get("CHAPTERVERSE_SHARED", str(HERE.parents[2] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shared", type=Path, default=Path(shared))
    parser.add_argument("--book", type=Path, nargs="+", help="Standard Ebooks sources; default: the two of the shared folder")
    parser.add_argument("--style", nargs="+", help="names; default: all")
    parser.add_argument("--random", type=int, default=0, help="so many layouts drawn by chance, in place of those of ./styles")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int, default=10**9, help="stop a book after so many")
    return parser.parse_args()


def chosen(names: list[str] | None) -> list[Path]:
    """The styles of these names, or all."""
    return [HERE / "styles" / f"{name}.css" for name in names] if names else sorted((HERE / "styles").glob("*.css"))


def drawn(out: Path, count: int, seed: int) -> list[Path]:
    """Styles drawn by chance, written beside the books."""
    made = [(out / f"{name}.css", text) for name, text in random_styles(count, seed)]
    for path, text in made:
        path.write_text(text)
    return [path for path, _ in made]


def main() -> None:
    asked = arguments()
    module = load_typesetter(asked.shared)
    module.Typesetter = with_features(module.Typesetter)  # type: ignore[attr-defined]
    module.split_sentences = with_disputes(module.split_sentences)  # type: ignore[attr-defined]
    asked.out.mkdir(parents=True, exist_ok=True)
    books = asked.book or [asked.shared / "data" / "texts" / name for name in BOOKS]
    for style in drawn(asked.out, asked.random, asked.seed) if asked.random else chosen(asked.style):
        for book in books:
            typeset(module, book, style, asked.out / f"{book.name.removesuffix('-se')}-{style.stem}", asked.words)


if __name__ == "__main__":
    main()
