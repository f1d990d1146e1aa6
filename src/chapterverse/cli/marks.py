"""`chapterverse marks`: feedback that is kept, and what a teacher does with it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services, settings
from chapterverse.cli.terminal import Json, print_json, print_json_line, print_line, print_markdown, print_table

app = typer.Typer(
    name="marks",
    help="Feedback that is kept: judge it, choose its evidence, forget it.",
    no_args_is_help=True,
)

Id = Annotated[str, typer.Argument(metavar="ID", help="The feedback's id, as `feedback` and `marks list` tell it.")]


class Thumbs(StrEnum):
    """model.Thumb, which would bring numpy along."""

    UP = "up"
    DOWN = "down"


class Shown(StrEnum):
    """model.Show, likewise."""

    NORMAL = "normal"
    PINNED = "pinned"
    HIDDEN = "hidden"


Part = Annotated[str, typer.Argument(metavar="PART", help="content, expressions, features, or evidence.")]
Number = Annotated[int, typer.Argument(metavar="NUMBER", help="Of the comment or the evidence, as `marks show` tells it.")]
ThumbOption = Annotated[Thumbs | None, typer.Option("--thumb", help="Whether it is good.")]
Comment = Annotated[str | None, typer.Option("--comment", help="For colleagues; students do not see it.")]
ShowOption = Annotated[Shown, typer.Option("--show", help="First, nowhere, or in its place.")]
Sentence = Annotated[str | None, typer.Option("--sentence", help="The id of another sentence of your books in its place.")]


@app.command("list")
def list_all(
    limit: Annotated[int, typer.Option(min=1, help="So many, of the newest.")] = 100,
    waiting: Annotated[bool, typer.Option("--waiting", help="Only what is not approved.")] = False,
    as_json: Json = False,
) -> None:
    """Feedback that is kept, newest first."""
    from chapterverse.usecases.kept_feedback import list_feedback
    from chapterverse.usecases.kept_json import summary_json

    keeping = composition.keeping(settings())
    told = [summary_json(kept, keeping) for kept in list_feedback(settings().school, keeping, limit=limit, waiting=waiting)]
    if as_json:
        print_json(told)
        return
    rows = [(each["id"], each["title"] or "", each["created"][:10], each["expires"][:10]) for each in told]
    print_table(("id", "essay", "given", "kept until"), rows)


@app.command()
def show(feedback: Id, as_json: Json = False) -> None:
    """Feedback as you have it shown to students; before each comment the part and number that the other commands take."""
    from chapterverse.usecases.feedback_markdown import feedback_markdown
    from chapterverse.usecases.kept_feedback import find_feedback
    from chapterverse.usecases.kept_json import feedback_shown, kept_json

    keeping = composition.keeping(settings())
    kept = find_feedback(settings().school, feedback, keeping)
    if as_json:
        print_json(kept_json(kept, keeping))
    else:
        print_markdown(feedback_markdown(feedback_shown(kept), numbers=True))


@app.command("set")
def set_mark(feedback: Id, part: Part, number: Number, thumb: ThumbOption = None, comment: Comment = None) -> None:
    """Say what you think of a comment or of evidence; with neither option, take that back."""
    from chapterverse.model import Item, Mark, Thumb
    from chapterverse.usecases.teachers_control import mark

    new = Mark(Item(part, number), Thumb(thumb) if thumb else None, comment)
    mark(settings().school, feedback, new, composition.keeping(settings()))


@app.command()
def evidence(feedback: Id, number: Number, show: ShowOption = Shown.NORMAL, sentence: Sentence = None) -> None:
    """Pin evidence, hide it, or put another sentence in its place; with neither option, as it was found."""
    from chapterverse.model import Choice, SentenceId, Show
    from chapterverse.usecases.teachers_control import Library, choose

    judge = composition.writing(settings(), services().embedder).judge
    choice = Choice(number, Show(show), SentenceId(sentence) if sentence else None)
    choose(feedback, choice, composition.keeping(settings()), Library(settings().school, services(), judge))


@app.command()
def approve(
    feedback: Id, withdraw: Annotated[bool, typer.Option("--withdraw", help="Students see it no more.")] = False
) -> None:
    """Let students see it."""
    from chapterverse.usecases import teachers_control

    teachers_control.approve(settings().school, feedback, not withdraw, composition.keeping(settings()))


@app.command()
def export(
    with_text: Annotated[
        bool, typer.Option("--with-text", help="With your comments and the essays' words they are about.")
    ] = False,
) -> None:
    """What you did with feedback, a line of JSON each; nobody's words, unless you ask for them."""
    from chapterverse.usecases.kept_json import export_marks

    for each in export_marks(settings().school, composition.keeping(settings()), with_text=with_text):
        print_json_line(each)


@app.command()
def delete(feedback: Id) -> None:
    """Forget feedback at once, with its essay and all that was said of it, in the results of its batch, too."""
    from chapterverse.usecases.overnight.forgotten import forget_feedback

    forget_feedback(settings().school, feedback, composition.night(settings(), services()))
    print_line(f"Deleted {feedback}.")
