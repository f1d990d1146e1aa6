"""`chapterverse evidence`, `chapterverse feedback` and `chapterverse marks`, the teacher's review of stored feedback."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chapterverse import composition
from chapterverse.cli.files import read_essay
from chapterverse.cli.session import repaired_services, services, settings
from chapterverse.cli.terminal import Json, note, print_json, print_json_line, print_line, print_markdown, print_table
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.citations.passages import HighlightedPages
    from chapterverse.core.hits import FoundBy, Scope
    from chapterverse.essays.model import Dimension, EssayEvidence, Feedback
    from chapterverse.essays.service import FeedbackOptions
    from chapterverse.essays.task import WritingTask
    from chapterverse.library.services import CollectionServices

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

SourceFiles = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="FILE|BOOK:PAGES", help="A text that came with the task, or pages of a book: mars:12-15."),
]

GenreName = Annotated[
    Literal["argumentative", "source-based", "letter", "narrative", "expository"] | None,
    typer.Option("--genre", help="What kind of text it is to be; else as the task says, or recognised."),
]


def evidence(
    essay: EssayFile, book: Books = None, task: TaskFile = None, source: SourceFiles = None, as_json: Json = False
) -> None:
    """Find the sentences of the books relevant to an essay, with score, address, and the passages of the essay they belong
    to."""
    from chapterverse.essays.records import EssayEvidenceResponse
    from chapterverse.essays.service import FeedbackOptions, FeedbackRequest, evidence_on

    options = FeedbackOptions(task=task_of(task, source or []))
    request = FeedbackRequest(read_essay(essay), scope_of(book), options)
    found = evidence_on(request, composition.essay_context(settings(), repaired_services()))
    print_json(EssayEvidenceResponse.of(found).model_dump(mode="json")) if as_json else show_evidence(found)


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
    source: SourceFiles = None,
    genre: GenreName = None,
) -> None:
    """Write feedback on an essay: content, with what the books say on each paragraph, expressions and features; then the
    evidence."""
    from chapterverse.essays.records import FeedbackResponse
    from chapterverse.essays.render import feedback_markdown
    from chapterverse.essays.service import FeedbackRequest, feedback_on, get_ready

    form = form_of(output) if output else None
    options = replace(options_of(grade, tone, dimensions, rubric, genre), task=task_of(task, source or []))
    request = FeedbackRequest(read_essay(essay), scope_of(book), options)
    context = composition.essay_context(settings(), repaired_services())
    get_ready(context)
    given = feedback_on(request, context)
    if output and form:
        write(output, form(given, services()))
    elif as_json:
        print_json(FeedbackResponse.of_feedback(given).model_dump(mode="json"))
    else:
        print_markdown(feedback_markdown(given))
    if given.id:
        note(f"Stored for {settings().keep_days} days: chapterverse marks show {given.id}")


def options_of(
    grade: int | None, tone: str | None, dimensions: str | None, rubric: Path | None, genre: str | None
) -> FeedbackOptions:
    """The options given on the command line, each None if not given. Raises BadRequest."""
    from chapterverse.essays.model import Tone
    from chapterverse.essays.rubric import BUILT_IN, read_rubric
    from chapterverse.essays.service import FeedbackOptions
    from chapterverse.essays.task import Genre

    return FeedbackOptions(
        grade=grade,
        tone=Tone(tone) if tone else None,
        dimensions=dimensions_named(dimensions) if dimensions else None,
        rubric=read_rubric(str(rubric) if str(rubric) in BUILT_IN else read_essay(rubric)) if rubric else None,
        genre=Genre(genre) if genre else None,
    )


def task_of(task: Path | None, sources: list[str]) -> WritingTask | None:
    """The task in these files and pages of books; None without any. Raises BadRequest, NotFound."""
    from chapterverse.essays.task import WritingTask

    if task is None and not sources:
        return None
    return WritingTask(read_essay(task) if task else "", tuple(map(source_text, sources)))


def source_text(named: str) -> str:
    """The text of a file, or of pages of a book: "mars:12-15". Raises BadRequest, NotFound."""
    from chapterverse.core.book import BookId
    from chapterverse.library.scope import text_of_pages

    book, colon, pages = named.rpartition(":")
    if colon and not Path(named).exists():
        return text_of_pages(settings().school, BookId(book), pages, services())
    return read_essay(Path(named))


def dimensions_named(names: str) -> tuple[Dimension, ...]:
    """The dimensions in a comma-separated list, without repetitions. Raises BadRequest for an unknown one."""
    from chapterverse.essays.model import Dimension

    try:
        return tuple(dict.fromkeys(Dimension(name.strip()) for name in names.split(",")))
    except ValueError:
        raise BadRequest("cli_no_such_dimension", given=names, known=", ".join(Dimension)) from None


def scope_of(books: list[str] | None) -> Scope:
    """The search scope: the school's books, or those named."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope

    return Scope(settings().school, tuple(BookId(book) for book in books or ()))


Form = Callable[["Feedback", "CollectionServices"], bytes]


def form_of(path: Path) -> Form:
    """The function that renders feedback for this file ending. Raises BadRequest for an unknown ending."""
    try:
        return FORMS[path.suffix.lower()]
    except KeyError:
        raise BadRequest("cli_output_form", path=path, endings=", ".join(FORMS)) from None


def write(path: Path, content: bytes) -> None:
    """Write the file, replacing an existing one. Raises BadRequest if that fails."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadRequest("cli_output_not_writable", path=path, reason=error.strerror) from error


def _html(given: Feedback, services: CollectionServices) -> bytes:
    from chapterverse.essays.render import feedback_html

    return feedback_html(given, _pages(given, services)).encode()


def _pdf(given: Feedback, services: CollectionServices) -> bytes:
    from chapterverse.essays.render import feedback_pdf

    return feedback_pdf(given, _pages(given, services), composition.printer(settings()))


def _markdown(given: Feedback, _: CollectionServices) -> bytes:
    from chapterverse.essays.render import feedback_markdown

    return feedback_markdown(given).encode("utf-8", "replace")


def _json(given: Feedback, _: CollectionServices) -> bytes:
    from chapterverse.essays.records import FeedbackResponse

    value = FeedbackResponse.of_feedback(given).model_dump(mode="json")
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace")


def _pages(given: Feedback, services: CollectionServices) -> HighlightedPages:
    from chapterverse.citations.passages import highlighted_pages

    return highlighted_pages(given.evidence.evidence, settings().school, services, composition.page_drawer())


FORMS: dict[str, Form] = {".html": _html, ".pdf": _pdf, ".md": _markdown, ".json": _json}

app = typer.Typer(
    name="marks",
    help="Stored feedback: rate it, choose its evidence, delete it.",
    no_args_is_help=True,
)

Id = Annotated[str, typer.Argument(metavar="ID", help="The feedback's id, as `feedback` and `marks show` print it.")]


class RatingName(StrEnum):
    """The values of model.Rating, without the import of numpy that it needs."""

    UP = "up"
    DOWN = "down"


class ShowName(StrEnum):
    """The values of model.Show, without the import of numpy that it needs."""

    NORMAL = "normal"
    PINNED = "pinned"
    HIDDEN = "hidden"


Part = Annotated[str | None, typer.Argument(metavar="[PART]", help="content, expressions, features, or evidence.")]

Number = Annotated[
    int | None, typer.Argument(metavar="[NUMBER]", help="Number of the comment or the evidence, as `marks show` prints it.")
]

RatingOption = Annotated[RatingName | None, typer.Option("--thumb", help="Rate the comment or the evidence.")]
Comment = Annotated[str | None, typer.Option("--comment", help="For colleagues; students do not see it.")]
ShowOption = Annotated[ShowName | None, typer.Option("--show", help="Evidence: pin it, hide it, or show it as found.")]

Sentence = Annotated[
    str | None, typer.Option("--sentence", help="Evidence: the id of another sentence of your books in its place.")
]


@app.command()
def show(
    feedback: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The feedback's id; without it, all are listed.")
    ] = None,
    *,
    limit: Annotated[int, typer.Option(min=1, help="List this many, the newest first.")] = 100,
    waiting: Annotated[bool, typer.Option("--waiting", help="List only feedback that is not approved.")] = False,
    export: Annotated[bool, typer.Option("--export", help="Print what you did with feedback, a line of JSON each.")] = False,
    with_text: Annotated[
        bool, typer.Option("--with-text", help="With --export: include your comments and the essays' words they are about.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show stored feedback as students see it, with the parts and numbers that `marks set` takes; without an id, list it."""
    if export:
        print_export(with_text)
    elif feedback is None:
        print_list(limit, waiting, as_json)
    else:
        print_feedback(feedback, as_json)


def print_list(limit: int, waiting: bool, as_json: bool) -> None:
    """Print a line for each stored feedback, newest first."""
    from chapterverse.essays.history import list_feedback
    from chapterverse.essays.records import Summary, with_offsets

    history = composition.feedback_history(settings()).for_school(settings().school)
    stored = list_feedback(settings().school, history, limit=limit, waiting=waiting)
    listed = [with_offsets(Summary.of(each, history)) for each in stored]
    if as_json:
        print_json(listed)
        return
    rows = [(each["id"], each["title"] or "", each["created"][:10], each["expires"][:10]) for each in listed]
    print_table(("id", "essay", "given", "stored until"), rows)


def print_feedback(feedback: str, as_json: bool) -> None:
    """Print one stored feedback. Raises NotFound."""
    from chapterverse.essays.history import find_feedback, visible_feedback, with_earlier
    from chapterverse.essays.records import StoredResponse, with_offsets
    from chapterverse.essays.render import feedback_markdown

    history = composition.feedback_history(settings())
    stored = find_feedback(settings().school, feedback, history)
    if as_json:
        print_json(with_offsets(StoredResponse.of_stored(stored, history)))
    else:
        visible = with_earlier(visible_feedback(stored), stored.school, history, for_student=False)
        print_markdown(feedback_markdown(visible, numbers=True))


def print_export(with_text: bool) -> None:
    """Print the teachers' ratings, a line of JSON each; texts only with_text."""
    from chapterverse.essays.review import Exported, reviewed_feedback

    for each in reviewed_feedback(settings().school, composition.feedback_history(settings())):
        print_json_line(Exported.of(each).line(with_text=with_text))


@app.command("set")
def set_mark(
    feedback: Id,
    part: Part = None,
    number: Number = None,
    *,
    thumb: RatingOption = None,
    comment: Comment = None,
    show: ShowOption = None,
    sentence: Sentence = None,
    approve: Annotated[
        bool | None, typer.Option("--approve/--withdraw", help="Let students see the feedback, or not any more.")
    ] = None,
) -> None:
    """Rate a comment or evidence (without an option: remove the rating), choose evidence, or approve the feedback."""
    if approve is not None:
        approve_feedback(feedback, approve)
    if part is None or number is None:
        if approve is None or part is not None:
            raise BadRequest("cli_part_and_number_missing")
        return
    if show is not None or sentence is not None:
        if part != "evidence":
            raise BadRequest("cli_only_of_evidence")
        choose_evidence(feedback, number, show or ShowName.NORMAL, sentence)
        if thumb is None and comment is None:
            return
    rate(feedback, part, number, thumb, comment)


def rate(feedback: str, part: str, number: int, thumb: RatingName | None, comment: str | None) -> None:
    """Store a teacher's rating; without thumb and comment, remove it."""
    from chapterverse.essays.model import Annotation, Item, Rating
    from chapterverse.essays.review import annotate

    new = Annotation(Item(part, number), Rating(thumb) if thumb else None, comment)
    annotate(settings().school, feedback, new, composition.feedback_history(settings()))


def choose_evidence(feedback: str, number: int, show: ShowName, sentence: str | None) -> None:
    """Pin or hide evidence, or replace it by another sentence; NORMAL without a sentence restores it."""
    from chapterverse.core.book import SentenceId
    from chapterverse.essays.model import Choice, Show
    from chapterverse.essays.review import Library, choose

    choice = Choice(number, Show(show), SentenceId(sentence) if sentence else None)
    choose(feedback, choice, composition.feedback_history(settings()), Library(settings().school, services()))


def approve_feedback(feedback: str, approved: bool) -> None:
    """Let students see the feedback, or not any more."""
    from chapterverse.essays.review import approve

    approve(settings().school, feedback, approved, composition.feedback_history(settings()))


@app.command()
def delete(feedback: Id) -> None:
    """Delete feedback at once, with its essay and annotations, also from the results of its batch."""
    from chapterverse.essays.batch.files import forget_feedback

    forget_feedback(settings().school, feedback, composition.batch_context(settings(), services()))
    print_line(f"Deleted {feedback}.")


INDENT = "    "


def show_evidence(found: EssayEvidence) -> None:
    """Print each sentence with score, address and the passages that found it; then messages and notes."""
    from chapterverse.citations.model import cite_with_origin

    for one in found.evidence:
        passage = one.passage
        print_line(f"{one.number}. {one.score:.2f} {cite_with_origin(passage)}")
        print_line(f"{INDENT}{passage.sentence.text}")
        print_line(f"{INDENT}for {'; '.join(map(named, one.found_by))}")
    for number, paragraph in enumerate(found.paragraphs, start=1):
        if paragraph.message:
            print_line(f"Paragraph {number}: {paragraph.message}")
    for line in found.notes:
        print_line(str(line))


def named(found_by: FoundBy) -> str:
    """A query and its score, e.g. "paragraph 2 (0.61)" or "a sentence of paragraph 2 (0.58)"."""
    whole = found_by.query.kind == "paragraph"
    return f"{'' if whole else 'a sentence of '}paragraph {found_by.query.paragraph + 1} ({found_by.score:.2f})"
