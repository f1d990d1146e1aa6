"""`chapterverse ask` and `chapterverse textbook chat`: questions on documents and textbooks, one or a conversation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, note, print_json, print_line, printable
from chapterverse.core.errors import BadRequest
from chapterverse.library.cli import AboutTopic

if TYPE_CHECKING:
    from chapterverse.library.services import Services
    from chapterverse.questions.answers import Answer, Cited
    from chapterverse.questions.documents import Answered

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


def hint(answer: Answer, shelf: Services) -> None:
    """Say what may be done where nothing was found: thresholds are measured on other texts, or of another embedding model."""
    from chapterverse.questions.calibration import accepted

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


def shelf() -> Services:
    """The real things, for documents. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.DOCUMENTS)


def ask(
    question: Question = None,
    document: Annotated[list[str] | None, typer.Option(help="Only this document; may be given more than once.")] = None,
    topic: AboutTopic = None,
    as_json: Json = False,
) -> None:
    """Ask the documents: an answer with the sentences that it rests on, and how sure it is."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope
    from chapterverse.questions.conversation import Earlier
    from chapterverse.questions.documents import answered_json, ask_documents

    scope = Scope(settings().school, tuple(map(BookId, document or ())), topics=tuple(topic or ()))
    answering = composition.answering(settings(), shelf().embedder)
    earlier: list[Earlier] = []
    for asked in questions(question):
        answered = ask_documents(asked, scope, shelf(), answering, earlier=earlier)
        earlier.append(Earlier.of(asked, answered.answer))
        print_json(answered_json(answered)) if as_json else print_answer(answered)
        hint(answered.answer, shelf())


def read_at(cited: Cited) -> str:
    """The address of the page on its site, at its heading."""
    url = cited.passage.sentence.address.url
    return f" {url}" if url else ""


def print_answer(answered: Answered) -> None:
    """The answer, where each part of it stands, and the scores in both readings."""
    from chapterverse.citations.model import cite
    from chapterverse.search.plan import inverse_distance

    answer = answered.answer
    print_line(answer.text)
    for cited in (cited for claim in answer.claims for cited in claim.citations):
        print_line(f"  [{cited.source.number}] {cited.passage.sentence.text} {cite(cited.passage)}{read_at(cited)}")
    told = ", ".join(f"{score:.2f} ({inverse_distance(score):.2f} by 1/(1+d²))" for score in answered.findings.scores)
    print_line(f"  {answer.confidence.band}: {told}")


textbook_app = typer.Typer(name="textbook", help="Questions to the textbooks.", no_args_is_help=True)


def textbooks() -> Services:
    """The real things, for textbooks. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.TEXTBOOK)


@textbook_app.command()
def chat(
    question: Question = None,
    selected: Annotated[str, typer.Option(help="Text on the page that the question is about.")] = "",
    textbook: Annotated[list[str] | None, typer.Option(help="Look only in this textbook; may be given more than once.")] = None,
    topic: AboutTopic = None,
    as_json: Json = False,
) -> None:
    """Answer a question from the textbooks, with links to the sections; or say that they do not, and which are near."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope
    from chapterverse.questions.conversation import Earlier, following
    from chapterverse.questions.json import chat_json
    from chapterverse.questions.textbook import ChatPlan, ChatQuestion
    from chapterverse.questions.textbook import chat as ask

    scope = Scope(settings().school, tuple(map(BookId, textbook or ())), topics=tuple(topic or ()))
    shelf = textbooks()
    answering = composition.answering(settings(), shelf.embedder)
    earlier: list[Earlier] = []
    for each in questions(question):
        asked = ChatQuestion(each, selected, following(each, earlier, scope.school, shelf, answering))
        answer, findings = ask(asked, scope, shelf, ChatPlan(), answering)
        earlier.append(Earlier.of(each, answer))
        told = chat_json(answer, findings)
        print_json(told) if as_json else print_line(chat_text(told))
        hint(answer, shelf)


def chat_text(told: dict[str, Any]) -> str:
    """The answer, and below it each section that it cites with its link or page."""
    lines = [f"[{one['number']}] {one['section']}: {one['url'] or one['page_label']}" for one in told["sections"]]
    return "\n".join(printable(line) for line in [told["text"], *([""] if lines else []), *lines, *told["notes"]])
