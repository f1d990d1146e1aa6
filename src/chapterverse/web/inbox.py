"""The help desk's agents (S5): who takes a conversation, answers in it, and makes an entry of the answer."""

from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import Agent, KeyScope
from chapterverse.usecases.api_keys import as_wide
from chapterverse.usecases.helpdesk import handoff, resolved
from chapterverse.usecases.helpdesk.desk_json import entry_json, summary_json
from chapterverse.web import helpdesk_schemas as schemas
from chapterverse.web.conversations import found, told_as
from chapterverse.web.operations import Call, Topic

topic = Topic("Help desk's agents")

MAY_RAISE = (errors.NotFound, errors.TakenByAnother)


@topic.operation("GET", "/handoffs", KeyScope.TEACHER)
def inbox(call: Call) -> schemas.Inbox:
    """Conversations that wait for an agent, longest first."""
    waiting = handoff.inbox(call.caller.school, call.parts.desk)
    return schemas.Inbox(conversations=[told_as(told) for told in waiting])


@topic.operation("GET", "/inbox", KeyScope.TEACHER)
def handed_over(call: Call, query: schemas.StateQuery) -> schemas.Summaries:
    """The same in a few words each: those that wait, that an agent has, or that are closed."""
    listed = handoff.inbox(call.caller.school, call.parts.desk, query.state)
    told = [schemas.Summary.model_validate(summary_json(each, _agent(call).id)) for each in listed]
    return schemas.Summaries(conversations=told)


@topic.operation("PUT", "/conversations/{conversation}/agent", KeyScope.TEACHER, *MAY_RAISE)
def take_conversation(call: Call, conversation: str) -> schemas.Conversation:
    """Take it: the assistant is silent until it is closed or put back, and no other agent can take it."""
    found(call, conversation)
    return told_as(handoff.take(call.caller.school, conversation, _agent(call), call.parts.desk))


@topic.operation("DELETE", "/conversations/{conversation}/agent", KeyScope.TEACHER, *MAY_RAISE)
def put_conversation_back(call: Call, conversation: str) -> schemas.Conversation:
    """Put it back: it waits for anybody. An admin may put back what somebody else has."""
    found(call, conversation)
    any_ = as_wide(call.caller.role, KeyScope.ADMIN)
    return told_as(handoff.put_back(call.caller.school, conversation, _agent(call), call.parts.desk, of_anybody=any_))


@topic.operation("POST", "/conversations/{conversation}/replies", KeyScope.TEACHER, *MAY_RAISE)
def answer_as_agent(call: Call, conversation: str, body: schemas.ReplyRequest) -> schemas.Conversation:
    """Answer as an agent; the conversation waits no more."""
    found(call, conversation)
    said, desk = body.text, call.parts.desk
    return told_as(handoff.answer_as_agent(call.caller.school, conversation, said, desk, _agent(call), text_id=body.message_id))


@topic.operation("PUT", "/conversations/{conversation}/closed", KeyScope.TEACHER, *MAY_RAISE)
def close_conversation(call: Call, conversation: str) -> schemas.Conversation:
    """Done with: the assistant answers again."""
    found(call, conversation)
    return told_as(handoff.close(call.caller.school, conversation, _agent(call), call.parts.desk))


@topic.operation(
    "POST",
    "/conversations/{conversation}/entry",
    KeyScope.TEACHER,
    errors.NotFound,
    errors.ModelUnavailable,
    success=HTTPStatus.CREATED,
)
def draft_entry(call: Call, conversation: str) -> schemas.Entry:
    """Make a draft of what was asked and an agent answered, without who is who. Read it, change it, then approve it."""
    found(call, conversation)
    return schemas.Entry.model_validate(entry_json(resolved.draft_entry(call.caller.school, conversation, call.parts.desk)))


def _agent(call: Call) -> Agent:
    """Whoever is signed in, or the program with the key."""
    return Agent(call.caller.person or f"key {call.caller.id}", call.caller.name)
