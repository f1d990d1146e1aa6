"""`chapterverse ask`: one question or a conversation, to documents or a textbook."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, note, print_json, print_line
from chapterverse.core.errors import BadRequest
from chapterverse.library.cli import AboutTopic
from chapterverse.messages import message

if TYPE_CHECKING:
    from chapterverse.questions.records import AnswerRecord

Question = Annotated[
    str | None, typer.Argument(help="Your question. Without it, a conversation: one question per line of the input.")
]


def questions(given: str | None) -> Iterator[str]:
    """The question given, or each line of the input up to its end or an empty line. Raises BadRequest for one without letters
    or digits."""
    if given is None and sys.stdin.isatty():
        note("Ask one question per line; an empty line ends.")
    lines = (line.decode("utf-8", "replace").strip() for line in sys.stdin.buffer)
    for question in takewhile(bool, lines) if given is None else [given]:
        if not any(character.isalnum() for character in question):
            raise BadRequest("cli_question_empty")
        yield question


class QuestionCollection(StrEnum):
    """Collections that answer questions; core.book.Collection without its heavy imports."""

    DOCUMENTS = "documents"
    TEXTBOOK = "textbook"


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
    as_json: Json = False,
) -> None:
    """Ask documents or a textbook: an answer with the sentences that support it, or that there is none."""
    from chapterverse.core.book import BookId, Collection
    from chapterverse.core.hits import Scope
    from chapterverse.questions import styles
    from chapterverse.questions.conversation import Exchange
    from chapterverse.questions.records import SearchedAnswerRecord
    from chapterverse.questions.service import Searched
    from chapterverse.questions.service import ask as answer_from
    from chapterverse.search.plan import DOCUMENT_QA, TEXTBOOK_CHAT

    is_textbook = collection is QuestionCollection.TEXTBOOK
    if selected and not is_textbook:
        raise BadRequest("cli_option_of_collection", option="--selected", collection=QuestionCollection.TEXTBOOK.value)
    scope = Scope(settings().school, tuple(map(BookId, source or ())), topics=tuple(topic or ()))
    services = services_of(Collection.TEXTBOOK if is_textbook else Collection.DOCUMENTS)
    searched = [Searched(scope, services, TEXTBOOK_CHAT if is_textbook else DOCUMENT_QA)]
    style = styles.TEXTBOOK_CHAT if is_textbook else styles.DOCUMENT_QA
    by, earlier = composition.answer_settings(settings(), services.embedder), list[Exchange]()
    for text in questions(question):
        result = answer_from(text, searched, by, style, earlier=earlier, selected=selected)
        earlier.append(Exchange.of(text, result.answer))
        record = SearchedAnswerRecord.made_from(result.answer, result.findings)
        if as_json:
            print_json(record.model_dump())
        else:
            print_answer(record)


def print_answer(answer: AnswerRecord) -> None:
    """The answer, its citations and notes. Sentences that are the answer are not repeated."""
    from chapterverse.questions.answers import EXTRACT

    print_line(answer.text)
    places = dict[str, None]()  # each once: two sentences may stand on one page
    for cited in (one for claim in answer.claims for one in claim.citations):
        text = "" if answer.by == EXTRACT else f" {cited.sentence.text}"
        by_ocr = "" if cited.sentence.confidence is None else f" ({message('read_by_ocr')})"
        places[f"  [{cited.number}]{text} {cited.citation}{by_ocr}{f' {cited.url}' if cited.url else ''}"] = None
    for place in places:
        print_line(place)
    if answer.claims and answer.by != EXTRACT:
        print_line(f"  A language model ({answer.by}) wrote this answer from the sources named here.")
    for line in answer.notes:
        print_line(f"  {line}")
    if answer.claims and answer.did_you_mean:
        print_line(f"  Did you mean: {' / '.join(answer.did_you_mean)}")
