"""`chapterverse feedback`."""

from __future__ import annotations

import csv
import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chapterverse import composition
from chapterverse.cli.session import read_essay, repaired_services, services, settings
from chapterverse.cli.terminal import Json, note, print_json, print_markdown
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.essays.model import Dimension, Feedback
    from chapterverse.essays.task import Rubric

EssayFile = Annotated[
    Path,
    typer.Argument(metavar="ESSAY", help='Plain text, Word, OpenDocument or PDF; "-" is standard input.', allow_dash=True),
]

Books = Annotated[list[str] | None, typer.Option("--book", help="Look in this book only; may be given more than once.")]

Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to hand out: .html or .pdf.")]

Grade = Annotated[int | None, typer.Option(min=3, max=13, help="School grade that it is written for; else the setting's.")]
ToneName = Annotated[Literal["kind", "plain"] | None, typer.Option("--tone", help="How it speaks.")]

Dimensions = Annotated[
    str | None, typer.Option(metavar="NAMES", help="Of content, expressions and features those it is given on, with commas.")
]

RubricFile = Annotated[
    Path | None,
    typer.Option(
        "--rubric",
        metavar="FILE|NAME",
        help="What the teacher looks for, a criterion a line, its weight last, or a table; or one of: "
        "argument, sources, story, explanation.",
    ),
]

TaskFile = Annotated[
    Path | None,
    typer.Option("--task", metavar="FILE", help="The question and instructions; what is copied from them is not searched for."),
]


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
    task: TaskFile = None,
    evidence: Annotated[bool, typer.Option("--evidence", help="Only find the books' sentences, as JSON with scores.")] = False,
) -> None:
    """Write feedback on an essay: content, with what the books say on each paragraph, expressions and features; then the
    evidence."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope
    from chapterverse.essays.model import Tone
    from chapterverse.essays.records import EssayEvidenceResponse, FeedbackResponse
    from chapterverse.essays.render import feedback_markdown
    from chapterverse.essays.service import FeedbackOptions, FeedbackRequest, evidence_on, feedback_on, get_ready
    from chapterverse.essays.task import WritingTask

    if output:
        refuse_unwritable(output)
    options = FeedbackOptions(
        grade=grade,
        tone=Tone(tone) if tone else None,
        dimensions=dimensions_named(dimensions) if dimensions else None,
        rubric=rubric_at(rubric) if rubric else None,
        task=WritingTask(read_essay(task)) if task else None,
    )
    request = FeedbackRequest(read_essay(essay), Scope(settings().school, tuple(map(BookId, book or ()))), options)
    context = composition.essay_context(settings(), repaired_services())
    if evidence:
        print_json(EssayEvidenceResponse.of(evidence_on(request, context)).model_dump(mode="json"))
        return
    get_ready(context)
    given = feedback_on(request, context)
    if output:
        write_page(output, given)
    elif as_json:
        print_json(FeedbackResponse.of_feedback(given).model_dump(mode="json"))
    else:
        print_markdown(feedback_markdown(given))
    if given.id:
        note(f"Stored for {settings().keep_days} days as {given.id}.")


def rubric_at(given: Path) -> Rubric:
    """The built-in rubric of that name, or the one in a file. Raises BadRequest."""
    from chapterverse.essays.task import BUILT_IN, read_rubric

    if (name := str(given)) in BUILT_IN or given.exists():
        text = name if name in BUILT_IN else read_essay(given)
        return read_rubric("\n".join(map("\t".join, csv.reader(text.splitlines()))) if given.suffix == ".csv" else text)
    raise BadRequest("cli_no_such_rubric", given=name, names=", ".join(BUILT_IN))


def dimensions_named(names: str) -> tuple[Dimension, ...]:
    """The dimensions in a comma-separated list, without repetitions. Raises BadRequest for an unknown one."""
    from chapterverse.essays.model import Dimension

    try:
        return tuple(dict.fromkeys(Dimension(name.strip()) for name in names.split(",")))
    except ValueError:
        raise BadRequest("cli_no_such_dimension", given=names, known=", ".join(Dimension)) from None


def refuse_unwritable(path: Path) -> None:
    """Raise BadRequest for an ending that no page has, or a missing folder."""
    if not path.absolute().parent.is_dir():
        raise BadRequest("cli_output_not_writable", path=path, reason=os.strerror(errno.ENOENT))
    if path.suffix.lower() not in PAGES:
        raise BadRequest("cli_output_form", path=path, endings=", ".join(PAGES))


def write_page(path: Path, given: Feedback) -> None:
    """Write the feedback as a page, replacing an existing file. Raises BadRequest if that fails."""
    from bookreader.drawing import draw_in_sandbox
    from chapterverse.citations.passages import highlighted_pages
    from chapterverse.essays.render import feedback_html, feedback_pdf

    pages = highlighted_pages(given.evidence.evidence, settings().school, services(), draw_in_sandbox)
    is_pdf = path.suffix.lower() == ".pdf"
    content = feedback_pdf(given, pages, composition.printer(settings())) if is_pdf else feedback_html(given, pages).encode()
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadRequest("cli_output_not_writable", path=path, reason=error.strerror) from error


PAGES = (".html", ".pdf")
