"""`chapterverse evidence` and `chapterverse feedback`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chapterverse import composition
from chapterverse.cli.files import read_essay
from chapterverse.cli.outcome import note
from chapterverse.cli.session import repaired_services, services, settings
from chapterverse.cli.terminal import Json, print_json
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.essay import Essay
    from chapterverse.feedback.comments import Dimension
    from chapterverse.model import Scope
    from chapterverse.retrieval.plan import RetrievalPlan
    from chapterverse.usecases.write_feedback import Feedback

EssayFile = Annotated[
    Path, typer.Argument(metavar="ESSAY", help='Plain text or Markdown; "-" is standard input.', allow_dash=True)
]
Books = Annotated[list[str] | None, typer.Option("--book", help="Look in this book only; may be given more than once.")]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write it to a file: .html or .pdf is a page to hand out; .md and .json as they are printed."
    ),
]
Grade = Annotated[int | None, typer.Option(min=3, max=13, help="School grade that it is written for; else the setting's.")]
ToneName = Annotated[Literal["kind", "plain"] | None, typer.Option("--tone", help="How it speaks.")]
Dimensions = Annotated[
    str | None, typer.Option(metavar="NAMES", help="Of content, expressions and features those it is given on, with commas.")
]
RubricFile = Annotated[
    Path | None,
    typer.Option("--rubric", metavar="FILE", help="What the teacher looks for, a criterion a line, its weight last."),
]


def evidence(essay: EssayFile, book: Books = None, as_json: Json = False) -> None:
    """The sentences of the books that bear on an essay: score, address, and the passages of the essay they answer to."""
    from chapterverse.cli.show_evidence import show_evidence
    from chapterverse.usecases.essay_feedback import find_evidence
    from chapterverse.usecases.essay_json import essay_evidence_json

    found = find_evidence(read(essay), scope_of(book), repaired_services(), plan())
    print_json(essay_evidence_json(found)) if as_json else show_evidence(found)


def feedback(
    essay: EssayFile,
    *,
    book: Books = None,
    as_json: Json = False,
    output: Output = None,
    grade: Grade = None,
    tone: ToneName = None,
    dimensions: Dimensions = None,
    rubric: RubricFile = None,
) -> None:
    """Feedback on an essay: content, with what the books say on each paragraph, expressions and features; then the evidence."""
    from chapterverse.cli.feedback_files import form_of, write
    from chapterverse.cli.terminal import print_markdown
    from chapterverse.usecases.feedback_json import feedback_json
    from chapterverse.usecases.feedback_markdown import feedback_markdown

    form = form_of(output) if output else None
    given = given_on(read(essay), scope_of(book), asked_for(grade, tone, dimensions, rubric))
    if output and form:
        write(output, form(given, services()))
    elif as_json:
        print_json(feedback_json(given))
    else:
        print_markdown(feedback_markdown(given))
    if given.id:
        note(f"Kept for {settings().keep_days} days: chapterverse marks show {given.id}")


def given_on(essay: Essay, scope: Scope, style: Mapping[str, Any]) -> Feedback:
    """The feedback that the school and the settings ask for, but for what `style` says otherwise; kept for some days."""
    from chapterverse.usecases.essay_feedback import find_evidence
    from chapterverse.usecases.kept_feedback import keep_feedback
    from chapterverse.usecases.school_choices import style_for
    from chapterverse.usecases.write_feedback import Feedback, write_feedback

    whole = repaired_services()
    usual = composition.writing(settings(), whole.embedder)
    writing = replace(usual, style=replace(style_for(scope.school, usual.style, whole), **style))
    began = writing.clock()
    found = find_evidence(essay, scope, whole, plan())
    given = Feedback(found, tuple(write_feedback(found, scope.school, writing, began)))
    return keep_feedback(given, scope.school, composition.keeping(settings()))


def plan() -> RetrievalPlan:
    """How the school's essays are looked up."""
    from chapterverse.retrieval.plan import ESSAY_FEEDBACK
    from chapterverse.usecases.school_choices import plan_for

    return plan_for(settings().school, ESSAY_FEEDBACK, services())


def asked_for(grade: int | None, tone: str | None, dimensions: str | None, rubric: Path | None) -> dict[str, Any]:
    """What of a Style is wanted otherwise than the settings have it. Raises BadRequest."""
    from chapterverse.feedback.comments import Tone
    from chapterverse.feedback.rubric import read_rubric

    wanted = {
        "grade": grade,
        "tone": tone and Tone(tone),
        "dimensions": dimensions and dimensions_named(dimensions),
        "rubric": rubric and read_rubric(read_essay(rubric)),
    }
    return {name: value for name, value in wanted.items() if value is not None}


def dimensions_named(names: str) -> tuple[Dimension, ...]:
    """Each once. Raises BadRequest for one that there is not."""
    from chapterverse.feedback.comments import Dimension

    try:
        return tuple(dict.fromkeys(Dimension(name.strip()) for name in names.split(",")))
    except ValueError:
        raise BadRequest("cli_no_such_dimension", given=names, known=", ".join(Dimension)) from None


def read(essay: Path) -> Essay:
    """The essay in a file. Raises BadRequest, TooLarge."""
    from chapterverse.essay import parse_essay

    return parse_essay(read_essay(essay))


def scope_of(books: list[str] | None) -> Scope:
    """The school's books, or some of them."""
    from chapterverse.model import BookId, Scope

    return Scope(settings().school, tuple(BookId(book) for book in books or ()))
