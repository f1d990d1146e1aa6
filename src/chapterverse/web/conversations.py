"""The help desk (S5): conversations."""

from http import HTTPStatus
from typing import Any

from flask import Response

from chapterverse import errors
from chapterverse.errors import BadRequest, NotFound
from chapterverse.model import Collection, Conversation, KeyScope, Turn
from chapterverse.usecases.answers.answer import Claim
from chapterverse.usecases.answers.answer_json import claim_json
from chapterverse.usecases.api_keys import as_wide
from chapterverse.usecases.helpdesk import handoff, talk
from chapterverse.usecases.helpdesk.desk_json import conversation_json, replied_json, reply_json, summary_json
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


@topic.operation("POST", "/conversations", KeyScope.STUDENT, BadRequest, success=HTTPStatus.CREATED)
def begin_conversation(call: Call, body: schemas.BeginRequest) -> schemas.Conversation:
    """Begin a conversation. A program needs only its id to go on with it: nobody can guess one. One that is begun by somebody
    who is signed in is theirs alone, until they ask for an agent."""
    user = call.caller.person or body.user
    if not user:
        raise BadRequest("conversation_without_user")
    names = [*body.names, *filter(None, [call.caller.name])]
    return told_as(talk.begin(call.caller.school, user, call.parts.desk, body.department, names))


@topic.operation("GET", "/conversations", KeyScope.STUDENT, BadRequest)
def conversations(call: Call) -> schemas.Summaries:
    """Those of whoever is signed in, newest first. Not with a key: a program keeps the ids itself."""
    if call.caller.person is None:
        raise BadRequest("conversations_of_signed_in_only")
    own = talk.all_of(call.caller.school, call.caller.person, call.parts.desk)
    return schemas.Summaries(conversations=[schemas.Summary.model_validate(summary_json(told)) for told in own])


@topic.operation("GET", "/conversations/{conversation}", KeyScope.STUDENT, errors.NotFound)
def conversation(call: Call, conversation: str, query: schemas.SinceQuery) -> schemas.Conversation:
    """What was said; also by an agent."""
    return told_as(found(call, conversation), query.after)


@topic.operation("POST", "/conversations/{conversation}/messages", KeyScope.STUDENT, *MAY_RAISE, media=MEDIA)
def say(call: Call, conversation: str, body: schemas.MessageRequest) -> schemas.MessageReply | Response:
    """Ask. The answer rests on sources that are near enough; where there are none, it says so: no language model is asked.
    While a person has the conversation, nothing is answered: ask for the conversation again. As JSON, or as server-sent
    events (`text/event-stream`)."""
    desk, school = call.parts.desk, call.caller.school
    talk.check_length(body.message, desk)
    told = found(call, conversation, own=True)
    call.parts.pace.take(school, told.user, told.id)
    said = talk.stream_reply(school, conversation, body.message, desk, body.message_id)
    parts = (_part(conversation, each) for each in said)
    if accepted(MEDIA) == sse.MEDIA_TYPE:
        return sse.as_stream(parts)
    *_, (_, reply) = parts
    return schemas.MessageReply.model_validate(reply)


def _part(conversation: str, said: Claim | talk.Reply | Turn) -> sse.Part:
    if isinstance(said, Claim):
        return "claim", _linked(claim_json(said))
    told = replied_json(said) if isinstance(said, Turn) else reply_json(said)
    return "reply", _linked(told) | {"talk_to_human": f"{PREFIX}/conversations/{conversation}/handoff"}


@topic.operation(
    "POST", "/conversations/{conversation}/handoff", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.ACCEPTED
)
def ask_for_agent(call: Call, conversation: str, body: schemas.HandOffRequest | None = None) -> schemas.Conversation:
    """Talk to Human: an agent finds the conversation in the inbox. Ask for the conversation again to see the answer."""
    said = body or schemas.HandOffRequest()
    found(call, conversation, own=True)
    return told_as(handoff.ask_for_agent(call.caller.school, conversation, call.parts.desk, said.remark, said.message_id))


@topic.operation("DELETE", "/conversations/{conversation}", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def forget_conversation(call: Call, conversation: str) -> None:
    """Forget it at once, with all that was said."""
    found(call, conversation, own=True)
    call.parts.desk.conversations.remove(call.caller.school, conversation)


def found(call: Call, id: str, *, own: bool = False) -> Conversation:
    """The conversation, where it is the caller's to see: a program is trusted with ids; a person sees their own, and an agent
    what was handed over. own: only what they lead. Raises NotFound, CatalogUnavailable."""
    told, person = talk.find(call.caller.school, id, call.parts.desk), call.caller.person
    is_agent = as_wide(call.caller.role, KeyScope.TEACHER) and told.hand_off and not own
    if person and told.user != person and not is_agent:
        raise NotFound("no_such_conversation")
    return told


def told_as(told: Conversation, after: int = 0) -> schemas.Conversation:
    """As JSON, without the first `after` turns."""
    facts = conversation_json(told)
    kept = {"turns": facts["turns"][after:], "messages": len(told.turns)}
    return schemas.Conversation.model_validate(_linked(facts | kept))


def _linked(told: dict[str, Any]) -> dict[str, Any]:
    return linked(told, Collection.HELPDESK)
