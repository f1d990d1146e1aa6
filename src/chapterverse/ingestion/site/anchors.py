"""The anchors of headings, exactly as the two site tools make them: a link that misses its heading is no citation."""

import re
import unicodedata
from collections.abc import Callable

Anchors = Callable[[str], str]
"""A heading's text to its anchor; one for each page, because it remembers what it has given."""

CIRCLED = frozenset(
    map(chr, [*range(0x24B6, 0x24EA), *range(0x1F130, 0x1F14A), *range(0x1F150, 0x1F16A), *range(0x1F170, 0x1F18A)])
)
"""Symbols that Unicode counts as alphabetic (Other_Alphabetic), which unicodedata does not tell."""


def github_anchors() -> Anchors:
    """github-slugger 2, which Docusaurus uses: lower case, nothing but letters, marks, digits, "_" and "-", each blank a "-";
    "intro", "intro-1", "intro-2" for headings of one name, skipping names that are taken."""
    given: dict[str, int] = {}

    def anchor(text: str) -> str:
        plain = "".join(filter(stays, text.lower())).replace(" ", "-")
        free = plain
        while free in given:
            given[plain] += 1
            free = f"{plain}-{given[plain]}"
        given[free] = 0
        return free

    return anchor


def stays(character: str) -> bool:
    """Whether github-slugger leaves a character in."""
    category = unicodedata.category(character)
    return character in " -" or category[0] in "LM" or category in {"Nd", "Nl", "Pc"} or character in CIRCLED


def toc_anchors() -> Anchors:
    """Python-Markdown's toc, which mkdocs uses: what has no ASCII form goes, runs of blanks and "-" are one "-"; "intro",
    "intro_1", "intro_2" for headings of one name, "_1" for one of which nothing is left."""
    given: set[str] = set()
    last: dict[str, str] = {}  # by what a heading would be called, what the last one so called is

    def anchor(text: str) -> str:
        ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        plain = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_text).strip().lower())
        free = last.get(plain, plain)
        while not free or free in given:
            free = counted_up(free)
        given.add(free)
        last[plain] = free
        return free

    return anchor


def counted_up(anchor: str) -> str:
    """From "intro" to "intro_1" to "intro_2"."""
    stem, joint, number = anchor.rpartition("_")
    return f"{stem}_{int(number) + 1}" if joint and number.isdecimal() else f"{anchor}_1"
