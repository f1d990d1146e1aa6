"""`chapterverse ask`: a question to documents and textbooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services, services_of, settings
from chapterverse.cli.terminal import Json, print_json, print_line
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadRequest
from chapterverse.library.cli import AboutTopic
from chapterverse.messages import message

if TYPE_CHECKING:
    from chapterverse.questions.records import AnswerRecord, CitationRecord, QuotedRecord


def ask(
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", help="Your question.")],
    *,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", "--document", "--textbook", help="Search only this document or textbook; repeatable."),
    ] = None,
    topic: AboutTopic = None,
    as_json: Json = False,
) -> None:
    """Ask documents and textbooks: an answer with the sentences that support it, or that there is none."""
    from chapterverse.core.hits import Scope
    from chapterverse.questions.records import SearchedAnswerRecord
    from chapterverse.questions.service import ask as answer_from

    question = " ".join(words)
    if not any(map(str.isalnum, question)):
        raise BadRequest("cli_question_empty")
    scope = Scope(settings().school, tuple(map(BookId, source or ())), topics=tuple(topic or ()))
    by = composition.answer_settings(settings(), services().embedder)
    record = SearchedAnswerRecord.made_from(*answer_from(question, scope, services_of(Collection.DOCUMENTS), by))
    if as_json:
        print_json(record.model_dump())
    else:
        print_answer(record)


def print_answer(answer: AnswerRecord) -> None:
    """The answer, its citations and notes. Sentences that are the answer are not repeated; those that answer are bold."""
    from chapterverse.questions.answers import EXTRACT

    shown = answer.passages if answer.disclaimer else ()
    text = "\n\n".join([answer.text, *(f"{' '.join(each.text for each in one.sentences)} [{one.number}]" for one in shown[1:])])
    for each in {one.text for passage in answer.passages for one in passage.sentences if one.highlighted}:
        text = text.replace(each, f"**{each}**", 1)
    print_line(text)
    places = dict[str, None]()  # each once: two sentences may stand on one page
    every: list[CitationRecord | QuotedRecord] = [*answer.citations, *shown]
    for cited in every:
        text = "" if answer.by == EXTRACT else f" {cited.sentence.text}"
        by_ocr = "" if cited.sentence.confidence is None else f" ({message('read_by_ocr')})"
        url = f" {cited.sentence.url}" if cited.sentence.url else ""
        places[f"  [{cited.number}]{text} {cited.citation}{by_ocr}{url}"] = None
    for place in places:
        print_line(place)
    if answer.claims and answer.by != EXTRACT:
        print_line(f"  A language model ({answer.by}) wrote this answer from the sources named here.")
    for line in answer.notes:
        print_line(f"  {line}")
