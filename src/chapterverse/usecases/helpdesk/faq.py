"""Entries that answer a question once and for all: drafts until they are approved, and only then found.

The approved ones of a department are one source: what is approved, changed or removed is found, or no more, by one switch."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from secrets import token_hex

from chapterverse.ingestion.entries import read_entries
from chapterverse.model import FaqEntry, ShelvedBook
from chapterverse.names import fingerprint
from chapterverse.usecases.books import add_book, remove_book
from chapterverse.usecases.helpdesk.desk import Desk

TITLE = "Questions and answers"


def new_id() -> str:
    """Of an entry."""
    return token_hex(8)


@dataclass(frozen=True, slots=True)
class Wording:
    """What an entry says, and whose it is; department: None for everybody's."""

    question: str
    answer: str
    department: str | None = None


def add_entry(school: str, said: Wording, desk: Desk) -> FaqEntry:
    """A draft. Raises BadBook where it could not be indexed once it is approved, CatalogUnavailable."""
    draft = FaqEntry(new_id(), school, said.question, said.answer, desk.now(), said.department)
    read_entries(_list_of([draft]))
    desk.faq.add(draft)
    return draft


def change_entry(school: str, id: str, said: Wording, desk: Desk) -> FaqEntry:
    """What it says from now on: a draft again. Raises as add_entry and approve_entry."""
    before = desk.faq.find(school, id)
    text = replace(before, question=said.question, answer=said.answer, department=said.department, approved=None)
    read_entries(_list_of([text]))
    changed = desk.faq.change(school, id, lambda _: text)
    _publish(school, {before.department} if before.approved else set(), desk)
    return changed


def approve_entry(school: str, id: str, approved: bool, desk: Desk) -> FaqEntry:
    """It is found from now on, or no more. Said again, it is done again, where it did not come to its end.

    Raises NotFound, BookBusy (others are being approved just now: say it again), and every RetryableError of the ports."""
    now = desk.now()
    changed = desk.faq.change(school, id, lambda entry: replace(entry, approved=(entry.approved or now) if approved else None))
    _publish(school, {changed.department}, desk)
    return changed


def remove_entry(school: str, id: str, desk: Desk) -> None:
    """Raises as approve_entry."""
    gone = desk.faq.find(school, id)
    desk.faq.remove(school, id)
    _publish(school, {gone.department} if gone.approved else set(), desk)


def _publish(school: str, departments: Iterable[str | None], desk: Desk) -> None:
    """Make what is approved what is found."""
    for department in departments:
        entries = [entry for entry in desk.faq.of_school(school, approved=True) if entry.department == department]
        name = _file_name(department)
        if entries:
            added = add_book(_list_of(entries), name, school, desk.services, desk.limits, title=_title(department)).book
            corrections = replace(added.corrections, department=department)
            desk.services.catalog.correct(school, added.id, corrections)
        elif old := _source(school, name, desk):
            remove_book(school, old.id, desk.services)


def _source(school: str, name: str, desk: Desk) -> ShelvedBook | None:
    return next((book for book in desk.services.catalog.books(school) if book.file_name == name), None)


def _list_of(entries: Iterable[FaqEntry]) -> bytes:
    """As ingestion/entries.py reads it."""
    told = [
        {
            "question": entry.question,
            "answer": entry.answer,
            "source_type": entry.type.value,
            "source_id": entry.id,
            "department_id": entry.department,
        }
        for entry in entries
    ]
    return json.dumps(told, ensure_ascii=False).encode()


def _title(department: str | None) -> str:
    return f"{TITLE}: {department}" if department else TITLE


def _file_name(department: str | None) -> str:
    """By a digest: two departments' names may look alike, and none needs to be a file's."""
    return f"faq-{fingerprint(department)}.json" if department else "faq.json"
