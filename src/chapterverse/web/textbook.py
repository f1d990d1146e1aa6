"""Questions to the school's textbooks (S4)."""

from collections.abc import Iterator

from flask import Response

from chapterverse import errors
from chapterverse.model import BookId, Collection, KeyScope, Scope
from chapterverse.usecases.answer_log import Watch, note_answer
from chapterverse.usecases.answers.answer import Answer, Claim
from chapterverse.usecases.answers.answer_json import claim_json
from chapterverse.usecases.answers.compose import stream_answer
from chapterverse.usecases.answers.sources import Findings
from chapterverse.usecases.conversations.following import following
from chapterverse.usecases.textbook_chat import ChatQuestion, find_sections
from chapterverse.usecases.textbook_json import chat_json
from chapterverse.web import sse
from chapterverse.web import textbook_schemas as schemas
from chapterverse.web.forms import accepted
from chapterverse.web.links import linked
from chapterverse.web.operations import Call, Topic

topic = Topic("Textbooks")

NAME = Collection.TEXTBOOK.value
MEDIA = {
    sse.MEDIA_TYPE: {
        "type": "string",
        "description": "Events `claim`, each as soon as it is checked (text, citations), and last `answer` (ChatAnswer).",
    }
}


@topic.operation(
    "POST",
    "/textbook/chat",
    KeyScope.STUDENT,
    errors.NotFound,
    errors.DimensionMismatch,
    errors.IndexUnavailable,
    errors.EmbedderUnavailable,
    errors.BucketUnavailable,
    media=MEDIA,
)
def textbook_chat(call: Call, body: schemas.ChatRequest) -> schemas.ChatAnswer | Response:
    """An answer from the textbooks that cites sections with their links, or that there is none and which sections are near: as
    JSON, or as server-sent events (`text/event-stream`). Nothing of the question is kept."""
    parts = _parts(call, body)
    if accepted(MEDIA) == sse.MEDIA_TYPE:
        return sse.as_stream(parts)
    *_, (_, answer) = parts
    return schemas.ChatAnswer.model_validate(answer)


def _parts(call: Call, body: schemas.ChatRequest) -> Iterator[sse.Part]:
    watch = Watch()
    asked, scope = _asked(call, body), _scope(call, body)
    shelf = call.parts.shelves[Collection.TEXTBOOK]
    plan = call.parts.chat
    findings = find_sections(asked, scope, shelf, plan)
    for said in stream_answer(asked.to_be_answered, findings, plan.style, scope.school, call.parts.answering):
        yield _noted(said, findings, watch, call) if isinstance(said, Answer) else _claim(said)


def _scope(call: Call, body: schemas.ChatRequest) -> Scope:
    return Scope(call.caller.school, tuple(map(BookId, body.textbooks)), topics=tuple(body.topics))


def _asked(call: Call, body: schemas.ChatRequest) -> ChatQuestion:
    call.parts.figures.refuse_long(body.question)
    shelf, earlier = call.parts.shelves[Collection.TEXTBOOK], [one.told for one in body.earlier]
    after = following(body.question, earlier, call.caller.school, shelf, call.parts.answering)
    return ChatQuestion(body.question, body.selected_text, after)


def _claim(claim: Claim) -> sse.Part:
    return "claim", linked(claim_json(claim), Collection.TEXTBOOK)


def _noted(answer: Answer, findings: Findings, watch: Watch, call: Call) -> sse.Part:
    """The whole answer, its figures kept."""
    log, now = call.parts.answers, call.parts.now()
    id = note_answer(call.caller.school, NAME, answer, findings, log=log, now=now, watch=watch)
    return "answer", {"id": id, **linked(chat_json(answer, findings), Collection.TEXTBOOK)}
