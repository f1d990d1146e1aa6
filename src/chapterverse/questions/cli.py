"""Commands that ask documents and textbooks; without a question, a conversation line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.files import sources_at
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, note, print_json, print_line, print_table, printable
from chapterverse.core.errors import BadRequest
from chapterverse.library.cli import (
    AboutTopic,
    FoundTopics,
    Topics,
    add_sources,
    described,
    one_line,
    print_shelf,
    remove_from,
    show_topics,
)

if TYPE_CHECKING:
    from chapterverse.cli.files import GivenPdf
    from chapterverse.library.services import Services
    from chapterverse.questions.answers import Answer, SourceCitation
    from chapterverse.questions.service import Answered

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


app = typer.Typer(name="documents", help="Documents that questions are asked on.", no_args_is_help=True)

SIZES = "300/30,500/50,1000/100"  # S2, "Experiments Conducted"

Document = Annotated[str, typer.Argument(help="A document's name, as `documents list` shows it.")]


def shelf() -> Services:
    """The real things, for documents. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.DOCUMENTS)


@app.command()
def add(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="PDFs, or folders or zips of Markdown or HTML pages.")],
    as_json: Json = False,
) -> None:
    """Make documents answer questions. The same file again: nothing to do. Another of the same name: a new version.

    One that cannot be read does not keep the others out; the exit code is then that of the first."""
    limits = composition.limits(settings(), shelf().collection)
    add_sources([source for file in files for source in sources_at(file, limits, {})], shelf(), as_json)


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """All documents, by title."""
    print_shelf(shelf(), ("document", "chunks"), as_json)


@app.command("topics")
def topics_of(document: Document, topics: Topics = None, found: FoundTopics = False, as_json: Json = False) -> None:
    """Say what it is about, for `--topic`; without a topic, show it."""
    show_topics(shelf(), document, topics, found, as_json)


@app.command()
def remove(
    document: Document,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a document and all that was kept of it."""
    remove_from(shelf(), document, yes, as_json)


@app.command("chunks")
def chunk_sizes(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Any document; it is not stored.")],
    *,
    sizes: Annotated[str, typer.Option(help="Characters/overlap of the chunks, separated by commas.")] = SIZES,
    questions: Annotated[
        Path | None, typer.Option(help='JSON lines {"question", "answer"}, the answer in words of the document.')
    ] = None,
    n: Annotated[int, typer.Option(min=1, max=2000, help="Questions made of the document where none are given.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed makes the same questions.")] = 0,
    as_json: Json = False,
) -> None:
    """How near chunks of several sizes are to questions on a document, and how often the right one is found (S2's table)."""
    from chapterverse.cli.files import read_essay
    from chapterverse.evaluation.chunk_sizes import compare_sizes, drawn_questions, questions_in
    from chapterverse.library.inspect_cli import parse

    wanted = sizes_in(sizes)
    asked = questions_in(read_essay(questions)) if questions else None
    book = parse(file)
    asked = drawn_questions(book, n, seed) if asked is None else asked
    figures = list(compare_sizes(book, asked, wanted, composition.embedder(settings())))
    if as_json:
        print_json({"questions": len(asked), "sizes": [asdict(each) for each in figures]})
        return
    rows = [
        (f"{each.characters}/{each.overlap}", str(each.chunks), *(f"{value:.2f}" for value in list(asdict(each).values())[3:]))
        for each in figures
    ]
    print_table(("size", "chunks", "best", "mean of 3", "1/(1+d²)", "hit@1", "hit@3", "seconds"), rows)


def sizes_in(told: str) -> list[tuple[int, int]]:
    """Raises BadRequest."""
    try:
        sizes = [(int(characters), int(overlap)) for characters, overlap in (each.split("/") for each in told.split(","))]
    except ValueError as error:
        raise BadRequest("cli_sizes_form") from error
    if any(not 0 <= 2 * overlap <= characters or characters < 1 for characters, overlap in sizes):
        raise BadRequest("cli_sizes_overlap")
    return sizes


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
    from chapterverse.questions.records import document_answer
    from chapterverse.questions.service import ask_documents

    scope = Scope(settings().school, tuple(map(BookId, document or ())), topics=tuple(topic or ()))
    answering = composition.answering(settings(), shelf().embedder)
    earlier: list[Earlier] = []
    for asked in questions(question):
        answered = ask_documents(asked, scope, shelf(), answering, earlier=earlier)
        earlier.append(Earlier.of(asked, answered.answer))
        print_json(document_answer(answered.answer, answered.findings)) if as_json else print_answer(answered)
        hint(answered.answer, shelf())


def read_at(cited: SourceCitation) -> str:
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


textbook_app = typer.Typer(name="textbook", help="The textbooks that students ask.", no_args_is_help=True)

Book = Annotated[str, typer.Argument(help="A textbook's name, as `textbook list` shows it.")]


def textbooks() -> Services:
    """The real things, for textbooks. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.TEXTBOOK)


@textbook_app.command("add")
def textbook_add(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE…", help="Folders of Markdown or HTML pages, zips of them, or PDFs.")
    ],
    *,
    title: Annotated[str | None, typer.Option(help="Call the textbook so, whatever it says itself.")] = None,
    author: Annotated[list[str] | None, typer.Option(help="Its author; may be given more than once.")] = None,
    site: Annotated[str | None, typer.Option(help="What makes the folder's site: docusaurus or mkdocs.")] = None,
    base_url: Annotated[str | None, typer.Option(help="What the address of every page begins with, such as /docs/.")] = None,
    as_json: Json = False,
) -> None:
    """Make the sections of textbooks searchable. The same folder again: nothing to do. Another of the same name: a new version.

    A page that cannot be read does not keep the others out, nor one source the others; the exit code is that of the first."""
    given = sources_given(sources, site, base_url)
    if len(given) > 1 and (title or author):
        raise BadRequest("cli_title_of_one_textbook")
    add_sources([described(source, one_line(title or ""), author or []) for source in given], textbooks(), as_json)


def sources_given(sources: list[str], site: str | None, base_url: str | None) -> list[GivenPdf]:
    """What is at the places named. Raises BadRequest, NotFound, BucketUnavailable."""
    from chapterverse.core.book import Collection

    if site not in (None, "docusaurus", "mkdocs"):
        raise BadRequest("cli_site_unknown")
    told = {name: value for name, value in (("site", site), ("base_url", base_url)) if value}
    limits = composition.limits(settings(), Collection.TEXTBOOK)
    return [source for each in sources for source in sources_at(each, limits, told)]


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
    from chapterverse.questions.records import textbook_answer
    from chapterverse.questions.service import ChatPlan, ChatQuestion
    from chapterverse.questions.service import chat as ask

    scope = Scope(settings().school, tuple(map(BookId, textbook or ())), topics=tuple(topic or ()))
    shelf = textbooks()
    answering = composition.answering(settings(), shelf.embedder)
    earlier: list[Earlier] = []
    for each in questions(question):
        asked = ChatQuestion(each, selected, following(each, earlier, scope.school, shelf, answering))
        answer, findings = ask(asked, scope, shelf, ChatPlan(), answering)
        earlier.append(Earlier.of(each, answer))
        told = textbook_answer(answer, findings)
        print_json(told) if as_json else print_line(chat_text(told))
        hint(answer, shelf)


def chat_text(told: dict[str, Any]) -> str:
    """The answer, and below it each section that it cites with its link or page."""
    lines = [f"[{one['number']}] {one['section']}: {one['url'] or one['page_label']}" for one in told["sections"]]
    return "\n".join(printable(line) for line in [told["text"], *([""] if lines else []), *lines, *told["notes"]])


@textbook_app.command("list")
def textbook_list_all(as_json: Json = False) -> None:
    """All textbooks, by title."""
    print_shelf(textbooks(), ("textbook", "sections"), as_json)


@textbook_app.command("topics")
def textbook_topics_of(book: Book, topics: Topics = None, found: FoundTopics = False, as_json: Json = False) -> None:
    """Say what it is about, for `--topic`; without a topic, show it."""
    show_topics(textbooks(), book, topics, found, as_json)


@textbook_app.command("remove")
def textbook_remove(
    book: Book,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a textbook and all that was kept of it."""
    remove_from(textbooks(), book, yes, as_json)
