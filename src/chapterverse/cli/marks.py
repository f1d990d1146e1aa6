"""`chapterverse marks`: feedback that is kept, and what a teacher does with it."""

from __future__ import annotations

from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_json, print_line, print_markdown, print_table

app = typer.Typer(name="marks", help="Feedback that is kept: look at it, and forget it.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The feedback's id, as `feedback` and `marks list` tell it.")]


@app.command("list")
def list_all(limit: Annotated[int, typer.Option(min=1, help="So many, of the newest.")] = 100, as_json: Json = False) -> None:
    """Feedback that is kept, newest first."""
    from chapterverse.usecases.kept_feedback import list_feedback
    from chapterverse.usecases.kept_json import summary_json

    keeping = composition.keeping(settings())
    told = [summary_json(kept, keeping) for kept in list_feedback(settings().school, keeping, limit=limit)]
    if as_json:
        print_json(told)
        return
    rows = [(each["id"], each["title"] or "", each["created"][:10], each["expires"][:10]) for each in told]
    print_table(("id", "essay", "given", "kept until"), rows)


@app.command()
def show(feedback: Id, as_json: Json = False) -> None:
    """Feedback as it was given."""
    from chapterverse.usecases.feedback_markdown import feedback_markdown
    from chapterverse.usecases.kept_feedback import feedback_of, find_feedback
    from chapterverse.usecases.kept_json import kept_json

    keeping = composition.keeping(settings())
    kept = find_feedback(settings().school, feedback, keeping)
    print_json(kept_json(kept, keeping)) if as_json else print_markdown(feedback_markdown(feedback_of(kept)))


@app.command()
def delete(feedback: Id) -> None:
    """Forget feedback at once, with its essay and all that was said of it."""
    from chapterverse.usecases.kept_feedback import remove_feedback

    remove_feedback(settings().school, feedback, composition.keeping(settings()))
    print_line(f"Deleted {feedback}.")
