"""`chapterverse batches`: list, remove."""

from __future__ import annotations

from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services, settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table

app = typer.Typer(name="batches", help="The batches of essays that were handed in.", no_args_is_help=True)


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """All batches, newest first, and how far each has come."""
    from chapterverse.usecases.overnight.batch_json import batch_json

    night = composition.night(settings(), services())
    told = [batch_json(batch, night.now()) for batch in night.store.of_school(settings().school)]
    if as_json:
        print_json(told)
        return
    names = ("batch", "state", "essays", "done", "failed", "left")
    print_table((*names, "handed in"), [(*(str(each[name]) for name in names), each["created"][:10]) for each in told])


@app.command()
def remove(
    batch: Annotated[str, typer.Argument(metavar="BATCH", help="As `batches list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Forget a batch, its essays and all that was written on them, at once. What was written into folders beside your own files
    stays there."""
    from chapterverse.model import BatchKey
    from chapterverse.usecases.overnight.batches import take_back

    night, key = composition.night(settings(), services()), BatchKey(settings().school, batch)
    essays = night.store.batch(key).essays
    if not yes:
        typer.confirm(f"Forget this batch of {essays} essays and the feedback on them?", err=True, abort=True)
    take_back(key, night)
    print_line(f"Removed {batch}.")
