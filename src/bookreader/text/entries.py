"""A list of questions with their answers, in JSON → a Book with one chapter an entry."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from bookreader.book import Book, BookId, Chapter, QualityReport, Sentence
from bookreader.errors import BadFile
from bookreader.text.passages import PassagePlace, prose, sentences_at

LONGEST_DEPARTMENT = 60  # characters
BEGINNING = b'[{"question":'
PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,3}[.)])\s)")


@dataclass(frozen=True, slots=True)
class QuestionEntry:
    """A question with its answer (S5). department_id: None for all departments."""

    question: str
    answer: str
    source_type: Literal["faq", "resolved_query"]  # S5-1
    source_id: str
    department_id: str | None = None


ENTRIES = TypeAdapter(list[QuestionEntry])


def is_entries(data: bytes) -> bool:
    """Whether the bytes are such a list and not a PDF or a folder."""
    return data.startswith(BEGINNING)


def read_entries(data: bytes) -> list[QuestionEntry]:
    """The entries of a list. Raises BadFile: bad_entries."""
    try:
        return ENTRIES.validate_json(data)
    except ValueError as error:
        raise BadFile("bad_entries", "list_invalid") from error


def book_of_entries(entries: Sequence[QuestionEntry], book: BookId, version: str) -> Book:
    """The entries as a book, one chapter each: title = question, module = department, file "faq/12", sentences = the answer."""
    chapters = tuple(
        Chapter(number, None, " ".join(entry.question.split()), entry.department_id, f"{entry.source_type}/{entry.source_id}")
        for number, entry in enumerate(entries)
    )
    sentences = tuple(
        sentence
        for entry, chapter in zip(entries, chapters, strict=True)
        for sentence in answer_sentences(entry, chapter, (book, version))
    )
    words = sum(len(sentence.text.split()) for sentence in sentences)
    report = QualityReport(len(entries), words, len(sentences), len(entries), "entries", "none", 0.0, (), ())
    return Book(book, version, "", (), chapters, sentences, report)


def answer_sentences(entry: QuestionEntry, chapter: Chapter, edition: tuple[BookId, str]) -> Iterator[Sentence]:
    """The sentences of an answer; list items are paragraphs of their own."""
    paragraphs: Iterable[str] = (" ".join(part.split()) for part in PARAGRAPHS.split(entry.answer))
    for number, text in enumerate(filter(None, paragraphs)):
        yield from sentences_at(prose(text), PassagePlace(*edition, chapter, (), number, None))
