"""Twelve courses, handouts and help texts of our own with questions to each, half of them for tuning; answers to the
others were graded one by one, and a rule followed (scripts/eval/data/questions)."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pymupdf
from markdown_it import MarkdownIt

from chapterverse import composition
from chapterverse.core.book import BookId, Collection
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.settings import Settings

FOLDER = Path(__file__).parent / "data" / "questions"
TUNING = ("biology-101", "chemistry-lab", "exchange-office", "library-help", "modern-history", "programming-2")
GRADED = ("fiction-workshop", "it-help", "spanish-2", "sports-hall", "statistics-210", "thesis-guide")
READ = ("ceramics-studio", "data-journalism")  # whose answers were judged by reading
GERMAN = ("hanse", "wohnheim")  # for tuning; no reader reads them
GERMAN_CHECK = ("physik-praktikum", "theaterkurs")
QUESTIONS = {READ: "read.jsonl", GERMAN: "german.jsonl", GERMAN_CHECK: "german.jsonl"}
AS_PDF = {"ceramics-studio", "biology-101", "chemistry-lab", "exchange-office", "sports-hall", "statistics-210", "thesis-guide"}
CSS = "body{font-family:serif;font-size:10.5pt} table{border-collapse:collapse} td,th{border:1px solid black;padding:2pt 4pt}"
MARGIN, SEED, SHORT = 64, 7, 4
COLUMN = re.compile(r"(^|; )[^:;\n]+: ", re.MULTILINE)  # its name before a cell, which the page has only at the top


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question to a document. answer: words of the document that answer it, empty if it does not. kind: "answered", "no
    answer" or "other document"."""

    question: str
    document: str
    answer: str
    kind: str


def cases(names: tuple[str, ...]) -> Iterator[AskedQuestion]:
    """Each question to its own document; those that name their subject also to another one, drawn of the same names."""
    draw = random.Random(SEED)
    for line in (FOLDER / QUESTIONS.get(names, "questions.jsonl")).read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["document"] not in names:
            continue
        kind = row.get("kind") or ("answered" if row["answer"] else "no answer")
        yield AskedQuestion(row["question"], row["document"], row["answer"], kind)
        if row.get("own"):
            other = draw.choice([name for name in names if name != row["document"]])
            yield AskedQuestion(row["question"], other, "", "other document")


def has_words(answer: str, text: str) -> bool:
    """Whether the text has the answer's words in a row, of a longer answer at least half of them."""
    words = words_of(answer)
    middle = len(words) // 2 if len(words) > SHORT else 0
    there = [f" {' '.join(words_of(one))} " for one in (text, COLUMN.sub(r"\1", text))]
    parts = (words, words[:middle], words[middle:] if middle else [])
    return any(f" {' '.join(part)} " in one for part in parts if part for one in there)


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def files(names: Iterable[str] = (*TUNING, *GRADED)) -> Iterator[tuple[str, str, bytes]]:
    """Name of each document, name of its file, and its bytes: half of them typeset as PDF."""
    for name in sorted(names):
        text = (FOLDER / f"{name}.md").read_text("utf-8")
        yield (name, f"{name}.pdf", typeset(text)) if name in AS_PDF else (name, f"{name}.zip", zipped(name, text))


def zipped(name: str, markdown: str) -> bytes:
    """The text as a folder of one page."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as folder:
        folder.writestr(f"{name}.md", markdown)
    return buffer.getvalue()


def typeset(markdown: str) -> bytes:
    """The text as a PDF on A4."""
    story = pymupdf.Story(MarkdownIt("commonmark").enable("table").render(markdown), user_css=CSS)
    buffer, page, more = BytesIO(), pymupdf.paper_rect("a4"), 1
    inside = pymupdf.Rect(page.x0 + MARGIN, page.y0 + MARGIN, page.x1 - MARGIN, page.y1 - MARGIN)
    writer = pymupdf.DocumentWriter(buffer)
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(inside)
        story.draw(device)
        writer.end_page()
    writer.close()
    return buffer.getvalue()


def stored(settings: Settings, names: Iterable[str] = (*TUNING, *GRADED)) -> tuple[CollectionServices, Mapping[str, BookId]]:
    """These documents in one school, so that rare words are counted over all of them: the services, and ids by name."""
    settings.home.mkdir(parents=True, exist_ok=True)
    services = composition.collection_services(settings, composition.compose(settings), Collection.DOCUMENTS)
    limits = composition.limits(settings)
    return services, {
        name: add_book(data, file, settings.school, services, limits).book.id for name, file, data in files(names)
    }
