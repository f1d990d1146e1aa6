"""`chapterverse documents`: add, list, remove, chunks; `chapterverse ask`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.books import add_sources
from chapterverse.cli.conversing import Question, hint, questions
from chapterverse.cli.folders import sources_at
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.shelf import AboutTopic, FoundTopics, Topics, print_shelf, remove_from, show_topics
from chapterverse.cli.terminal import Json, print_json, print_line, print_table
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.usecases.answers.answer import Cited
    from chapterverse.usecases.document_qa import Answered
    from chapterverse.usecases.services import Services

app = typer.Typer(name="documents", help="Documents that questions are asked on.", no_args_is_help=True)

SIZES = "300/30,500/50,1000/100"  # S2, "Experiments Conducted"

Document = Annotated[str, typer.Argument(help="A document's name, as `documents list` shows it.")]


def shelf() -> Services:
    """The real things, for documents. Raises BadRequest where there is no place for them."""
    from chapterverse.model import Collection

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
    from chapterverse.cli.inspect import parse
    from chapterverse.usecases.chunk_sizes import compare_sizes, drawn_questions, questions_in

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
    from chapterverse.model import BookId, Scope
    from chapterverse.usecases.conversations.following import Earlier
    from chapterverse.usecases.document_qa import answered_json, ask_documents

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
    from chapterverse.evidence.citation import cite
    from chapterverse.retrieval.readings import inverse_distance

    answer = answered.answer
    print_line(answer.text)
    for cited in (cited for claim in answer.claims for cited in claim.citations):
        print_line(f"  [{cited.source.number}] {cited.passage.sentence.text} {cite(cited.passage)}{read_at(cited)}")
    told = ", ".join(f"{score:.2f} ({inverse_distance(score):.2f} by 1/(1+d²))" for score in answered.findings.scores)
    print_line(f"  {answer.confidence.band}: {told}")
