"""The four sets of questions in the shared folder, as cases; ask.py and ask_signs.py import it by its bare name.

The loaders of the folder itself read them (ask-lecture/), so that a case here is the case there."""

import csv
import gzip
import importlib
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from bookreader.source import read_source
from chapterverse.core.book import BookId
from chapterverse.core.errors import BadBook
from chapterverse.library.chunks import windows

SEED = 7  # of the evaluations there
SIZES = ((300, 30), (500, 50), (1000, 100))  # characters of a window, and of its overlap


@dataclass(frozen=True)
class Asked:
    """Questions to one index. wanted: of each, the texts that answer it, none for one that is not answered there.

    kind: why it is not, or "answered"."""

    name: str
    texts: Sequence[str]
    questions: Sequence[str]
    wanted: Sequence[frozenset[int]]
    kinds: Sequence[str]


def of(shared: Path, module: str) -> object:
    """A module of ask-lecture/, which imports its neighbours by bare names."""
    if (folder := str(shared / "ask-lecture")) not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(module)


def syllabi(shared: Path, size: int = 500, overlap: int = 50) -> Iterator[Asked]:
    """Each syllabus with its own questions, and with those of another one ("other syllabus"); "no answer": by the readers."""
    given, folder = of(shared, "syllabus"), shared / "data/qa/syllabusqa"
    rows = json.loads((folder / "val.json").read_text())
    names = sorted({row["syllabus_name"] for row in rows})
    draw = random.Random(SEED)
    other = {row["id"]: draw.choice([name for name in names if name != row["syllabus_name"]]) for row in rows}
    for name in names:
        text = " ".join((folder / "text" / f"{name}.txt").read_text(errors="replace").split())
        tokens = [(match[0].lower(), match.start(), match.end()) for match in re.finditer(r"\w+", text)]
        places = given.chunks(text, size, overlap)  # type: ignore[attr-defined]
        own = [(row, _holding(row, text, tokens, places, given)) for row in rows if row["syllabus_name"] == name]
        cases = [(row["question"], wanted, _kind(row)) for row, wanted in own]
        cases += [(row["question"], frozenset[int](), "other syllabus") for row in rows if other[row["id"]] == name]
        yield Asked(name, [text[start:end] for start, end in places], *map(list, zip(*cases, strict=True)))


def _kind(row: dict) -> str:
    return "no answer" if row["question_type"] == "no answer" else "answered"


def _holding(row: dict, text: str, tokens: list, places: list, given: object) -> frozenset[int]:
    """Windows with at least half of one of the spans that answer it."""
    found: set[int] = set()
    for number in range(1, 6):
        for start, end in given.locate(row[f"answer_span_{number}"] or "", text, tokens):  # type: ignore[attr-defined]
            found |= {i for i, (s, e) in enumerate(places) if min(e, end) - max(s, start) >= (end - start) / 2}
    return frozenset(found)


def helpdesk(shared: Path, *, answers: bool, removed: bool = False) -> Iterator[Asked]:
    """StackFAQ, with its answers or its questions alone; removed: a tenth of the entries at a time is not there, and who asks
    for one of those asks for what has no answer yet."""
    faq, cases = of(shared, "helpdesk").stackfaq(  # type: ignore[attr-defined]
        shared / "data/helpdesk/stackfaq/stackExchange-FAQ.json"
    )
    texts = [f"Question: {question} Answer: {answer}" if answers else question for question, answer in faq]
    if not removed:
        yield Asked("StackFAQ", texts, [q for q, _ in cases], [frozenset(w) for _, w in cases], ["answered"] * len(cases))
        return
    fold = {entry: number % 10 for number, entry in enumerate(random.Random(SEED).sample(range(len(faq)), len(faq)))}
    for number in range(10):
        there = [text for entry, text in enumerate(texts) if fold[entry] != number]
        gone = [question for question, wanted in cases if fold[min(wanted)] == number]
        yield Asked(f"StackFAQ {number}", there, gone, [frozenset()] * len(gone), ["gold removed"] * len(gone))


def other_domain(shared: Path, number: int = 1000) -> list[str]:
    """Questions to a bank."""
    with (shared / "data/helpdesk/banking77/test.csv").open(newline="") as file:
        return [row["text"] for row in random.Random(SEED).sample(list(csv.DictReader(file)), number)]


def squad(shared: Path, each: int = 120) -> Iterator[Asked]:
    """An article's paragraphs with a draw of its questions."""
    with gzip.open(shared / "data/qa/squad2-dev-half/dev-v2.0.json.gz") as file:
        articles = json.load(file)["data"]
    draw = random.Random(SEED)
    for article in articles:
        paragraphs = article["paragraphs"]
        cases = [(qa, number) for number, paragraph in enumerate(paragraphs) for qa in paragraph["qas"]]
        drawn = draw.sample(cases, min(each, len(cases)))
        yield Asked(
            article["title"],
            [paragraph["context"] for paragraph in paragraphs],
            [qa["question"] for qa, _ in drawn],
            [frozenset() if qa["is_impossible"] else frozenset({number}) for qa, number in drawn],
            ["no answer" if qa["is_impossible"] else "answered" for qa, _ in drawn],
        )


def own_windows(shared: Path, size: int, overlap: int) -> Iterator[Asked]:
    """The same questions to the syllabi whose PDFs are there, read and cut by the product itself: a chunk is wanted that has
    half of an evidence span in one piece."""
    folder = shared / "data/qa/syllabusqa"
    rows = json.loads((folder / "val.json").read_text())
    for pdf in sorted((folder / "pdf").glob("*.pdf")):
        try:
            book = read_source(pdf.read_bytes(), BookId("syllabus"))
        except BadBook as error:
            print(f"{pdf.name}: {error}", file=sys.stderr)
            continue
        texts = [chunk.text for chunk in windows(size, overlap)(book)]
        tokens = [words_of(text) for text in texts]
        own = [row for row in rows if row["syllabus_name"] == pdf.stem]
        wanted = [frozenset().union(*(_with_half(span, tokens) for span in spans_of(row))) for row in own]
        yield Asked(pdf.stem, texts, [row["question"] for row in own], wanted, [_kind(row) for row in own])


def spans_of(row: dict) -> list[list[str]]:
    return [words_of(row[f"answer_span_{number}"] or "") for number in range(1, 6)]


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _with_half(span: Sequence[str], texts: Sequence[Sequence[str]]) -> frozenset[int]:
    if not span:
        return frozenset()
    sizes = [SequenceMatcher(None, text, span, autojunk=False).find_longest_match().size for text in texts]
    return frozenset(number for number, size in enumerate(sizes) if size >= max(len(span) / 2, min(len(span), 3)))
