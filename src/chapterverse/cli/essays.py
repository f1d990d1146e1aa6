"""`chapterverse evidence` and `chapterverse feedback`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import read_essay
from chapterverse.cli.outcome import note
from chapterverse.cli.session import repaired_services, settings
from chapterverse.cli.terminal import print_json

if TYPE_CHECKING:
    from chapterverse.essay import Essay
    from chapterverse.model import Scope

EssayFile = Annotated[
    Path, typer.Argument(metavar="ESSAY", help='Plain text or Markdown; "-" is standard input.', allow_dash=True)
]
Books = Annotated[list[str] | None, typer.Option("--book", help="Look in this book only; may be given more than once.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def evidence(essay: EssayFile, book: Books = None, as_json: Json = False) -> None:
    """The sentences of the books that bear on an essay: score, address, and the passages of the essay they answer to."""
    from chapterverse.cli.show_evidence import show_evidence
    from chapterverse.usecases.essay_feedback import find_evidence
    from chapterverse.usecases.essay_json import essay_evidence_json

    found = find_evidence(read(essay), scope_of(book), repaired_services(), composition.essay_plan(settings()))
    print_json(essay_evidence_json(found)) if as_json else show_evidence(found)


def feedback(essay: EssayFile, book: Books = None, as_json: Json = False) -> None:
    """Feedback on an essay: content, with what the books say on each paragraph, expressions and features; then the evidence."""
    from chapterverse.cli.terminal import print_markdown
    from chapterverse.usecases.essay_feedback import find_evidence
    from chapterverse.usecases.feedback_json import feedback_json
    from chapterverse.usecases.feedback_markdown import feedback_markdown
    from chapterverse.usecases.kept_feedback import keep_feedback
    from chapterverse.usecases.write_feedback import Feedback, write_feedback

    read_essay, services = read(essay), repaired_services()
    writing = composition.writing(settings(), services.embedder)
    began = writing.clock()
    found = find_evidence(read_essay, scope_of(book), services, composition.essay_plan(settings()))
    reviews = tuple(write_feedback(found, settings().school, writing, began))
    given = keep_feedback(Feedback(found, reviews), settings().school, composition.keeping(settings()))
    print_json(feedback_json(given)) if as_json else print_markdown(feedback_markdown(given))
    if given.id:
        note(f"Kept for {settings().keep_days} days: chapterverse marks show {given.id}")


def read(essay: Path) -> Essay:
    """The essay in a file. Raises BadRequest, TooLarge."""
    from chapterverse.essay import parse_essay

    return parse_essay(read_essay(essay), settings().max_essay_words)


def scope_of(books: list[str] | None) -> Scope:
    """The school's books, or some of them."""
    from chapterverse.model import BookId, Scope

    return Scope(settings().school, tuple(BookId(book) for book in books or ()))
