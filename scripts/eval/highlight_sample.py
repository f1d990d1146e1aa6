"""Sentences of typeset books whose boxes are known, matched with the same sentences as stored in the home."""

import gzip
import json
import random
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from chapterverse.core.book import Sentence
from chapterverse.library.artefacts import load_book
from chapterverse.library.services import CollectionServices

ACROSS = ("", "line", "column", "page")
Boxes = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Known:
    """id: of the sentence here; gold: a box a piece of a line, in points, with its page; across: what it runs over, else ""."""

    book: str
    id: str
    gold: Boxes
    across: str


def sample(school: str, services: CollectionServices, gold: Path, each: int) -> Iterator[Known]:
    """From every book: `each` sentences at random, and as many of each kind that run over lines, columns and pages."""
    for book in services.catalog.books(school):
        file = gold / f"{book.id}.gold.jsonl.gz"
        if book.active and file.exists():
            with gzip.open(file, "rt") as lines:
                gold_sentences = [json.loads(line) for line in lines]
            yield from _chosen(
                list(_matched(book.id, gold_sentences, load_book(services.bucket, book.active.key).sentences)), each
            )


def _matched(book: str, gold: list[dict[str, Any]], sentences: Sequence[Sentence]) -> Iterator[Known]:
    """Sentences whose letters occur once in the book, so that the match is unambiguous."""
    ours = defaultdict(list)
    for sentence in sentences:
        ours[_letters(sentence.text)].append(sentence)
    for one in gold:
        if one["sure_start"] and one["sure_end"] and len(same := ours[_letters(one["text"])]) == 1:
            yield Known(book, same[0].id, one["boxes"], _across(one["boxes"]))


def _chosen(known: list[Known], each: int) -> list[Known]:
    chance = random.Random(known[0].book if known else "")
    kinds = [known, *([one for one in known if one.across == across] for across in ACROSS)]
    return [one for kind in kinds for one in chance.sample(kind, min(each, len(kind)))]


def _across(boxes: Boxes) -> str:
    if len({box["page"] for box in boxes}) > 1:
        return "page"
    if any(after["y1"] < before["y0"] for before, after in pairwise(boxes)):
        return "column"
    return "line" if len({round(box["y0"] / 4) for box in boxes}) > 1 else ""


def _letters(text: str) -> str:
    return re.sub(r"[^\w]|_", "", unicodedata.normalize("NFKC", text).lower())
