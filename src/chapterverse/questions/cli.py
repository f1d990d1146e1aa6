"""`chapterverse ask`: one question or a conversation, to documents, a textbook or the help desk."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, note, print_json, print_line
from chapterverse.core.errors import BadRequest
from chapterverse.library.cli import AboutTopic

if TYPE_CHECKING:
    from chapterverse.core.hits import Scope
    from chapterverse.questions.answers import Answer
    from chapterverse.questions.helpdesk import Reply
    from chapterverse.questions.records import TextbookAnswerRecord

Question = Annotated[
    str | None, typer.Argument(help="Your question. Without it, a conversation: one question per line of the input.")
]


def questions(given: str | None) -> Iterator[str]:
    """The question given, or each line of the input up to its end or an empty line. Raises BadRequest for one without letters
    or digits."""
    if given is not None:
        yield checked(given)
        return
    if sys.stdin.isatty():
        note("Ask one question per line; an empty line ends.")
    for line in sys.stdin.buffer:
        if not (question := line.decode("utf-8", "replace").strip()):
            return
        yield checked(question)


def checked(question: str) -> str:
    """The question. Raises BadRequest for one without letters or digits."""
    if not any(character.isalnum() for character in question):
        raise BadRequest("cli_question_empty")
    return question


class QuestionCollection(StrEnum):
    """Collections that answer questions; core.book.Collection without its heavy imports."""

    DOCUMENTS = "documents"
    TEXTBOOK = "textbook"
    HELPDESK = "helpdesk"


def ask(
    question: Question = None,
    *,
    collection: Annotated[QuestionCollection, typer.Option(help="The collection to ask.")] = QuestionCollection.DOCUMENTS,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", "--document", "--textbook", help="Search only this document or textbook; repeatable."),
    ] = None,
    topic: AboutTopic = None,
    selected: Annotated[str, typer.Option(help="textbook: text on the page that the question is about.")] = "",
    department: Annotated[
        str | None, typer.Option(help="helpdesk: search the sources of this department and those for all; else all sources.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask documents, a textbook or the help desk: an answer with the sentences that support it, or that there is none."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope

    if selected and collection is not QuestionCollection.TEXTBOOK:
        raise BadRequest("cli_option_of_collection", option="--selected", collection=QuestionCollection.TEXTBOOK.value)
    if department and collection is not QuestionCollection.HELPDESK:
        raise BadRequest("cli_option_of_collection", option="--department", collection=QuestionCollection.HELPDESK.value)
    if collection is QuestionCollection.HELPDESK:
        if source or topic:
            raise BadRequest("cli_option_not_of_helpdesk")
        ask_helpdesk(question, department, as_json)
        return
    scope = Scope(settings().school, tuple(map(BookId, source or ())), topics=tuple(topic or ()))
    if collection is QuestionCollection.TEXTBOOK:
        ask_textbook(question, scope, selected, as_json)
    else:
        ask_document(question, scope, as_json)


def ask_document(question: str | None, scope: Scope, as_json: bool) -> None:
    """Print an answer from the documents to the question, or to each line of the input."""
    from chapterverse.core.book import Collection
    from chapterverse.questions.conversation import Exchange
    from chapterverse.questions.records import DocumentAnswerRecord
    from chapterverse.questions.service import ask_documents

    services = services_of(Collection.DOCUMENTS)
    answer_settings = composition.answer_settings(settings(), services.embedder)
    earlier: list[Exchange] = []
    for text in questions(question):
        result = ask_documents(text, scope, services, answer_settings, earlier=earlier)
        earlier.append(Exchange.of(text, result.answer))
        if as_json:
            print_json(DocumentAnswerRecord.made_from(result.answer, result.findings).model_dump())
        else:
            print_answer(result.answer)


def print_answer(answer: Answer) -> None:
    """The answer and its citations. Sentences that are the answer are not repeated."""
    from chapterverse.citations.model import cite_with_origin
    from chapterverse.questions.answers import EXTRACT

    print_line(answer.text)
    for cited in answer.citations:
        sentence = cited.passage.sentence
        text = "" if answer.by == EXTRACT else f" {sentence.text}"
        url = f" {sentence.address.url}" if sentence.address.url else ""
        print_line(f"  [{cited.source.number}]{text} {cite_with_origin(cited.passage)}{url}")
    if answer.claims:
        print_author(answer.by)


def print_author(by: str) -> None:
    """Which language model wrote an answer; nothing if it consists of the sources' own sentences."""
    from chapterverse.questions.answers import EXTRACT

    if by != EXTRACT:
        print_line(f"  A language model ({by}) wrote this answer from the sources named here.")


def ask_textbook(question: str | None, scope: Scope, selected: str, as_json: bool) -> None:
    """Print an answer from the textbooks, with links to sections, to the question or to each line of the input."""
    from chapterverse.core.book import Collection
    from chapterverse.questions.conversation import Exchange, standalone_question
    from chapterverse.questions.records import TextbookAnswerRecord
    from chapterverse.questions.service import ChatPlan, ChatQuestion, chat

    services = services_of(Collection.TEXTBOOK)
    answer_settings = composition.answer_settings(settings(), services.embedder)
    earlier: list[Exchange] = []
    for text in questions(question):
        understood = standalone_question(text, earlier, scope.school, services)
        result = chat(ChatQuestion(text, selected, understood), scope, services, ChatPlan(), answer_settings)
        earlier.append(Exchange.of(text, result.answer))
        record = TextbookAnswerRecord.made_from(result.answer, result.findings)
        if as_json:
            print_json(record.model_dump())
        else:
            print_sections(record)


def print_sections(record: TextbookAnswerRecord) -> None:
    """The answer, each cited section with its link or page, and the notes."""
    print_line(record.text)
    if record.sections:
        print_line("")
    for section in record.sections:
        place = section.url or section.page_label
        print_line(f"[{section.number}] {section.section}{f': {place}' if place else ''}")
    if record.claims:
        print_author(record.by)
    for remark in record.notes:
        print_line(str(remark))


def department_named(given: str | None) -> str | None:
    """The name on one line; None for all departments. Raises BadRequest."""
    from bookreader.text.entries import LONGEST_DEPARTMENT

    name = " ".join((given or "").split())
    if len(name) > LONGEST_DEPARTMENT or not name.isprintable():
        raise BadRequest("cli_department_too_long", max_characters=LONGEST_DEPARTMENT)
    return name or None


USER = "terminal"  # the user's name in conversations of the command line


def ask_helpdesk(question: str | None, department: str | None, as_json: bool) -> None:
    """Print the help desk's reply to the question, or to each line of the input, in a conversation of their own."""
    from chapterverse.core.book import Collection
    from chapterverse.questions.helpdesk import begin, say
    from chapterverse.questions.records import AnswerRecord, ReplyRecord

    services = services_of(Collection.HELPDESK)
    context = composition.helpdesk_context(settings(), services, composition.answer_settings(settings(), services.embedder))
    begun = begin(settings().school, USER, context, department_named(department))
    for text in questions(question):
        reply = say(settings().school, begun.id, text, context)
        if as_json:
            print_json(ReplyRecord.of(reply.id, AnswerRecord.of(reply.answer), with_agent=reply.held))
        else:
            print_reply(reply)


def print_reply(reply: Reply) -> None:
    """Print the reply with its citations and notes."""
    from chapterverse.citations.model import cite

    print_line(reply.answer.text)
    for cited in reply.answer.citations:
        source = cited.source
        where = cite(cited.passage) if cited.passage.sentence.address.places else f"({source.title})"
        print_line(f"  [{source.number}] {source.type} {source.id}: {cited.passage.sentence.text} {where}")
    if reply.answer.claims:
        print_author(reply.answer.by)
    for line in reply.answer.notes:
        print_line(f"  {line}")
    if reply.answer.siblings:
        print_line(f"  Did you mean: {' / '.join(reply.answer.siblings)}")
