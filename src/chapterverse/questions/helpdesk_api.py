"""Routes of the help desk (S5): conversations, FAQ entries, agents."""

import json
from http import HTTPStatus
from typing import Any

from flask import Response, request

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.essays.api import accepted
from chapterverse.library.api import DEPARTMENT_FIELD, department_in_form, form_of, sent_file
from chapterverse.questions import faq as desk_faq
from chapterverse.questions import faq as imports
from chapterverse.questions import faq as resolved
from chapterverse.questions import helpdesk, helpdesk_schemas, records
from chapterverse.questions.answers import Claim
from chapterverse.questions.faq import ImportOptions
from chapterverse.questions.helpdesk_schemas import Departments
from chapterverse.questions.model import Agent, Conversation, FaqEntry, Turn
from chapterverse.questions.records import AnswerRecord, ClaimRecord, ConversationRecord, answer_of
from chapterverse.web import sse
from chapterverse.web.operations import PREFIX, ApiTopic, Call, linked

conversations_topic = ApiTopic("Help desk")

MEDIA = {
    sse.MEDIA_TYPE: {
        "type": "string",
        "description": "Events `claim`, each as soon as it is checked (text, citations), and last `reply` (MessageReply).",
    }
}

MAY_RAISE = (
    errors.NotFound,
    errors.DimensionMismatch,
    errors.ModelUnavailable,
    errors.IndexUnavailable,
    errors.EmbedderUnavailable,
    errors.BucketUnavailable,
)


@conversations_topic.operation("POST", "/conversations", KeyScope.STUDENT, BadRequest, success=HTTPStatus.CREATED)
def begin_conversation(call: Call, body: helpdesk_schemas.BeginRequest) -> helpdesk_schemas.ConversationBody:
    """Begin a conversation. A program needs only its id to go on with it: nobody can guess one. One that is begun by somebody
    who is signed in is theirs alone, until they ask for an agent."""
    user = call.caller.person or body.user
    if not user:
        raise BadRequest("conversation_without_user")
    names = [*body.names, *filter(None, [call.caller.name])]
    return told_as(helpdesk.begin(call.caller.school, user, call.context.helpdesk, body.department, names))


@conversations_topic.operation("GET", "/conversations", KeyScope.STUDENT, BadRequest)
def conversations(call: Call) -> helpdesk_schemas.ConversationSummaries:
    """Those of whoever is signed in, newest first. Not with a key: a program keeps the ids itself."""
    if call.caller.person is None:
        raise BadRequest("conversations_of_signed_in_only")
    own = helpdesk.all_of(call.caller.school, call.caller.person, call.context.helpdesk)
    return helpdesk_schemas.ConversationSummaries(
        conversations=[helpdesk_schemas.ConversationSummary.model_validate(told) for told in own]
    )


@conversations_topic.operation("GET", "/conversations/{conversation}", KeyScope.STUDENT, errors.NotFound)
def conversation(call: Call, conversation: str, query: helpdesk_schemas.SinceQuery) -> helpdesk_schemas.ConversationBody:
    """What was said; also by an agent."""
    return told_as(found(call, conversation), query.after)


@conversations_topic.operation("POST", "/conversations/{conversation}/messages", KeyScope.STUDENT, *MAY_RAISE, media=MEDIA)
def say(call: Call, conversation: str, body: helpdesk_schemas.MessageRequest) -> helpdesk_schemas.MessageReply | Response:
    """Ask. The answer rests on sources that are near enough; where there are none, it says so: no language model is asked.
    While a person has the conversation, nothing is answered: ask for the conversation again. As JSON, or as server-sent
    events (`text/event-stream`)."""
    desk, school = call.context.helpdesk, call.caller.school
    helpdesk.check_length(body.message, desk)
    told = found(call, conversation, own=True)
    call.context.pace.take(school, told.user, told.id)
    said = helpdesk.stream_reply(school, conversation, body.message, desk, body.message_id)
    parts = (_part(conversation, each) for each in said)
    if accepted(MEDIA) == sse.MEDIA_TYPE:
        return sse.as_stream(parts)
    *_, (_, reply) = parts
    return helpdesk_schemas.MessageReply.model_validate(reply)


def _part(conversation: str, said: Claim | helpdesk.Reply | Turn) -> sse.Part:
    if isinstance(said, Claim):
        return "claim", _linked(ClaimRecord.of(said).model_dump())
    told = _reply(said)
    return "reply", _linked(told) | {"talk_to_human": f"{PREFIX}/conversations/{conversation}/handoff"}


def _reply(said: helpdesk.Reply | Turn) -> dict[str, Any]:
    """A new answer, or the stored one of a message that came again."""
    if isinstance(said, helpdesk.Reply):
        return records.reply(said.id, AnswerRecord.of(said.answer), with_agent=said.held)
    stored = answer_of(said)
    assert stored  # noqa: S101  # an assistant's turn
    return records.reply(said.id or "", stored)


@conversations_topic.operation(
    "POST", "/conversations/{conversation}/handoff", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.ACCEPTED
)
def ask_for_agent(
    call: Call, conversation: str, body: helpdesk_schemas.HandOffRequest | None = None
) -> helpdesk_schemas.ConversationBody:
    """Talk to Human: an agent finds the conversation in the inbox. Ask for the conversation again to see the answer."""
    said = body or helpdesk_schemas.HandOffRequest()
    found(call, conversation, own=True)
    return told_as(
        helpdesk.ask_for_agent(call.caller.school, conversation, call.context.helpdesk, said.remark, said.message_id)
    )


@conversations_topic.operation(
    "DELETE", "/conversations/{conversation}", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT
)
def forget_conversation(call: Call, conversation: str) -> None:
    """Forget it at once, with all that was said."""
    found(call, conversation, own=True)
    call.context.helpdesk.conversations.remove(call.caller.school, conversation)


def found(call: Call, id: str, *, own: bool = False) -> Conversation:
    """The conversation, where it is the caller's to see: a program is trusted with ids; a person sees their own, and an agent
    what was handed over. own: only what they lead. Raises NotFound, CatalogUnavailable."""
    told, person = helpdesk.find(call.caller.school, id, call.context.helpdesk), call.caller.person
    is_agent = as_wide(call.caller.role, KeyScope.TEACHER) and told.hand_off and not own
    if person and told.user != person and not is_agent:
        raise NotFound("no_such_conversation")
    return told


def told_as(told: Conversation, after: int = 0) -> helpdesk_schemas.ConversationBody:
    """As JSON, without the first `after` turns."""
    facts = ConversationRecord.model_validate(told).model_dump()
    kept = {"turns": facts["turns"][after:], "messages": told.messages}
    return helpdesk_schemas.ConversationBody.model_validate(_linked(facts | kept))


def _linked(told: dict[str, Any]) -> dict[str, Any]:
    return linked(told, Collection.HELPDESK)


departments_topic = ApiTopic("Help desk's departments")


@departments_topic.operation("GET", "/helpdesk/departments", KeyScope.STUDENT)
def departments(call: Call) -> Departments:
    """The departments that have sources of their own."""
    return Departments(departments=call.context.helpdesk.departments(call.caller.school))


faq_topic = ApiTopic("Questions and answers")

MOST_AT_ONCE = 500  # entries of a list: redacted and embedded while the request waits, seconds

MOST_BYTES = 16 * 2**20

YES_OR_NO = {"type": "string", "enum": ["true", "false"]}

LIST = form_of(department=DEPARTMENT_FIELD, tickets=YES_OR_NO, approved=YES_OR_NO)

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


@faq_topic.operation("GET", "/faq", KeyScope.TEACHER)
def entries(call: Call, query: helpdesk_schemas.EntriesQuery) -> helpdesk_schemas.Entries:
    """The school's entries, oldest first."""
    found = call.context.helpdesk.faq.of_school(call.caller.school, approved=query.approved)
    return helpdesk_schemas.Entries(entries=[_told(each) for each in found])


@faq_topic.operation("POST", "/faq", KeyScope.TEACHER, errors.BadBook, success=HTTPStatus.CREATED)
def add_entry(call: Call, body: helpdesk_schemas.EntryRequest) -> helpdesk_schemas.Entry:
    """Add a draft. Nobody finds it before it is approved."""
    return _told(desk_faq.add_entry(call.caller.school, _wording(body), call.context.helpdesk))


@faq_topic.operation("POST", "/faq/lists", KeyScope.TEACHER, *INDEXING, takes=LIST)
def import_entries(call: Call, body: helpdesk_schemas.ListRequest | None = None) -> helpdesk_schemas.ImportedEntries:
    """Take in a list of questions and answers, or of tickets that were answered: as JSON, or as a form with a file, JSON or
    CSV; at most 500 at once. They are drafts unless the list is approved. Each takes the place of that of its type and id."""
    data, how = _as_list(body) if body else _list_in_form()
    done = imports.import_entries(data, call.caller.school, how, call.context.helpdesk)
    return helpdesk_schemas.ImportedEntries(
        added=len(done.added),
        changed=len(done.changed),
        unchanged=len(done.unchanged),
        entries=[_told(each) for each in done.entries],
    )


@faq_topic.operation("PUT", "/faq/approval", KeyScope.TEACHER, *INDEXING)
def approve_entries(call: Call, body: helpdesk_schemas.EntriesApproval) -> helpdesk_schemas.Entries:
    """Let several be found, or no more, all at once."""
    changed = desk_faq.approve_entries(call.caller.school, body.entries, body.approved, call.context.helpdesk)
    return helpdesk_schemas.Entries(entries=[_told(each) for each in changed])


@faq_topic.operation("GET", "/faq/{entry}", KeyScope.TEACHER, errors.NotFound)
def entry(call: Call, entry: str) -> helpdesk_schemas.Entry:
    """One entry."""
    return _told(call.context.helpdesk.faq.find(call.caller.school, entry))


@faq_topic.operation("PUT", "/faq/{entry}", KeyScope.TEACHER, *INDEXING)
def change_entry(call: Call, entry: str, body: helpdesk_schemas.EntryRequest) -> helpdesk_schemas.Entry:
    """Change what it says. It is a draft again, and found no more until it is approved."""
    return _told(desk_faq.change_entry(call.caller.school, entry, _wording(body), call.context.helpdesk))


@faq_topic.operation("PUT", "/faq/{entry}/approval", KeyScope.TEACHER, *INDEXING)
def approve_entry(call: Call, entry: str, body: helpdesk_schemas.EntryApproval) -> helpdesk_schemas.Entry:
    """Let it be found, or no more. Where that failed, say it again."""
    return _told(desk_faq.approve_entry(call.caller.school, entry, body.approved, call.context.helpdesk))


@faq_topic.operation("PUT", "/faq/{entry}/archive", KeyScope.TEACHER, *INDEXING)
def archive_entry(call: Call, entry: str, body: helpdesk_schemas.EntryArchive) -> helpdesk_schemas.Entry:
    """Put it aside, found no more; or take it out again, as a draft."""
    return _told(desk_faq.archive_entry(call.caller.school, entry, body.archived, call.context.helpdesk))


@faq_topic.operation("DELETE", "/faq/{entry}", KeyScope.TEACHER, *INDEXING, success=HTTPStatus.NO_CONTENT)
def remove_entry(call: Call, entry: str) -> None:
    """Forget it; it is found no more."""
    desk_faq.remove_entry(call.caller.school, entry, call.context.helpdesk)


def _as_list(body: helpdesk_schemas.ListRequest) -> tuple[bytes, ImportOptions]:
    entries = [entry.model_dump(mode="json", exclude_none=True) for entry in body.entries]
    return json.dumps(entries).encode(), ImportOptions(body.department, body.tickets, body.approved, MOST_AT_ONCE)


def _list_in_form() -> tuple[bytes, ImportOptions]:
    _, data = sent_file(MOST_BYTES)
    tickets, approved = (request.form.get(name, "").lower() in {"true", "1", "yes", "on"} for name in ("tickets", "approved"))
    return data, ImportOptions(department_in_form(), tickets, approved, MOST_AT_ONCE)


def _wording(body: helpdesk_schemas.EntryRequest) -> desk_faq.EntryText:
    return desk_faq.EntryText(body.question, body.answer, body.department)


def _told(entry: FaqEntry) -> helpdesk_schemas.Entry:
    return helpdesk_schemas.Entry.model_validate(entry)


inbox_topic = ApiTopic("Help desk's agents")

INBOX_MAY_RAISE = (errors.NotFound, errors.TakenByAnother)


@inbox_topic.operation("GET", "/handoffs", KeyScope.TEACHER)
def inbox(call: Call) -> helpdesk_schemas.ConversationList:
    """Conversations that wait for an agent, longest first."""
    waiting = helpdesk.inbox(call.caller.school, call.context.helpdesk)
    return helpdesk_schemas.ConversationList(conversations=[told_as(told) for told in waiting])


@inbox_topic.operation("GET", "/inbox", KeyScope.TEACHER)
def handed_over(call: Call, query: helpdesk_schemas.StateQuery) -> helpdesk_schemas.ConversationSummaries:
    """The same in a few words each: those that wait, that an agent has, or that are closed."""
    listed = helpdesk.inbox(call.caller.school, call.context.helpdesk, query.state)
    agent = _agent(call).id
    told = [(each, helpdesk_schemas.ConversationSummary.model_validate(each)) for each in listed]
    mine = [each.model_copy(update={"mine": bool(of.agent and of.agent.id == agent)}) for of, each in told]
    return helpdesk_schemas.ConversationSummaries(conversations=mine)


@inbox_topic.operation("PUT", "/conversations/{conversation}/agent", KeyScope.TEACHER, *INBOX_MAY_RAISE)
def take_conversation(call: Call, conversation: str) -> helpdesk_schemas.ConversationBody:
    """Take it: the assistant is silent until it is closed or put back, and no other agent can take it."""
    found(call, conversation)
    return told_as(helpdesk.take(call.caller.school, conversation, _agent(call), call.context.helpdesk))


@inbox_topic.operation("DELETE", "/conversations/{conversation}/agent", KeyScope.TEACHER, *INBOX_MAY_RAISE)
def put_conversation_back(call: Call, conversation: str) -> helpdesk_schemas.ConversationBody:
    """Put it back: it waits for anybody. An admin may put back what somebody else has."""
    found(call, conversation)
    any_ = as_wide(call.caller.role, KeyScope.ADMIN)
    return told_as(helpdesk.put_back(call.caller.school, conversation, _agent(call), call.context.helpdesk, of_anybody=any_))


@inbox_topic.operation("POST", "/conversations/{conversation}/replies", KeyScope.TEACHER, *INBOX_MAY_RAISE)
def answer_as_agent(call: Call, conversation: str, body: helpdesk_schemas.ReplyRequest) -> helpdesk_schemas.ConversationBody:
    """Answer as an agent; the conversation waits no more."""
    found(call, conversation)
    said, desk = body.text, call.context.helpdesk
    return told_as(
        helpdesk.answer_as_agent(call.caller.school, conversation, said, desk, _agent(call), text_id=body.message_id)
    )


@inbox_topic.operation("PUT", "/conversations/{conversation}/closed", KeyScope.TEACHER, *INBOX_MAY_RAISE)
def close_conversation(call: Call, conversation: str) -> helpdesk_schemas.ConversationBody:
    """Done with: the assistant answers again."""
    found(call, conversation)
    return told_as(helpdesk.close(call.caller.school, conversation, _agent(call), call.context.helpdesk))


@inbox_topic.operation(
    "POST",
    "/conversations/{conversation}/entry",
    KeyScope.TEACHER,
    errors.NotFound,
    errors.ModelUnavailable,
    success=HTTPStatus.CREATED,
)
def draft_entry(call: Call, conversation: str) -> helpdesk_schemas.Entry:
    """Make a draft of what was asked and an agent answered, without who is who. Read it, change it, then approve it."""
    found(call, conversation)
    return _told(resolved.draft_entry(call.caller.school, conversation, call.context.helpdesk))


def _agent(call: Call) -> Agent:
    """Whoever is signed in, or the program with the key."""
    return Agent(call.caller.person or f"key {call.caller.id}", call.caller.name)
