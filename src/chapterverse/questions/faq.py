"""FAQ entries: written, imported from lists, or drafted from an agent's answer; searched once approved.

The approved entries of a department are one source (faq.json), replaced as a whole at each change."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from bookreader.text.entries import QuestionEntry, read_entries
from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound, TooLarge, reader_errors_as_ours
from chapterverse.core.names import in_department
from chapterverse.library.intake import add_book
from chapterverse.library.versions import Indexing, remove_book
from chapterverse.questions import helpdesk
from chapterverse.questions.helpdesk import HelpdeskContext
from chapterverse.questions.model import Conversation, EntryText, EntryType, FaqEntry, Speaker

TITLE = "Questions and answers"
MAX_ENTRIES = 500  # of a list: read, and redacted, within the request, which takes seconds

LIST = "faq.json"  # name of the file of a department's approved entries in the help desk's collection
REDACTED = re.compile(r"<[A-Z]+(?:_[A-Z]+)*>")  # what redaction puts in place of a name or an address: "Dear <PERSON>"
PATIENCE_SECONDS = 20.0  # how long to wait for other approvals


def _new(school: str, text: EntryText, context: HelpdeskContext, **facts: Any) -> FaqEntry:
    return FaqEntry(id=token_hex(8), school=school, created=context.now(), **dict(text), **facts)


def add_entry(school: str, text: EntryText, context: HelpdeskContext) -> FaqEntry:
    """A draft. Raises BadBook if it could not be indexed, CatalogUnavailable."""
    draft = _new(school, text, context)
    _read(_list_of([draft]))
    context.faq.save([draft])
    return draft


def change_entry(school: str, id: str, text: EntryText, context: HelpdeskContext) -> FaqEntry:
    """Change the text; the entry is a draft again. Raises as add_entry and approve_entries."""
    before = context.faq.find(school, id)
    draft = before.model_copy(update={**dict(text), "approved": None})
    _read(_list_of([draft]))
    changed = context.faq.change(school, id, lambda _: draft)
    publish(school, {before.department} if before.approved else set(), context)
    return changed


def approve_entries(
    school: str, ids: Sequence[str], approved: bool, context: HelpdeskContext, *, read: bool = False
) -> list[FaqEntry]:
    """Approve several entries, each department at once. read: a person has read each; if not, drafts in which something was
    redacted stay drafts. Repeatable. Raises NotFound, BookBusy while other approvals run, and every RetryableError of the
    ports."""
    now = context.now()
    found = [context.faq.find(school, id) for id in ids]  # if one is missing, none is changed
    unread = {entry.id for entry in found if approved and not read and _to_be_read(entry)}

    def approve(entry: FaqEntry) -> FaqEntry:
        since = (entry.approved or now) if approved else None
        return entry if entry.id in unread else entry.model_copy(update={"approved": since})

    changed = [context.faq.change(school, id, approve) for id in ids]
    publish(school, {entry.department for entry in changed}, context)
    return changed


def _to_be_read(entry: FaqEntry) -> bool:
    """Whether it is a draft in which something was redacted."""
    return entry.approved is None and bool(REDACTED.search(f"{entry.question} {entry.answer}"))


def publish_all(school: str, context: HelpdeskContext) -> None:
    """Publish every department; repairs an interrupted publication at the next start. Raises as approve_entries."""
    entries = context.faq.of_school(school)
    listed = {book.department for book in context.services.catalog.books(school) if book.file_name.endswith(LIST)}
    publish(school, {entry.department for entry in entries if entry.approved} | listed, context)


def remove_entry(school: str, id: str, context: HelpdeskContext) -> None:
    """Delete an entry. Raises as approve_entries."""
    gone = context.faq.find(school, id)
    context.faq.remove(school, id)
    publish(school, {gone.department} if gone.approved else set(), context)


def publish(
    school: str, departments: Iterable[str | None], context: HelpdeskContext, indexing: Indexing | None = None
) -> list[BookId]:
    """Make the approved entries of these departments searchable, and only these; the ids of their sources. indexing: None to
    return when they are searched. Raises as approve_entries."""
    sources: list[BookId] = []
    for department in departments:
        name = in_department(LIST, department)
        with context.services.catalog.claim(school, f"entries of {name}", PATIENCE_SECONDS):  # none overwrites another
            entries = [each for each in context.faq.of_school(school) if each.approved and each.department == department]
            if entries:
                content, title = _list_of(entries), f"{TITLE}: {department}" if department else TITLE
                services, limits = context.services, context.source_limits
                added = add_book(content, LIST, school, services, limits, title=title, department=department, indexing=indexing)
                sources.append(added.book.id)
            else:
                for old in (book for book in context.services.catalog.books(school) if book.file_name == name):
                    remove_book(school, old.id, context.services)
    return sources


def _list_of(entries: Iterable[FaqEntry]) -> bytes:
    """The entries as a file of questions and answers (bookreader/text/entries.py)."""
    listed = [
        {
            "question": entry.question,
            "answer": entry.answer,
            "source_type": entry.type.value,
            "source_id": entry.source_id,
            "department_id": entry.department,
        }
        for entry in entries
    ]
    return json.dumps(listed, ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class ImportResult:
    """All entries of the list: first so many new ones, then changed ones. sources: that make the approved ones searchable."""

    entries: list[FaqEntry]
    added: int
    changed: int
    sources: list[BookId]


def _read(data: bytes) -> list[QuestionEntry]:
    with reader_errors_as_ours():
        return read_entries(data)


def import_entries(
    data: bytes,
    school: str,
    context: HelpdeskContext,
    indexing: Indexing | None = None,
    *,
    department: str | None = None,
    tickets: bool = False,
    approved: bool = False,
) -> ImportResult:
    """Import all entries of a list, or none; each replaces the entry of its type and source id, whose id it takes. A changed
    entry is a draft again unless the list is approved. Participants' names are redacted from tickets; those in which something
    was redacted are drafts in any case (approve_entries). department: of entries without one; tickets: all are resolved
    tickets; approved: searchable at once; indexing: as in publish.

    Raises BadBook with the lines at fault, TooLarge, ModelUnavailable, CatalogUnavailable; if approved, as approve_entries."""
    listed = _read(data)
    if len(listed) > MAX_ENTRIES:
        raise TooLarge("list_too_long", entries=len(listed), max_entries=MAX_ENTRIES)
    before = {(entry.type, entry.source_id): entry for entry in context.faq.of_school(school)}

    def imported(one: QuestionEntry) -> tuple[FaqEntry, FaqEntry | None]:
        """The entry as it is stored, and the one that it replaces, whose state it takes if the text is unchanged."""
        kind = EntryType.RESOLVED if tickets else EntryType(one.source_type)
        old = before.get((kind, one.source_id))
        question, answer = one.question, one.answer
        if kind is EntryType.RESOLVED:  # only tickets are redacted, because official answers contain addresses on purpose
            question, answer = context.redactor.redact([question, answer], one.names)
        text = EntryText(question=question, answer=answer, department=one.department_id or department)
        new = (old or _new(school, text, context, type=kind, source_id=one.source_id)).model_copy(update=dict(text))
        since = context.now() if approved and not _to_be_read(new) else None
        return new.model_copy(update={"approved": (old and old.says(text) and old.approved) or since}), old

    pairs = [imported(one) for one in listed]
    news = [[new for new, old in pairs if old is None], [new for new, old in pairs if old and not old.says(new)]]
    entries = [*news[0], *news[1], *(new for new, old in pairs if old and old.says(new))]
    context.faq.save(entries)
    searched = {entry.department for pair in pairs for entry in pair if entry and entry.approved}
    return ImportResult(entries, len(news[0]), len(news[1]), publish(school, searched, context, indexing))


def draft_entry(school: str, id: str, context: HelpdeskContext) -> FaqEntry:
    """A draft made of the question that an agent answered last and the answer, redacted; an existing draft with
    this text is returned instead.

    Raises NotFound if no agent has answered, ModelUnavailable, CatalogUnavailable."""
    conversation = helpdesk.find(school, id, context)
    question, answer = _last_exchange(conversation)
    names = (*conversation.names, *([conversation.agent.name] if conversation.agent and conversation.agent.name else ()))
    question, answer = context.redactor.redact([question, answer], names)
    drafts = (each for each in context.faq.of_school(school) if not each.approved and each.conversation == id)
    if same := next((each for each in drafts if (each.question, each.answer) == (question, answer)), None):
        return same
    text = EntryText(question=question, answer=answer, department=conversation.department)
    draft = _new(school, text, context, type=EntryType.RESOLVED, conversation=id)
    context.faq.save([draft])
    return draft


def _last_exchange(conversation: Conversation) -> tuple[str, str]:
    """Question and answer. The question is the last one to the assistant before the agent came, else the last before the
    answer; the answer is all that the agent wrote since. Raises NotFound."""
    turns = conversation.turns
    by_speaker = {speaker: [at for at, turn in enumerate(turns) if turn.speaker is speaker] for speaker in Speaker}
    last = max(by_speaker[Speaker.AGENT], default=-1)
    since = max((at for at in by_speaker[Speaker.ASSISTANT] if at < last), default=-1)
    answers = [at for at in by_speaker[Speaker.AGENT] if at > since]
    to_assistant = [at for at in by_speaker[Speaker.STUDENT] if at < since]
    asked = to_assistant or [at for at in by_speaker[Speaker.STUDENT] if at < min(answers, default=0)]
    if not (answers and asked):
        raise NotFound("no_agent_answer_yet")
    return turns[asked[-1]].text, "\n\n".join(turns[at].text for at in answers)
