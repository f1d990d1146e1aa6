"""`chapterverse helpdesk faq`: questions that are answered once and for all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.desk import desk, shelf
from chapterverse.cli.files import name_of, read_pdf
from chapterverse.cli.outcome import complain
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table, printable
from chapterverse.errors import BadRequest, BookBusy, ChapterverseError, PermanentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapterverse.model import FaqEntry
    from chapterverse.usecases.helpdesk.imports import Imported

app = typer.Typer(
    name="faq", help="Questions that are answered once and for all: drafts, and approved ones.", no_args_is_help=True
)

Id = Annotated[str, typer.Argument(help="An entry's id, as `helpdesk faq list` shows it.")]
Question = Annotated[str, typer.Option(help="What is asked.")]
Answer = Annotated[str, typer.Option(help="What is answered.")]
Department = Annotated[str | None, typer.Option(help="Whose it is; else everybody's.")]


@app.command("list")
def list_all(
    drafts: Annotated[bool, typer.Option(help="Only those that nobody has approved.")] = False, as_json: Json = False
) -> None:
    """All entries, oldest first."""
    from chapterverse.usecases.helpdesk.desk_json import entry_json

    entries = desk().faq.of_school(settings().school, approved=False if drafts else None)
    if as_json:
        print_json([entry_json(entry) for entry in entries])
        return
    rows = [(entry.id, entry.type.value, entry.department or "", state_of(entry), entry.question) for entry in entries]
    print_table(("entry", "type", "department", "state", "question"), rows)


@app.command()
def show(id: Id, as_json: Json = False) -> None:
    """One entry."""
    print_entry(desk().faq.find(settings().school, id), as_json)


@app.command()
def add(question: Question, answer: Answer, department: Department = None, as_json: Json = False) -> None:
    """Write a draft. Nobody finds it before it is approved."""
    from chapterverse.usecases.helpdesk.faq import Wording, add_entry

    said = Wording(question, answer, department_named(department))
    print_entry(add_entry(settings().school, said, desk()), as_json)


@app.command()
def change(
    id: Id,
    question: Annotated[str | None, typer.Option(help="What is asked; else as before.")] = None,
    answer: Annotated[str | None, typer.Option(help="What is answered; else as before.")] = None,
    department: Annotated[str | None, typer.Option(help='Whose it is; else as before. "": everybody\'s.')] = None,
    as_json: Json = False,
) -> None:
    """Change what it says. It is a draft again, and found no more until it is approved."""
    from chapterverse.usecases.helpdesk.faq import Wording, change_entry

    old = desk().faq.find(settings().school, id)
    of = old.department if department is None else department_named(department)
    said = Wording(question or old.question, answer or old.answer, of)
    print_entry(change_entry(settings().school, id, said, desk()), as_json)


@app.command()
def approve(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ENTRY…", help="Ids, as `helpdesk faq list` shows them.")] = None,
    *,
    all_drafts: Annotated[bool, typer.Option("--all", help="All drafts that there are.")] = False,
    withdraw: Annotated[bool, typer.Option(help="Let them be found no more.")] = False,
    as_json: Json = False,
) -> None:
    """Let entries be found, from now on, all at once."""
    from chapterverse.usecases.helpdesk.desk_json import entry_json
    from chapterverse.usecases.helpdesk.faq import approve_entries

    if bool(ids) == all_drafts:
        raise BadRequest("cli_which_entries")
    wanted = ids or [entry.id for entry in desk().faq.of_school(settings().school, approved=withdraw)]
    entries = approve_entries(settings().school, wanted, not withdraw, desk())
    if as_json:
        print_json([entry_json(entry) for entry in entries])
    else:
        print_line(f"{'Withdrew' if withdraw else 'Approved'} {len(entries)} entries.")


@app.command()
def remove(
    id: Id, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False, as_json: Json = False
) -> None:
    """Forget an entry; it is found no more."""
    from chapterverse.usecases.helpdesk.faq import remove_entry

    entry = desk().faq.find(settings().school, id)
    if not yes:
        typer.confirm(f"Remove “{printable(entry.question)}”?", err=True, abort=True)
    remove_entry(settings().school, id, desk())
    print_json({"removed": id}) if as_json else print_line(f"Removed {id}.")


def try_to_import(file: Path, department: str | None, tickets: bool, approve: bool, as_json: bool) -> ChapterverseError | None:
    """Take in a list and say so; what it was refused with, if it was."""
    from chapterverse.usecases.helpdesk.imports import AsImported, import_entries

    try:
        data = read_pdf(file, composition.limits(settings(), shelf().collection))
        done = import_entries(data, settings().school, AsImported(department, tickets, approve), desk())
    except (PermanentError, BookBusy) as error:
        complain(error, of=name_of(file))
        return error
    print_imported(name_of(file), done, as_json)
    return None


def print_imported(file: str, done: Imported, as_json: bool) -> None:
    """What came of a list, and what is to be done with drafts."""
    drafts = sum(entry.approved is None for entry in done.entries)
    figures = {"added": len(done.added), "changed": len(done.changed), "unchanged": len(done.unchanged)}
    if as_json:
        print_json({"file": file, **figures, "drafts": drafts})
        return
    told = ", ".join(f"{number} {what}" for what, number in figures.items() if number)
    print_line(f"{file}: {len(done.entries)} entries ({told}).")
    if drafts:
        print_line(
            f"  {drafts} are drafts, which nobody finds: read them (chapterverse helpdesk faq list --drafts), then "
            "chapterverse helpdesk faq approve --all"
        )


def print_entry(entry: FaqEntry, as_json: bool) -> None:
    """All of it."""
    from chapterverse.usecases.helpdesk.desk_json import entry_json

    if as_json:
        print_json(entry_json(entry))
        return
    rows: Sequence[tuple[str, str]] = [
        ("entry", entry.id),
        ("source id", entry.source_id),
        ("type", entry.type.value),
        ("department", entry.department or ""),
        ("state", state_of(entry)),
        ("question", entry.question),
        ("answer", entry.answer),
    ]
    print_table(("", ""), rows)


def state_of(entry: FaqEntry) -> str:
    """Whether it is found."""
    return "approved" if entry.approved else "archived" if entry.archived else "draft"


def department_named(told: str | None) -> str | None:
    """On one line; None for everybody's. Raises BadRequest."""
    from chapterverse.ingestion.entries import LONGEST_DEPARTMENT

    name = " ".join((told or "").split())
    if len(name) > LONGEST_DEPARTMENT or not name.isprintable():
        raise BadRequest("cli_department_too_long", max_characters=LONGEST_DEPARTMENT)
    return name or None
