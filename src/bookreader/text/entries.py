"""Lists of questions and answers (FAQs, resolved tickets), in JSON or CSV → entries → a Book with one chapter an entry."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from bookreader.book import Book, BookId, Chapter, QualityReport, Sentence
from bookreader.errors import BadFile, ReaderError
from bookreader.messages import Message, message
from bookreader.text.passages import prose, sentences_at

MAX_ENTRIES = 20_000  # of one list
LONGEST_QUESTION, LONGEST_ANSWER = 2_000, 20_000  # characters
LONGEST_ID, LONGEST_DEPARTMENT = 255, 60
MAX_FAULTS = 10  # in one message
SOURCE_TYPES = ("faq", "resolved_query")  # S5-1

NAMES = {
    "question": ("question", "q"),
    "answer": ("answer", "a"),
    "source_type": ("source_type",),
    "source_id": ("source_id", "faq_id", "id"),
    "department_id": ("department_id", "department"),
}
"""Names that each field may have in a list."""

PARTICIPANTS = ("names", "participants", "user", "student", "requester", "customer", "agent", "assignee")
"""Field names of people in tickets, whose names are never indexed."""

JSON_START = re.compile(rb'\[\s*[{\]]|\{\s*"')
PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,3}[.)])\s)")


@dataclass(frozen=True, slots=True)
class QuestionEntry:
    """A question with its answer (S5).

    source_type: "faq" or "resolved_query". source_id: from the list, else made from the question. department_id: None for all
    departments. names: of the people in a ticket, who are never indexed."""

    question: str
    answer: str
    source_type: str
    source_id: str
    department_id: str | None = None
    names: tuple[str, ...] = field(default=(), repr=False)


class InvalidEntry(ReaderError):
    """What is wrong with an entry."""


Numbered = Iterator[tuple[int, Mapping[str, Any]]]
"""The line at which an entry begins, from 1, and its fields by their names in the list."""


GOOGLE = b'"doc_id"'  # in the file that stands for a Google document on a disk


def is_entries(data: bytes) -> bool:
    """Whether the bytes are such a list and not a PDF or a folder."""
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    names = start.split(b"\n", 1)[0].lower()
    others = b"%PDF-" in start or (start[:1] == b"{" and GOOGLE in start and b'"question"' not in start.lower())
    return not others and (JSON_START.match(start) is not None or (b"question" in names and b"answer" in names))


def read_entries(data: bytes) -> list[QuestionEntry]:
    """The entries of a JSON list, JSON lines, or CSV with a header line. Raises BadFile: bad_entries, with lines at fault."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile("bad_entries", "list_not_utf8") from error
    numbered = in_json(text) if text.lstrip()[:1] in {"[", "{"} else in_csv(text)
    entries, faults = sifted(numbered)
    if not entries and not faults:
        faults = [message("list_empty")]
    if faults:
        more = [message("list_more_faults", count=len(faults) - MAX_FAULTS)] if len(faults) > MAX_FAULTS else []
        raise BadFile("bad_entries", "list_invalid", faults=[*faults[:MAX_FAULTS], *more])
    return entries


def sifted(numbered: Numbered) -> tuple[list[QuestionEntry], list[Message]]:
    """The good entries, and a message for each faulty one."""
    entries: list[QuestionEntry] = []
    lines: dict[tuple[str, str], int] = {}
    faults = []
    for line, fields in numbered:
        try:
            entry = entry_of(fields)
            first = lines.setdefault((entry.source_type, entry.source_id), line)
            if first != line:
                raise InvalidEntry("entry_duplicate", line=first)
            if len(entries) >= MAX_ENTRIES:
                raise InvalidEntry("entry_beyond_limit", max_entries=MAX_ENTRIES)
            entries.append(entry)
        except InvalidEntry as fault:
            faults.append(message("entry_invalid", line=line, problem=fault.message))
    return entries, faults


def entry_of(fields: Mapping[str, Any]) -> QuestionEntry:
    """The entry of a row. Raises InvalidEntry."""
    values = {name.strip().lower(): value for name, value in fields.items() if isinstance(name, str)}
    given = {field: next((values[name] for name in names if values.get(name)), None) for field, names in NAMES.items()}
    question = worded(given["question"], "question", LONGEST_QUESTION)
    source_type = str(given["source_type"] or SOURCE_TYPES[0])
    if source_type not in SOURCE_TYPES:
        raise InvalidEntry("entry_source_type", known=SOURCE_TYPES)
    return QuestionEntry(
        question=" ".join(question.split()),
        answer=worded(given["answer"], "answer", LONGEST_ANSWER),
        source_type=source_type,
        source_id=short(given["source_id"], "id", LONGEST_ID)
        or sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        department_id=short(given["department_id"], "department", LONGEST_DEPARTMENT),
        names=tuple(dict.fromkeys(name for field in PARTICIPANTS for name in names_in(values.get(field)))),
    )


def worded(value: object, name: str, longest: int) -> str:
    """A text with letters or digits. Raises InvalidEntry."""
    if not isinstance(value, str) or not any(map(str.isalnum, value)):
        raise InvalidEntry("entry_without", field=name)
    if len(value) > longest:
        raise InvalidEntry("entry_too_long", field=name, characters=len(value), max_characters=longest)
    return value.strip()


def short(value: object, name: str, longest: int) -> str | None:
    """A name or number on one line; None if empty. Raises InvalidEntry."""
    if value is None:
        return None
    if not isinstance(value, str | int) or isinstance(value, bool) or len(str(value)) > longest:
        raise InvalidEntry("entry_not_short", field=name)
    return " ".join(str(value).split()) or None


def names_in(value: object) -> Iterator[str]:
    """All texts in a value, however nested; divided at ";" and ","."""
    if isinstance(value, str):
        yield from filter(None, (" ".join(part.split()) for part in re.split(r"[;,]", value)))
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from names_in(part)


def in_json(text: str) -> Numbered:
    """The rows of a list of objects or of JSON lines. Raises BadFile: bad_entries."""
    decoder, at = json.JSONDecoder(), after(r"\s*\[?\s*", text, 0)
    line = text.count("\n", 0, at) + 1
    while at < len(text) and text[at] != "]":
        try:
            fields, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise BadFile("bad_entries", "list_not_json", line=line) from error
        yield line, fields if isinstance(fields, dict) else {}
        following = after(r"\s*,?\s*", text, end)
        line, at = line + text.count("\n", at, following), following


def after(pattern: str, text: str, at: int) -> int:
    """The end of the pattern's match at a position."""
    match = re.compile(pattern).match(text, at)
    return match.end() if match else at


def in_csv(text: str) -> Numbered:
    """The rows of CSV, separated by the commonest of , ; and tab in its first line. Raises BadFile: bad_entries."""
    first = text.split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), restval="")
    line = 0
    try:
        line = 1 + (reader.line_num if reader.fieldnames else 0)
        for fields in reader:
            yield line, fields
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadFile("bad_entries", "list_not_csv", line=line) from error


def book_of_entries(entries: Sequence[QuestionEntry], book: BookId, version: str) -> Book:
    """The entries as a book, one chapter each: title = question, module = department, file "faq/12", sentences = the answer."""
    chapters = tuple(
        Chapter(number, None, entry.question, entry.department_id, f"{entry.source_type}/{entry.source_id}")
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
    paragraphs = (" ".join(part.split()) for part in PARAGRAPHS.split(entry.answer))
    for number, text in enumerate(filter(None, paragraphs)):
        yield from sentences_at(prose(text), edition, chapter, (), number, url=None)
