"""`chapterverse ask`: questions to documents, textbooks and the help desk, one or a conversation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, note, print_json, print_line, printable
from chapterverse.core.errors import BadRequest
from chapterverse.library.cli import AboutTopic

if TYPE_CHECKING:
    from chapterverse.core.hits import Scope
    from chapterverse.library.services import CollectionServices
    from chapterverse.questions.answers import Answer, SourceCitation
    from chapterverse.questions.service import AnswerResult

Question = Annotated[
    str | None, typer.Argument(help="What you want to know. Without it, questions are read line by line: a conversation.")
]


def questions(given: str | None) -> Iterator[str]:
    """The one given, or each line that is typed, until the end or an empty line. Raises BadRequest for one without a word."""
    if given is not None:
        yield asked_in(given)
        return
    if sys.stdin.isatty():
        note("Ask, a question a line; an empty line ends.")
    for line in sys.stdin.buffer:
        if not (told := line.decode("utf-8", "replace").strip()):
            return
        yield asked_in(told)


def hint(answer: Answer, shelf: CollectionServices) -> None:
    """Say what may be done where nothing was found: thresholds are measured on other texts, or of another embedding model."""
    from chapterverse.questions.judging import accepted

    if answer.nothing and accepted(settings().school, shelf) is None:
        note(
            f"If this should be in them: how near is near enough was not measured on your texts yet. `chapterverse calibrate "
            f"{shelf.collection} --accept` does so."
        )


def asked_in(told: str) -> str:
    """Raises BadRequest where nothing is asked."""
    if not any(character.isalnum() for character in told):
        raise BadRequest("cli_question_empty")
    return told


def shelf() -> CollectionServices:
    """The real things, for documents. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.DOCUMENTS)


class QuestionCollection(StrEnum):
    """The collections that answer questions: model.Collection without its heavy imports."""

    DOCUMENTS = "documents"
    TEXTBOOK = "textbook"
    HELPDESK = "helpdesk"


OPTIONS = {  # of `ask`, for one collection each
    "--selected": QuestionCollection.TEXTBOOK,
    "--conversation": QuestionCollection.HELPDESK,
    "--department": QuestionCollection.HELPDESK,
    "--name": QuestionCollection.HELPDESK,
    "--agent": QuestionCollection.HELPDESK,
}


def ask(
    question: Question = None,
    *,
    collection: Annotated[QuestionCollection, typer.Option(help="What is asked.")] = QuestionCollection.DOCUMENTS,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", "--document", "--textbook", help="Look only in this document or textbook; repeatable."),
    ] = None,
    topic: AboutTopic = None,
    selected: Annotated[str, typer.Option(help="textbook: text on the page that the question is about.")] = "",
    conversation: Annotated[str | None, typer.Option(help="helpdesk: continue this conversation.")] = None,
    department: Annotated[
        str | None, typer.Option(help="helpdesk: look in the sources of this department and in the common ones; else in all.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="helpdesk: your name, which is removed from texts; repeatable.")
    ] = None,
    agent: Annotated[bool, typer.Option("--agent", help="helpdesk: hand the conversation over to an agent.")] = False,
    as_json: Json = False,
) -> None:
    """Ask documents, a textbook or the help desk: an answer with the sentences that support it, or that there is none."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope
    from chapterverse.questions.helpdesk_cli import ask_helpdesk

    given = dict(zip(OPTIONS, (selected, conversation, department, name, agent), strict=True))
    if wrong := next((option for option, value in given.items() if value and OPTIONS[option] is not collection), None):
        raise BadRequest("cli_option_of_collection", option=wrong, collection=OPTIONS[wrong].value)
    if collection is QuestionCollection.HELPDESK:
        if source or topic:
            raise BadRequest("cli_option_not_of_helpdesk")
        ask_helpdesk(question, conversation=conversation, department=department, names=name or [], agent=agent, as_json=as_json)
        return
    scope = Scope(settings().school, tuple(map(BookId, source or ())), topics=tuple(topic or ()))
    if collection is QuestionCollection.TEXTBOOK:
        answer_from_textbook(question, scope, selected, as_json)
    else:
        answer_from_documents(question, scope, as_json)


def answer_from_documents(question: str | None, scope: Scope, as_json: bool) -> None:
    """Print an answer from the documents to the question, or to each line of the input."""
    from chapterverse.questions.conversation import Exchange
    from chapterverse.questions.records import document_answer
    from chapterverse.questions.service import ask_documents

    answering = composition.answering(settings(), shelf().embedder)
    earlier: list[Exchange] = []
    for asked in questions(question):
        answered = ask_documents(asked, scope, shelf(), answering, earlier=earlier)
        earlier.append(Exchange.of(asked, answered.answer))
        print_json(document_answer(answered.answer, answered.findings)) if as_json else print_answer(answered)
        hint(answered.answer, shelf())


def read_at(cited: SourceCitation) -> str:
    """The address of the page on its site, at its heading."""
    url = cited.passage.sentence.address.url
    return f" {url}" if url else ""


def print_answer(answered: AnswerResult) -> None:
    """The answer, where each part of it stands, and the scores in both readings."""
    from chapterverse.citations.model import cite
    from chapterverse.search.plan import inverse_distance

    answer = answered.answer
    print_line(answer.text)
    for cited in (cited for claim in answer.claims for cited in claim.citations):
        print_line(f"  [{cited.source.number}] {cited.passage.sentence.text} {cite(cited.passage)}{read_at(cited)}")
    told = ", ".join(f"{score:.2f} ({inverse_distance(score):.2f} by 1/(1+d²))" for score in answered.findings.scores)
    print_line(f"  {answer.confidence.band}: {told}")


def textbooks() -> CollectionServices:
    """The real things, for textbooks. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.TEXTBOOK)


def answer_from_textbook(question: str | None, scope: Scope, selected: str, as_json: bool) -> None:
    """Print an answer from the textbooks with links to their sections, to the question or to each line of the input."""
    from chapterverse.questions.conversation import Exchange, following
    from chapterverse.questions.records import textbook_answer
    from chapterverse.questions.service import ChatPlan, ChatQuestion, chat

    shelf = textbooks()
    answering = composition.answering(settings(), shelf.embedder)
    earlier: list[Exchange] = []
    for each in questions(question):
        asked = ChatQuestion(each, selected, following(each, earlier, scope.school, shelf, answering))
        answer, findings = chat(asked, scope, shelf, ChatPlan(), answering)
        earlier.append(Exchange.of(each, answer))
        told = textbook_answer(answer, findings)
        print_json(told) if as_json else print_line(chat_text(told))
        hint(answer, shelf)


def chat_text(told: dict[str, Any]) -> str:
    """The answer, and below it each section that it cites with its link or page."""
    lines = [f"[{one['number']}] {one['section']}: {one['url'] or one['page_label']}" for one in told["sections"]]
    return "\n".join(printable(line) for line in [told["text"], *([""] if lines else []), *lines, *told["notes"]])
