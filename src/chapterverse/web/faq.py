"""Questions that are answered once and for all: drafts, and those that the help desk finds."""

from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import FaqEntry, KeyScope
from chapterverse.usecases.helpdesk import faq as desk_faq
from chapterverse.usecases.helpdesk.desk_json import entry_json
from chapterverse.web import helpdesk_schemas as schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Questions and answers")

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


@topic.operation("DELETE", "/faq/{entry}", KeyScope.TEACHER, *INDEXING, success=HTTPStatus.NO_CONTENT)
def remove_entry(call: Call, entry: str) -> None:
    """Forget it; it is found no more."""
    desk_faq.remove_entry(call.caller.school, entry, call.parts.desk)


def _wording(body: schemas.EntryRequest) -> desk_faq.Wording:
    return desk_faq.Wording(body.question, body.answer, body.department)


def _told(entry: FaqEntry) -> schemas.Entry:
    return schemas.Entry.model_validate(entry_json(entry))
