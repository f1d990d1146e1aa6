"""`chapterverse evidence` and `chapterverse feedback`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import read_essay
from chapterverse.cli.session import repaired_services, services, settings
from chapterverse.cli.terminal import print_json

if TYPE_CHECKING:
    from chapterverse.essay import Essay
    from chapterverse.model import Scope
    from chapterverse.usecases.write_feedback import Feedback

EssayFile = Annotated[
    Path, typer.Argument(metavar="ESSAY", help='Plain text or Markdown; "-" is standard input.', allow_dash=True)
]
Books = Annotated[list[str] | None, typer.Option("--book", help="Look in this book only; may be given more than once.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write it to a file: .html or .pdf is a page to hand out; .md and .json as they are printed."
    ),
]


def evidence(essay: EssayFile, book: Books = None, as_json: Json = False) -> None:
    """The sentences of the books that bear on an essay: score, address, and the passages of the essay they answer to."""
    from chapterverse.cli.show_evidence import show_evidence
    from chapterverse.usecases.essay_feedback import find_evidence
    from chapterverse.usecases.essay_json import essay_evidence_json

    found = find_evidence(read(essay), scope_of(book), repaired_services(), composition.essay_plan(settings()))
    print_json(essay_evidence_json(found)) if as_json else show_evidence(found)


def feedback(essay: EssayFile, book: Books = None, as_json: Json = False, output: Output = None) -> None:
    """Feedback on an essay: content, with what the books say on each paragraph, expressions and features; then the evidence."""
    from chapterverse.cli.feedback_files import form_of, write
    from chapterverse.cli.terminal import print_markdown
    from chapterverse.usecases.feedback_json import feedback_json
    from chapterverse.usecases.feedback_markdown import feedback_markdown

    form = form_of(output) if output else None
    given = given_on(read(essay), scope_of(book))
    if output and form:
        write(output, form(given, services()))
    elif as_json:
        print_json(feedback_json(given))
    else:
        print_markdown(feedback_markdown(given))


def given_on(essay: Essay, scope: Scope) -> Feedback:
    """The feedback that the settings ask for."""
    from chapterverse.usecases.essay_feedback import find_evidence
    from chapterverse.usecases.write_feedback import Feedback, write_feedback

    whole = repaired_services()
    writing = composition.writing(settings(), whole.embedder)
    began = writing.clock()
    found = find_evidence(essay, scope, whole, composition.essay_plan(settings()))
    return Feedback(found, tuple(write_feedback(found, scope.school, writing, began)))


def read(essay: Path) -> Essay:
    """The essay in a file. Raises BadRequest, TooLarge."""
    from chapterverse.essay import parse_essay

    return parse_essay(read_essay(essay), settings().max_essay_words)


def scope_of(books: list[str] | None) -> Scope:
    """The school's books, or some of them."""
    from chapterverse.model import BookId, Scope

    return Scope(settings().school, tuple(BookId(book) for book in books or ()))
