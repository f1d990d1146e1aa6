"""`chapterverse textbook`: add, list, remove; questions to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.books import add_sources, described, one_line
from chapterverse.cli.conversing import Question, hint, questions
from chapterverse.cli.folders import sources_at
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.shelf import AboutTopic, FoundTopics, Topics, print_shelf, remove_from, show_topics
from chapterverse.cli.terminal import Json, print_json, print_line, printable
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.cli.files import GivenPdf
    from chapterverse.usecases.services import Services

app = typer.Typer(name="textbook", help="The textbooks that students ask.", no_args_is_help=True)

Book = Annotated[str, typer.Argument(help="A textbook's name, as `textbook list` shows it.")]


def textbooks() -> Services:
    """The real things, for textbooks. Raises BadRequest where there is no place for them."""
    from chapterverse.model import Collection

    return services_of(Collection.TEXTBOOK)


@app.command()
def add(
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
    from chapterverse.model import Collection

    if site not in (None, "docusaurus", "mkdocs"):
        raise BadRequest("cli_site_unknown")
    told = {name: value for name, value in (("site", site), ("base_url", base_url)) if value}
    limits = composition.limits(settings(), Collection.TEXTBOOK)
    return [source for each in sources for source in sources_at(each, limits, told)]


@app.command()
def chat(
    question: Question = None,
    selected: Annotated[str, typer.Option(help="Text on the page that the question is about.")] = "",
    textbook: Annotated[list[str] | None, typer.Option(help="Look only in this textbook; may be given more than once.")] = None,
    topic: AboutTopic = None,
    as_json: Json = False,
) -> None:
    """Answer a question from the textbooks, with links to the sections; or say that they do not, and which are near."""
    from chapterverse.model import BookId, Scope
    from chapterverse.usecases.conversations.following import Earlier, following
    from chapterverse.usecases.textbook_chat import ChatPlan, ChatQuestion
    from chapterverse.usecases.textbook_chat import chat as ask
    from chapterverse.usecases.textbook_json import chat_json

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


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """All textbooks, by title."""
    print_shelf(textbooks(), ("textbook", "sections"), as_json)


@app.command("topics")
def topics_of(book: Book, topics: Topics = None, found: FoundTopics = False, as_json: Json = False) -> None:
    """Say what it is about, for `--topic`; without a topic, show it."""
    show_topics(textbooks(), book, topics, found, as_json)


@app.command()
def remove(
    book: Book,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a textbook and all that was kept of it."""
    remove_from(textbooks(), book, yes, as_json)
