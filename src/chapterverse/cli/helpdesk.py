"""`chapterverse helpdesk`: its sources, and conversations with it; what agents do is in desk_faq.py and desk_handoffs.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli import desk_faq, desk_handoffs
from chapterverse.cli.books import try_to_add
from chapterverse.cli.desk import desk, shelf
from chapterverse.cli.folders import sources_at
from chapterverse.cli.outcome import note
from chapterverse.cli.session import settings
from chapterverse.cli.shelf import print_shelf, remove_from
from chapterverse.cli.terminal import Json, print_json, print_line
from chapterverse.errors import ChapterverseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapterverse.model import Conversation
    from chapterverse.usecases.helpdesk.talk import Reply

app = typer.Typer(name="helpdesk", help="A help desk that answers from an institute's sources.", no_args_is_help=True)
app.add_typer(desk_faq.app, name="faq")
app.add_typer(desk_handoffs.app, name="handoffs")

LISTS = (".json", ".jsonl", ".csv")
USER = "terminal"  # who leads a conversation in one

Department = Annotated[str | None, typer.Option(help="Look in this department's sources and in everybody's; else in all.")]
Name = Annotated[list[str] | None, typer.Option(help="Your name, told to nobody else; may be given more than once.")]
Talk = Annotated[str | None, typer.Option(help="Go on with this conversation.")]


@app.command()
def add(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="PDFs, Markdown or HTML pages, folders or zips of them; lists of questions and answers (JSON, CSV).",
        ),
    ],
    *,
    department: Annotated[str | None, typer.Option(help="Whose they are; else everybody's.")] = None,
    tickets: Annotated[bool, typer.Option(help="Lists are of tickets that were answered.")] = False,
    approve: Annotated[bool, typer.Option(help="Entries of lists are found at once, without being read before.")] = False,
    as_json: Json = False,
) -> None:
    """Make sources answer questions. The same file again: nothing to do. Another of the same name: a new version.

    Entries of lists are drafts until they are approved (`helpdesk faq approve`). A file that cannot be read does not keep the
    others out; the exit code is then that of the first."""
    of = desk_faq.department_named(department)
    errors = [error for file in files for error in added(file, of, tickets, approve, as_json) if error]
    if errors:
        raise typer.Exit(errors[0].exit_code)


def added(file: str, of: str | None, tickets: bool, approve: bool, as_json: bool) -> Iterator[ChapterverseError | None]:
    """What each source of it was refused with, if it was."""
    if file.lower().endswith(LISTS):
        yield desk_faq.try_to_import(Path(file), of, tickets, approve, as_json)
        return
    limits = composition.limits(settings(), shelf().collection)
    for source in sources_at(file, limits, {}):
        yield try_to_add(source, shelf(), as_json, of)


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """All sources, by title; the approved entries of a department are one."""
    print_shelf(shelf(), ("source", "chunks"), as_json)


@app.command()
def remove(
    source: Annotated[str, typer.Argument(help="A source's name, as `helpdesk list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a source and all that was kept of it."""
    remove_from(shelf(), source, yes, as_json)


@app.command()
def ask(
    message: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    conversation: Talk = None,
    department: Department = None,
    name: Name = None,
    as_json: Json = False,
) -> None:
    """Ask once, or go on with a conversation: an answer with its sources, or that there is none, and whom to ask then."""
    from chapterverse.usecases.helpdesk.desk_json import reply_json
    from chapterverse.usecases.helpdesk.talk import say

    told = begun(conversation, department, name)
    reply = say(settings().school, told.id, message, desk())
    if as_json:
        print_json({"conversation": told.id, **reply_json(reply)})
        return
    print_reply(reply)
    print_line(f"  To go on: --conversation {told.id}")


@app.command()
def chat(conversation: Talk = None, department: Department = None, name: Name = None) -> None:
    """Talk with the help desk: a line a message, until the end of the input. /human asks for an agent."""
    from chapterverse.usecases.helpdesk.talk import say

    told = begun(conversation, department, name)
    note(f"Conversation {told.id}. An empty line does nothing, /human asks for an agent, Ctrl-D ends.")
    for line in map(str.strip, sys.stdin):
        if line == "/human":
            human(told.id)
        elif line:
            print_reply(say(settings().school, told.id, line, desk()))


@app.command()
def human(conversation: Annotated[str, typer.Argument(help="Its id, as `helpdesk ask` shows it.")]) -> None:
    """Talk to Human: the conversation waits for an agent, who reads it and answers there."""
    from chapterverse.usecases.helpdesk.handoff import ask_for_agent

    told = ask_for_agent(settings().school, conversation, desk())
    print_line(f"An agent will answer; see `chapterverse helpdesk handoffs show {told.id}`.")


def begun(conversation: str | None, department: str | None, names: list[str] | None) -> Conversation:
    """That conversation, or a new one. Raises NotFound."""
    from chapterverse.usecases.helpdesk.talk import begin, find

    if conversation:
        return find(settings().school, conversation, desk())
    return begin(settings().school, USER, desk(), desk_faq.department_named(department), names or ())


def print_reply(reply: Reply) -> None:
    """The reply, and where each part of it stands."""
    from chapterverse.evidence.citation import cite

    print_line(reply.answer.text)
    for cited in (cited for claim in reply.answer.claims for cited in claim.citations):
        source = cited.source
        where = cite(cited.passage) if cited.passage.sentence.address.places else f"({source.title})"
        print_line(f"  [{source.number}] {source.type} {source.id}: {cited.passage.sentence.text} {where}")
    for line in reply.answer.notes:
        print_line(f"  {line}")
