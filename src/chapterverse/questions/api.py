"""Routes of questions on documents (S2) and textbooks (S4), ratings and metrics of answers."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from flask import Response

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection
from chapterverse.core.hits import Scope
from chapterverse.essays.api import accepted
from chapterverse.questions import schemas
from chapterverse.questions.answers import Answer, Claim, Findings
from chapterverse.questions.compose import stream_answer
from chapterverse.questions.conversation import following
from chapterverse.questions.log import (
    AnswerStatistics,
    AnswerTimer,
    cases,
    figures_by_day,
    figures_by_intent,
    figures_of,
    give_thumb,
    note_answer,
    since,
)
from chapterverse.questions.model import GivenAnswer
from chapterverse.questions.records import ClaimRecord, document_answer, textbook_answer
from chapterverse.questions.service import ChatQuestion, ask_documents, find_sections
from chapterverse.web import sse
from chapterverse.web.context import CountsQueries
from chapterverse.web.operations import LINES, ApiTopic, Call, linked

answers_topic = ApiTopic("Answers")

CASES = {LINES: {"type": "string", "description": "A case a line: question, thumb, sentences that were cited, scores."}}


@answers_topic.operation("POST", "/answers/{answer}/thumbs", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def give_answer_a_thumb(call: Call, answer: str, body: schemas.ThumbRequest) -> None:
    """Say whether an answer helped. The question is kept only if it is sent along."""
    give_thumb(call.caller.school, answer, body.thumb, body.question, call.context.answers)


@answers_topic.operation("GET", "/answers/metrics", KeyScope.TEACHER)
def answer_metrics(call: Call, query: schemas.AnswersQuery) -> schemas.AnswerMetrics:
    """How near to the questions the answers' sources were, day by day, how many said nothing, and the thumbs."""
    given = _given(call, query)
    total = figures_of(given)
    days = [schemas.DayFigures(day=day, **_fields(figures)) for day, figures in figures_by_day(given)]
    intents = [schemas.IntentFigures(intent=each, **_fields(of_it)) for each, of_it in figures_by_intent(given).items()]
    figures, cache = schemas.AnswerFigures(**_fields(total)), _cache(call.context.asked)
    return schemas.AnswerMetrics(total=figures, days=days, intents=intents, doubtful=total.doubtful, query_cache=cache)


@answers_topic.operation("GET", "/answers/cases", KeyScope.TEACHER, media=CASES)
def answer_cases(call: Call, query: schemas.AnswersQuery) -> Response:
    """The questions that were handed in with a thumb, as cases for an evaluation."""
    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in cases(_given(call, query))]
    return Response("".join(lines), content_type=f"{LINES}; charset=utf-8")


def _cache(counted: CountsQueries | None) -> schemas.QueryCache | None:
    if counted is None:
        return None
    asked, hits = counted.requests, counted.hits
    return schemas.QueryCache(asked=asked, hits=hits, hit_rate=hits / asked if asked else None)


def _given(call: Call, query: schemas.AnswersQuery) -> list[GivenAnswer]:
    first = since(query.days, call.context.now())
    return call.context.answers.of_school(call.caller.school, first, query.application)


def _fields(figures: AnswerStatistics) -> dict[str, Any]:
    return {**asdict(figures), "low_share": figures.low_share}


documents_topic = ApiTopic("Documents")

NAME = Collection.DOCUMENTS.value

TO_LOOK = (errors.NotFound, errors.DimensionMismatch, errors.IndexUnavailable, errors.EmbedderUnavailable)


@documents_topic.operation("POST", "/documents/ask", KeyScope.STUDENT, *TO_LOOK, errors.BucketUnavailable)
def ask(call: Call, body: schemas.QuestionRequest) -> schemas.DocumentAnswer:
    """An answer from the documents, each of its sentences with the sentence that bears it, and how sure it is: high from cosine
    0.70, medium from 0.50; below that there is none. Nothing of the question is kept."""
    watch, parts = AnswerTimer(), call.context
    parts.limits.refuse_long(body.question)
    scope = Scope(call.caller.school, tuple(map(BookId, body.documents)), topics=tuple(body.topics))
    earlier = [one.told for one in body.earlier]
    answered = ask_documents(body.question, scope, parts.shelves[Collection.DOCUMENTS], parts.answering, earlier=earlier)
    id = note_answer(scope.school, NAME, answered.answer, answered.findings, log=parts.answers, now=parts.now(), watch=watch)
    return schemas.DocumentAnswer.model_validate(
        {**linked(document_answer(answered.answer, answered.findings), Collection.DOCUMENTS), "id": id}
    )


textbook_topic = ApiTopic("Textbooks")

TEXTBOOK_NAME = Collection.TEXTBOOK.value

MEDIA = {
    sse.MEDIA_TYPE: {
        "type": "string",
        "description": "Events `claim`, each as soon as it is checked (text, citations), and last `answer` (ChatAnswer).",
    }
}


@textbook_topic.operation(
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
    watch = AnswerTimer()
    asked, scope = _asked(call, body), _scope(call, body)
    shelf = call.context.shelves[Collection.TEXTBOOK]
    plan = call.context.chat
    findings = find_sections(asked, scope, shelf, plan)
    for said in stream_answer(asked.to_be_answered, findings, plan.style, scope.school, call.context.answering):
        yield _noted(said, findings, watch, call) if isinstance(said, Answer) else _claim(said)


def _scope(call: Call, body: schemas.ChatRequest) -> Scope:
    return Scope(call.caller.school, tuple(map(BookId, body.textbooks)), topics=tuple(body.topics))


def _asked(call: Call, body: schemas.ChatRequest) -> ChatQuestion:
    call.context.limits.refuse_long(body.question)
    shelf, earlier = call.context.shelves[Collection.TEXTBOOK], [one.told for one in body.earlier]
    after = following(body.question, earlier, call.caller.school, shelf, call.context.answering)
    return ChatQuestion(body.question, body.selected_text, after)


def _claim(claim: Claim) -> sse.Part:
    return "claim", linked(ClaimRecord.of(claim).model_dump(), Collection.TEXTBOOK)


def _noted(answer: Answer, findings: Findings, watch: AnswerTimer, call: Call) -> sse.Part:
    """The whole answer, its figures kept."""
    log, now = call.context.answers, call.context.now()
    id = note_answer(call.caller.school, TEXTBOOK_NAME, answer, findings, log=log, now=now, watch=watch)
    return "answer", {"id": id, **linked(textbook_answer(answer, findings), Collection.TEXTBOOK)}
