"""What users think of answers, and how answers come out: of documents, the textbook, the helpdesk."""

import json
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from flask import Response

from chapterverse import errors
from chapterverse.model import GivenAnswer, KeyScope
from chapterverse.usecases.answer_log import Figures, cases, figures_by_day, figures_by_intent, figures_of, give_thumb, since
from chapterverse.web import document_schemas as schemas
from chapterverse.web.operations import LINES, Call, Topic
from chapterverse.web.parts import CountsQueries

topic = Topic("Answers")

CASES = {LINES: {"type": "string", "description": "A case a line: question, thumb, sentences that were cited, scores."}}


@topic.operation("POST", "/answers/{answer}/thumbs", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def give_answer_a_thumb(call: Call, answer: str, body: schemas.ThumbRequest) -> None:
    """Say whether an answer helped. The question is kept only if it is sent along."""
    give_thumb(call.caller.school, answer, body.thumb, body.question, call.parts.answers)


@topic.operation("GET", "/answers/metrics", KeyScope.TEACHER)
def answer_metrics(call: Call, query: schemas.AnswersQuery) -> schemas.AnswerMetrics:
    """How near to the questions the answers' sources were, day by day, how many said nothing, and the thumbs."""
    given = _given(call, query)
    total = figures_of(given)
    days = [schemas.DayFigures(day=day, **_fields(figures)) for day, figures in figures_by_day(given)]
    intents = [schemas.IntentFigures(intent=each, **_fields(of_it)) for each, of_it in figures_by_intent(given).items()]
    figures, cache = schemas.AnswerFigures(**_fields(total)), _cache(call.parts.asked)
    return schemas.AnswerMetrics(total=figures, days=days, intents=intents, doubtful=total.doubtful, query_cache=cache)


@topic.operation("GET", "/answers/cases", KeyScope.TEACHER, media=CASES)
def answer_cases(call: Call, query: schemas.AnswersQuery) -> Response:
    """The questions that were handed in with a thumb, as cases for an evaluation."""
    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in cases(_given(call, query))]
    return Response("".join(lines), content_type=f"{LINES}; charset=utf-8")


def _cache(counted: CountsQueries | None) -> schemas.QueryCache | None:
    if counted is None:
        return None
    asked, hits = counted.asked, counted.hits
    return schemas.QueryCache(asked=asked, hits=hits, hit_rate=hits / asked if asked else None)


def _given(call: Call, query: schemas.AnswersQuery) -> list[GivenAnswer]:
    first = since(query.days, call.parts.now())
    return call.parts.answers.of_school(call.caller.school, first, query.application)


def _fields(figures: Figures) -> dict[str, Any]:
    return {**asdict(figures), "low_share": figures.low_share}
