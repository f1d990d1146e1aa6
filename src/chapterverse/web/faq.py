"""Questions that are answered once and for all: drafts, and those that the help desk finds."""

import json
from http import HTTPStatus

from flask import request

from chapterverse import errors
from chapterverse.model import FaqEntry, KeyScope
from chapterverse.usecases.helpdesk import faq as desk_faq
from chapterverse.usecases.helpdesk import imports
from chapterverse.usecases.helpdesk.desk_json import entry_json
from chapterverse.usecases.helpdesk.imports import AsImported
from chapterverse.web import helpdesk_schemas as schemas
from chapterverse.web.desk_documents import OF_DEPARTMENT, department_in_form
from chapterverse.web.handed_in import form_of, sent_file
from chapterverse.web.operations import Call, Topic

topic = Topic("Questions and answers")

MOST_AT_ONCE = 500  # entries of a list: redacted and embedded while the request waits, seconds
MOST_BYTES = 16 * 2**20
YES_OR_NO = {"type": "string", "enum": ["true", "false"]}
LIST = form_of(department=OF_DEPARTMENT, tickets=YES_OR_NO, approved=YES_OR_NO)
INDEXING = (
    errors.NotFound,
    errors.TooLarge,
    errors.BadBook,
    errors.BookBusy,
    errors.ModelUnavailable,
    errors.IndexUnavailable,
    errors.EmbedderUnavailable,
    errors.BucketUnavailable,
)


@topic.operation("GET", "/faq", KeyScope.TEACHER)
def entries(call: Call, query: schemas.EntriesQuery) -> schemas.Entries:
    """The school's entries, oldest first."""
    found = call.parts.desk.faq.of_school(call.caller.school, approved=query.approved)
    return schemas.Entries(entries=[schemas.Entry.model_validate(entry_json(each)) for each in found])


@topic.operation("POST", "/faq", KeyScope.TEACHER, errors.BadBook, success=HTTPStatus.CREATED)
def add_entry(call: Call, body: schemas.EntryRequest) -> schemas.Entry:
    """Add a draft. Nobody finds it before it is approved."""
    return _told(desk_faq.add_entry(call.caller.school, _wording(body), call.parts.desk))


@topic.operation("POST", "/faq/lists", KeyScope.TEACHER, *INDEXING, takes=LIST)
def import_entries(call: Call, body: schemas.ListRequest | None = None) -> schemas.ImportedEntries:
    """Take in a list of questions and answers, or of tickets that were answered: as JSON, or as a form with a file, JSON or
    CSV; at most 500 at once. They are drafts unless the list is approved. Each takes the place of that of its type and id."""
    data, how = _as_list(body) if body else _list_in_form()
    done = imports.import_entries(data, call.caller.school, how, call.parts.desk)
    return schemas.ImportedEntries(
        added=len(done.added),
        changed=len(done.changed),
        unchanged=len(done.unchanged),
        entries=[_told(each) for each in done.entries],
    )


@topic.operation("PUT", "/faq/approval", KeyScope.TEACHER, *INDEXING)
def approve_entries(call: Call, body: schemas.EntriesApproval) -> schemas.Entries:
    """Let several be found, or no more, all at once."""
    changed = desk_faq.approve_entries(call.caller.school, body.entries, body.approved, call.parts.desk)
    return schemas.Entries(entries=[_told(each) for each in changed])


@topic.operation("GET", "/faq/{entry}", KeyScope.TEACHER, errors.NotFound)
def entry(call: Call, entry: str) -> schemas.Entry:
    """One entry."""
    return _told(call.parts.desk.faq.find(call.caller.school, entry))


@topic.operation("PUT", "/faq/{entry}", KeyScope.TEACHER, *INDEXING)
def change_entry(call: Call, entry: str, body: schemas.EntryRequest) -> schemas.Entry:
    """Change what it says. It is a draft again, and found no more until it is approved."""
    return _told(desk_faq.change_entry(call.caller.school, entry, _wording(body), call.parts.desk))


@topic.operation("PUT", "/faq/{entry}/approval", KeyScope.TEACHER, *INDEXING)
def approve_entry(call: Call, entry: str, body: schemas.EntryApproval) -> schemas.Entry:
    """Let it be found, or no more. Where that failed, say it again."""
    return _told(desk_faq.approve_entry(call.caller.school, entry, body.approved, call.parts.desk))


@topic.operation("PUT", "/faq/{entry}/archive", KeyScope.TEACHER, *INDEXING)
def archive_entry(call: Call, entry: str, body: schemas.EntryArchive) -> schemas.Entry:
    """Put it aside, found no more; or take it out again, as a draft."""
    return _told(desk_faq.archive_entry(call.caller.school, entry, body.archived, call.parts.desk))


@topic.operation("DELETE", "/faq/{entry}", KeyScope.TEACHER, *INDEXING, success=HTTPStatus.NO_CONTENT)
def remove_entry(call: Call, entry: str) -> None:
    """Forget it; it is found no more."""
    desk_faq.remove_entry(call.caller.school, entry, call.parts.desk)


def _as_list(body: schemas.ListRequest) -> tuple[bytes, AsImported]:
    entries = [entry.model_dump(mode="json", exclude_none=True) for entry in body.entries]
    return json.dumps(entries).encode(), AsImported(body.department, body.tickets, body.approved, MOST_AT_ONCE)


def _list_in_form() -> tuple[bytes, AsImported]:
    _, data = sent_file(MOST_BYTES)
    tickets, approved = (request.form.get(name, "").lower() in {"true", "1", "yes", "on"} for name in ("tickets", "approved"))
    return data, AsImported(department_in_form(), tickets, approved, MOST_AT_ONCE)


def _wording(body: schemas.EntryRequest) -> desk_faq.Wording:
    return desk_faq.Wording(body.question, body.answer, body.department)


def _told(entry: FaqEntry) -> schemas.Entry:
    return schemas.Entry.model_validate(entry_json(entry))
