"""Routes of questions on documents (S2) and textbooks (S4), ratings and statistics of answers."""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from time import perf_counter

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.core.hits import Scope
from chapterverse.library.schemas import with_addresses
from chapterverse.questions import schemas, styles
from chapterverse.questions.log import grouped, note_answer, start_of_days, statistics_by, statistics_of
from chapterverse.questions.records import SearchedAnswerRecord
from chapterverse.questions.service import Searched, sources_to_ask
from chapterverse.questions.service import ask as ask_sources
from chapterverse.questions.styles import AnswerStyle
from chapterverse.web.operations import ApiTopic, Call

log = logging.getLogger(__name__)
answers_topic = ApiTopic("Answers")


@answers_topic.operation("POST", "/answers/{answer}/thumbs", KeyScope.STUDENT, success=HTTPStatus.NO_CONTENT)
def give_answer_a_thumb(call: Call, answer: str, body: schemas.RatingRequest) -> None:
    """Rate an answer. Send the question with it, if its author agrees, to store both without names: teachers see which
    questions had no good answer."""
    redactor, names = call.context.helpdesk.redactor, [call.caller.name] if call.caller.name else []
    question = redactor.redact([body.question], names)[0] if body.question else None
    call.context.answers.rate(call.caller.school, answer, body.thumb, question)
    log.info("answer rated", extra={"school": call.caller.school, "thumb": body.thumb.value})


@answers_topic.operation("GET", "/answers/unanswered", KeyScope.TEACHER)
def unanswered_questions(call: Call, query: schemas.AnswersQuery) -> schemas.UnansweredQuestions:
    """Questions whose answer said nothing or was rated down, in groups that are alike, the largest first. Only those that were
    sent with a rating are stored."""
    first = start_of_days(query.days, call.context.now())
    found = call.context.answers.unanswered(call.caller.school, first)
    wanted = [one for one in found if query.application in (None, one.application)]
    groups = grouped(wanted, call.context.answer_settings.embedder)
    return schemas.UnansweredQuestions.model_validate({"groups": groups})


@answers_topic.operation("GET", "/answers/metrics", KeyScope.TEACHER)
def answer_metrics(call: Call, query: schemas.AnswersQuery) -> schemas.AnswerMetrics:
    """Scores of the answers' sources, answers without a result, and ratings: in total, by day and by kind of question."""
    first = start_of_days(query.days, call.context.now())
    given = call.context.answers.of_school(call.caller.school, first, query.application)
    total = statistics_of(given)
    return schemas.AnswerMetrics(
        total=total,
        days=statistics_by(lambda one: one.created.date().isoformat(), given),
        intents=statistics_by(lambda one: one.intent, given),
        doubtful=total.doubtful,
    )


documents_topic = ApiTopic("Documents")


@documents_topic.operation("POST", "/documents/ask", KeyScope.STUDENT)
def ask(call: Call, body: schemas.QuestionRequest) -> SearchedAnswerRecord:
    """Answer a question from documents and textbooks, with a cited sentence for each claim and a confidence: high from 0.80,
    medium from 0.50, no answer below unless a language model finds one. The question is not stored."""
    searched = sources_to_ask(call.caller.school, body.sources, body.topics, call.context.collections)
    return _answer(call, body, searched, styles.DOCUMENT_QA)


def _answer(
    call: Call, body: schemas.QuestionRequest, searched: Sequence[Searched], style: AnswerStyle
) -> SearchedAnswerRecord:
    """The answer from these sources, noted in the log."""
    began, context, collection = perf_counter(), call.context, Collection(style.name)
    context.limits.refuse_long(body.question)
    by = context.answer_settings
    answer, findings = ask_sources(body.question, searched, by, style, earlier=body.earlier, selected=body.selected_text)
    answers, now = context.answers, context.now()
    id = note_answer(call.caller.school, style, answer, findings, answers=answers, now=now, began=began)
    textbooks = [id for one in searched if one.services.collection is Collection.TEXTBOOK for id in one.scope.books]
    record = SearchedAnswerRecord.made_from(answer, findings, id, textbooks)
    return with_addresses(record, collection, dict.fromkeys(textbooks, Collection.TEXTBOOK))


textbook_topic = ApiTopic("Textbooks")


@textbook_topic.operation("POST", "/textbook/chat", KeyScope.STUDENT)
def textbook_chat(call: Call, body: schemas.QuestionRequest) -> SearchedAnswerRecord:
    """Answer a question from the textbooks, with links to the cited sections; without an answer, name close sections. The
    question is not stored."""
    context = call.context
    scope = Scope(call.caller.school, tuple(map(BookId, body.sources)), topics=tuple(body.topics))
    searched = [Searched(scope, context.collections[Collection.TEXTBOOK])]
    return _answer(call, body, searched, context.textbook_style)
