"""FAQ entries: written, imported from lists, or drafted from an agent's answer; searched once approved.

The approved entries of a department are one source (faq.json), replaced as a whole at each change."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from secrets import token_hex
from time import monotonic, sleep

from chapterverse.core.errors import BookBusy, NotFound, TooLarge
from chapterverse.core.names import in_department
from chapterverse.library.intake import add_book
from chapterverse.library.model import CatalogBook
from chapterverse.library.service import remove_book
from chapterverse.library.text.entries import QuestionEntry, read_entries
from chapterverse.questions import helpdesk
from chapterverse.questions.helpdesk import HelpdeskContext
from chapterverse.questions.model import Conversation, EntryType, FaqEntry, Speaker, Turn

TITLE = "Questions and answers"

LIST = "faq.json"

"""The file that a department's approved entries are, on the help desk's shelf."""

PATIENCE, A_WHILE = 20.0, 0.1  # seconds for others who approve something just now, and between two looks


def new_id() -> str:
    """Of an entry."""
    return token_hex(8)


@dataclass(frozen=True, slots=True)
class EntryText:
    """Text of an entry; department: None for all."""

    question: str
    answer: str
    department: str | None = None


def add_entry(school: str, said: EntryText, desk: HelpdeskContext) -> FaqEntry:
    """A draft. Raises BadBook if it could not be indexed, CatalogUnavailable."""
    draft = FaqEntry(new_id(), school, said.question, said.answer, desk.now(), said.department)
    read_entries(_list_of([draft]))
    desk.faq.keep([draft])
    return draft


def change_entry(school: str, id: str, said: EntryText, desk: HelpdeskContext) -> FaqEntry:
    """Change the text; the entry is a draft again. Raises as add_entry and approve_entry."""
    before = desk.faq.find(school, id)
    text = replace(before, question=said.question, answer=said.answer, department=said.department, approved=None, archived=None)
    read_entries(_list_of([text]))
    changed = desk.faq.change(school, id, lambda _: text)
    publish(school, {before.department} if before.approved else set(), desk)
    return changed


def approve_entry(school: str, id: str, approved: bool, desk: HelpdeskContext) -> FaqEntry:
    """Make it searchable, or a draft again. Repeatable. Raises NotFound, BookBusy while other approvals run, and every
    RetryableError of the ports."""
    return approve_entries(school, [id], approved, desk)[0]


def approve_entries(school: str, ids: Sequence[str], approved: bool, desk: HelpdeskContext) -> list[FaqEntry]:
    """Approve several entries, each department at once. Raises as approve_entry."""
    now = desk.now()
    for id in ids:
        desk.faq.find(school, id)  # all are there, or nothing is done

    def approve(entry: FaqEntry) -> FaqEntry:
        found = (entry.approved or now) if approved else None
        return replace(entry, approved=found, archived=None if approved else entry.archived)

    changed = [desk.faq.change(school, id, approve) for id in ids]
    publish(school, {entry.department for entry in changed}, desk)
    return changed


def archive_entry(school: str, id: str, archived: bool, desk: HelpdeskContext) -> FaqEntry:
    """Archive it, so that it is not searched; or make it a draft again. Raises as approve_entry."""
    before, now = desk.faq.find(school, id), desk.now()
    aside = desk.faq.change(
        school, id, lambda entry: replace(entry, approved=None, archived=(entry.archived or now) if archived else None)
    )
    publish(school, {before.department} if before.approved else set(), desk)
    return aside


def publish_all(school: str, desk: HelpdeskContext) -> None:
    """Publish every department; repairs an interrupted publication at the next start. Raises as approve_entry."""
    entries = desk.faq.of_school(school)
    listed = {book.department for book in desk.services.catalog.books(school) if book.file_name.endswith(LIST)}
    publish(school, {entry.department for entry in entries if entry.approved} | listed, desk)


def remove_entry(school: str, id: str, desk: HelpdeskContext) -> None:
    """Raises as approve_entry."""
    gone = desk.faq.find(school, id)
    desk.faq.remove(school, id)
    publish(school, {gone.department} if gone.approved else set(), desk)


def publish(school: str, departments: Iterable[str | None], desk: HelpdeskContext) -> None:
    """Make the approved entries of these departments searchable, and only these. Raises as approve_entry."""
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
def _alone_with(name: str, school: str, desk: HelpdeskContext) -> Iterator[None]:
    """Lock the department's list, so that approvals do not overwrite each other. Raises BookBusy after PATIENCE."""
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


def _source(school: str, name: str, desk: HelpdeskContext) -> CatalogBook | None:
    return next((book for book in desk.services.catalog.books(school) if book.file_name == name), None)


def _list_of(entries: Iterable[FaqEntry]) -> bytes:
    """As library/text/entries.py reads it."""
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


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options of an import. department: of entries without one; tickets: all entries are resolved tickets; approved: searchable
    at once; most: maximum number of entries, None for the general limit."""

    department: str | None = None
    tickets: bool = False
    approved: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """New, changed and unchanged entries, approved or not."""

    added: tuple[FaqEntry, ...] = ()
    changed: tuple[FaqEntry, ...] = ()
    unchanged: tuple[FaqEntry, ...] = ()

    @property
    def entries(self) -> tuple[FaqEntry, ...]:
        """The whole list."""
        return (*self.added, *self.changed, *self.unchanged)


def import_entries(data: bytes, school: str, how: ImportOptions, desk: HelpdeskContext) -> ImportResult:
    """Import all entries of a list, or none; each replaces the entry of its type and source id. A changed entry is a draft
    again unless the list is approved. Participants' names are redacted from tickets first.

    Raises BadBook with the lines at fault, TooLarge, ModelUnavailable, CatalogUnavailable; if approved, as approve_entry."""
    told = read_entries(data)
    if how.most is not None and len(told) > how.most:
        raise TooLarge("list_too_long", entries=len(told), max_entries=how.most)
    before = {(entry.type, entry.source_id): entry for entry in desk.faq.of_school(school)}
    imported = _sorted([_kept(one, school, how, before, desk) for one in told], before)
    desk.faq.keep(imported.entries)
    publish(school, _departments_to_publish(imported, before), desk)
    return imported


Before = dict[tuple[EntryType, str], FaqEntry]


def _kept(one: QuestionEntry, school: str, how: ImportOptions, before: Before, desk: HelpdeskContext) -> FaqEntry:
    kind = EntryType.RESOLVED if how.tickets else EntryType(one.source_type)
    question, answer = _said(one, kind, desk)
    department = one.department_id or how.department
    old = before.get((kind, one.source_id))
    now = desk.now()
    new = FaqEntry(new_id(), school, question, answer, now, department, kind, source_id=one.source_id)
    if old:
        new = replace(new, id=old.id, created=old.created, conversation=old.conversation)
    same = old if old and _wording(old) == _wording(new) else None
    approved = (same and same.approved) or (now if how.approved else None)
    return replace(new, approved=approved, archived=same.archived if same and not approved else None)


def _said(one: QuestionEntry, kind: EntryType, desk: HelpdeskContext) -> Sequence[str]:
    """Question and answer; only tickets are redacted: official answers keep their addresses."""
    return (
        desk.redactor.redact([one.question, one.answer], one.names)
        if kind is EntryType.RESOLVED
        else (one.question, one.answer)
    )


def _wording(entry: FaqEntry) -> tuple[str, str, str | None]:
    return entry.question, entry.answer, entry.department


def _sorted(entries: Sequence[FaqEntry], before: Before) -> ImportResult:
    old = [before.get((entry.type, entry.source_id)) for entry in entries]
    pairs = list(zip(entries, old, strict=True))
    return ImportResult(
        tuple(new for new, known in pairs if known is None),
        tuple(new for new, known in pairs if known and _wording(known) != _wording(new)),
        tuple(new for new, known in pairs if known and _wording(known) == _wording(new)),
    )


def _departments_to_publish(imported: ImportResult, before: Before) -> set[str | None]:
    """Departments whose approved entries changed, or may have."""
    old = (before[(entry.type, entry.source_id)] for entry in (*imported.changed, *imported.unchanged))
    return {entry.department for entry in (*imported.entries, *old) if entry.approved}


def draft_entry(school: str, id: str, desk: HelpdeskContext) -> FaqEntry:
    """A draft from the question that an agent answered last and the answer, redacted. The same words again: the existing draft.

    Raises NotFound if no agent has answered, ModelUnavailable, CatalogUnavailable."""
    told = helpdesk.find(school, id, desk)
    asked, said = _answered_last(told)
    names = (*told.names, *([told.agent.name] if told.agent and told.agent.name else ()))
    question, answer = desk.redactor.redact([asked, said], names)
    words = (question, answer)
    before = (entry for entry in desk.faq.of_school(school, approved=False) if entry.conversation == id)
    if same := next((entry for entry in before if (entry.question, entry.answer) == words), None):
        return same
    draft = FaqEntry(new_id(), school, *words, desk.now(), told.department, EntryType.RESOLVED, conversation=id)
    desk.faq.keep([draft])
    return draft


def _answered_last(told: Conversation) -> tuple[str, str]:
    """The question: the last one to the assistant before the agent came, else the last before the answer; the answer: all that
    the agent wrote since. Raises NotFound."""
    silent = list(takewhile(_no_assistant, reversed(told.turns[: _last_of_agent(told) + 1])))[::-1]
    before = told.turns[: _last_of_agent(told) + 1 - len(silent)]
    answers = [turn.text for turn in silent if turn.speaker is Speaker.AGENT]
    first = next((at for at, turn in enumerate(silent) if turn.speaker is Speaker.AGENT), 0)
    asked = [turn.text for turn in (*silent[:first][::-1], *before[::-1]) if turn.speaker is Speaker.STUDENT]
    to_assistant = [turn.text for turn in before if turn.speaker is Speaker.STUDENT]
    if not (answers and asked):
        raise NotFound("no_agent_answer_yet")
    return (to_assistant[-1] if to_assistant else asked[0]), "\n\n".join(answers)


def _no_assistant(turn: Turn) -> bool:
    return turn.speaker is not Speaker.ASSISTANT


def _last_of_agent(told: Conversation) -> int:
    return max((at for at, turn in enumerate(told.turns) if turn.speaker is Speaker.AGENT), default=-1)
