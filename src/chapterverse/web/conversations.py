"""The help desk (S5): conversations, and agents who go on with them."""

from http import HTTPStatus
from typing import Any

from flask import Response

from chapterverse import errors
from chapterverse.model import Collection, Conversation, KeyScope
from chapterverse.usecases.answers.answer import Claim
from chapterverse.usecases.answers.answer_json import claim_json
from chapterverse.usecases.helpdesk import handoff, talk
from chapterverse.usecases.helpdesk.desk_json import conversation_json, entry_json, reply_json
from chapterverse.web import helpdesk_schemas as schemas
from chapterverse.web import sse
from chapterverse.web.forms import accepted
from chapterverse.web.links import linked
from chapterverse.web.operations import PREFIX, Call, Topic

topic = Topic("Help desk")

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


@topic.operation("POST", "/conversations", KeyScope.STUDENT, success=HTTPStatus.CREATED)
def begin_conversation(call: Call, body: schemas.BeginRequest) -> schemas.Conversation:
    """Begin a conversation. Its id is all that is needed to go on with it: nobody can guess one."""
    begun = talk.begin(call.caller.school, body.user, call.parts.desk, body.department, body.names)
    return _told(begun)


@topic.operation("GET", "/conversations/{conversation}", KeyScope.STUDENT, errors.NotFound)
def conversation(call: Call, conversation: str) -> schemas.Conversation:
    """All that was said; also by an agent."""
    told = talk.find(call.caller.school, conversation, call.parts.desk)
    return _told(told)


@topic.operation("POST", "/conversations/{conversation}/messages", KeyScope.STUDENT, *MAY_RAISE, media=MEDIA)
def say(call: Call, conversation: str, body: schemas.MessageRequest) -> schemas.MessageReply | Response:
    """Ask. The answer rests on sources that are near enough; where there are none, it says so: no language model is asked. As
    JSON, or as server-sent events (`text/event-stream`)."""
    desk, school = call.parts.desk, call.caller.school
    talk.check_length(body.message, desk)
    told = talk.find(school, conversation, desk)
    call.parts.pace.take(school, told.user, told.id)
    parts = (_part(conversation, said) for said in talk.stream_reply(school, conversation, body.message, desk))
    if accepted(MEDIA) == sse.MEDIA_TYPE:
        return sse.as_stream(parts)
    *_, (_, reply) = parts
    return schemas.MessageReply.model_validate(reply)


def _part(conversation: str, said: Claim | talk.Reply) -> sse.Part:
    if isinstance(said, Claim):
        return "claim", _linked(claim_json(said))
    human = f"{PREFIX}/conversations/{conversation}/handoff"
    return "reply", _linked(reply_json(said)) | {"talk_to_human": human}


@topic.operation(
    "POST", "/conversations/{conversation}/handoff", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.ACCEPTED
)
def ask_for_agent(call: Call, conversation: str) -> schemas.Conversation:
    """Talk to Human: an agent finds the conversation in the inbox. Ask for the conversation again to see the answer."""
    told = handoff.ask_for_agent(call.caller.school, conversation, call.parts.desk)
    return _told(told)


@topic.operation("DELETE", "/conversations/{conversation}", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def forget_conversation(call: Call, conversation: str) -> None:
    """Forget it at once, with all that was said."""
    call.parts.desk.conversations.remove(call.caller.school, conversation)


@topic.operation("GET", "/handoffs", KeyScope.TEACHER)
def inbox(call: Call) -> schemas.Inbox:
    """Conversations that wait for an agent, longest first."""
    waiting = handoff.inbox(call.caller.school, call.parts.desk)
    return schemas.Inbox(conversations=[_told(told) for told in waiting])


@topic.operation("POST", "/conversations/{conversation}/replies", KeyScope.TEACHER, errors.NotFound)
def answer_as_agent(call: Call, conversation: str, body: schemas.ReplyRequest) -> schemas.Conversation:
    """Answer as an agent; the conversation waits no more."""
    told = handoff.answer_as_agent(call.caller.school, conversation, body.text, call.parts.desk)
    return _told(told)


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
    draft = handoff.draft_entry(call.caller.school, conversation, call.parts.desk)
    return schemas.Entry.model_validate(entry_json(draft))


def _told(told: Conversation) -> schemas.Conversation:
    return schemas.Conversation.model_validate(_linked(conversation_json(told)))


def _linked(told: dict[str, Any]) -> dict[str, Any]:
    return linked(told, Collection.HELPDESK)
