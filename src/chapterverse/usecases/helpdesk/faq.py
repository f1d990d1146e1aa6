"""Entries that answer a question once and for all: drafts until they are approved, and only then found.

The approved ones of a department are one source: what is approved, changed or removed is found, or no more, by one switch."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from secrets import token_hex
from time import monotonic, sleep

from chapterverse.errors import BookBusy
from chapterverse.ingestion.entries import read_entries
from chapterverse.model import FaqEntry, ShelvedBook
from chapterverse.names import in_department
from chapterverse.usecases.books import add_book, remove_book
from chapterverse.usecases.helpdesk.desk import Desk

TITLE = "Questions and answers"
LIST = "faq.json"
"""The file that a department's approved entries are, on the help desk's shelf."""

PATIENCE, A_WHILE = 20.0, 0.1  # seconds for others who approve something just now, and between two looks


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
    desk.faq.keep([draft])
    return draft


def change_entry(school: str, id: str, said: Wording, desk: Desk) -> FaqEntry:
    """What it says from now on: a draft again. Raises as add_entry and approve_entry."""
    before = desk.faq.find(school, id)
    text = replace(before, question=said.question, answer=said.answer, department=said.department, approved=None, archived=None)
    read_entries(_list_of([text]))
    changed = desk.faq.change(school, id, lambda _: text)
    publish(school, {before.department} if before.approved else set(), desk)
    return changed


def approve_entry(school: str, id: str, approved: bool, desk: Desk) -> FaqEntry:
    """It is found from now on, or no more. Said again, it is done again, where it did not come to its end.

    Raises NotFound, BookBusy (others are being approved all the time: say it again), and every RetryableError of the ports."""
    return approve_entries(school, [id], approved, desk)[0]


def approve_entries(school: str, ids: Sequence[str], approved: bool, desk: Desk) -> list[FaqEntry]:
    """The same with several, of all at once in each department."""
    now = desk.now()
    for id in ids:
        desk.faq.find(school, id)  # all are there, or nothing is done

    def approve(entry: FaqEntry) -> FaqEntry:
        found = (entry.approved or now) if approved else None
        return replace(entry, approved=found, archived=None if approved else entry.archived)

    changed = [desk.faq.change(school, id, approve) for id in ids]
    publish(school, {entry.department for entry in changed}, desk)
    return changed


def archive_entry(school: str, id: str, archived: bool, desk: Desk) -> FaqEntry:
    """Put it aside, found no more; or take it out again, as a draft. Raises as approve_entry."""
    before, now = desk.faq.find(school, id), desk.now()
    aside = desk.faq.change(
        school, id, lambda entry: replace(entry, approved=None, archived=(entry.archived or now) if archived else None)
    )
    publish(school, {before.department} if before.approved else set(), desk)
    return aside


def publish_all(school: str, desk: Desk) -> None:
    """Make what is approved what is found, in every department: a program killed between the two finds it so at its next
    start. Raises as approve_entry."""
    entries = desk.faq.of_school(school)
    listed = {book.department for book in desk.services.catalog.books(school) if book.file_name.endswith(LIST)}
    publish(school, {entry.department for entry in entries if entry.approved} | listed, desk)


def remove_entry(school: str, id: str, desk: Desk) -> None:
    """Raises as approve_entry."""
    gone = desk.faq.find(school, id)
    desk.faq.remove(school, id)
    publish(school, {gone.department} if gone.approved else set(), desk)


def publish(school: str, departments: Iterable[str | None], desk: Desk) -> None:
    """Make what is approved in these departments what is found. Raises as approve_entry."""
    for department in departments:
        name = in_department(LIST, department)
        with _alone_with(name, school, desk):
            entries = [entry for entry in desk.faq.of_school(school, approved=True) if entry.department == department]
            if entries:
                title, content = _title(department), _list_of(entries)
                add_book(content, LIST, school, desk.services, desk.limits, title=title, department=department)
            elif old := _source(school, name, desk):
                remove_book(school, old.id, desk.services)


@contextmanager
def _alone_with(name: str, school: str, desk: Desk) -> Iterator[None]:
    """Entries are read and indexed by one at a time, so that nobody's approval is overwritten; who comes meanwhile waits.

    Raises BookBusy after PATIENCE."""
    until = monotonic() + PATIENCE
    with ExitStack() as holding:
        while True:
            try:
                holding.enter_context(desk.services.catalog.claim(school, f"entries of {name}"))
                break
            except BookBusy:
                if monotonic() > until:
                    raise
                sleep(A_WHILE)
        yield


def _source(school: str, name: str, desk: Desk) -> ShelvedBook | None:
    return next((book for book in desk.services.catalog.books(school) if book.file_name == name), None)


def _list_of(entries: Iterable[FaqEntry]) -> bytes:
    """As ingestion/entries.py reads it."""
    told = [
        {
            "question": entry.question,
            "answer": entry.answer,
            "source_type": entry.type.value,
            "source_id": entry.source_id,
            "department_id": entry.department,
        }
        for entry in entries
    ]
    return json.dumps(told, ensure_ascii=False).encode()


def _title(department: str | None) -> str:
    return f"{TITLE}: {department}" if department else TITLE
