"""The help desk, for its commands.

`chapterverse helpdesk handoffs`: what students have handed over to an agent.

`chapterverse helpdesk faq`: questions that are answered once and for all.

`chapterverse helpdesk`: its sources, and conversations with it; what agents do is in desk_faq.py and desk_handoffs.py."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import name_of, read_pdf
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, complain, note, print_json, print_line, print_table, printable
from chapterverse.core.errors import BadRequest, BookBusy, ChapterverseError, PermanentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapterverse.library.services import Services
    from chapterverse.questions.faq import Imported
    from chapterverse.questions.helpdesk import Desk, Reply
    from chapterverse.questions.model import Conversation, FaqEntry


def shelf() -> Services:
    """The real things, for the help desk's sources. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.HELPDESK)


@cache
def desk() -> Desk:
    """All that it stands on. Raises as shelf."""
    return composition.helpdesk.desk(settings(), shelf(), composition.answering(settings(), shelf().embedder))


app = typer.Typer(name="handoffs", help="Conversations that wait for an agent.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(metavar="CONVERSATION", help="Its id, as `helpdesk handoffs list` shows it.")]


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """Those that wait, longest first."""
    from chapterverse.questions.helpdesk import inbox
    from chapterverse.questions.helpdesk_json import conversation_json

    waiting = inbox(settings().school, desk())
    if as_json:
        print_json([conversation_json(told) for told in waiting])
        return
    rows = [(told.id, told.user, told.department or "", since(told), asked_last(told)) for told in waiting]
    print_table(("conversation", "user", "department", "waits since (UTC)", "asked last"), rows)


@app.command()
def show(id: Id, as_json: Json = False) -> None:
    """All that was said in a conversation, oldest first; also in one that waits for nobody."""
    from chapterverse.questions.helpdesk import find

    print_conversation(find(settings().school, id, desk()), as_json)


@app.command()
def answer(id: Id, text: Annotated[str, typer.Argument(help="What you answer.")], as_json: Json = False) -> None:
    """Answer as an agent; the conversation waits no more."""
    from chapterverse.questions.helpdesk import answer_as_agent

    print_conversation(answer_as_agent(settings().school, id, text, desk()), as_json)


@app.command()
def draft(id: Id, as_json: Json = False) -> None:
    """Make an entry of what was asked and an agent answered, without who is who: a draft, to be read and approved."""
    from chapterverse.questions.faq import draft_entry

    entry = draft_entry(settings().school, id, desk())
    print_entry(entry, as_json)
    if not as_json:
        print_line(f"Read it, change it if need be, then: chapterverse helpdesk faq approve {entry.id}")


def print_conversation(told: Conversation, as_json: bool) -> None:
    """Turn by turn."""
    from chapterverse.questions.helpdesk_json import conversation_json

    if as_json:
        print_json(conversation_json(told))
        return
    for turn in told.turns:
        print_line(f"{turn.speaker.value}: {turn.text}")
    if told.waiting:
        print_line(f"(waits for an agent since {since(told)} UTC)")


def since(told: Conversation) -> str:
    """When it was handed over."""
    return f"{told.waiting:%Y-%m-%d %H:%M}" if told.waiting else ""


def asked_last(told: Conversation) -> str:
    """What the student wrote last."""
    from chapterverse.questions.model import Speaker

    return next((turn.text for turn in reversed(told.turns) if turn.speaker is Speaker.STUDENT), "")


desk_faq_app = typer.Typer(
    name="faq", help="Questions that are answered once and for all: drafts, and approved ones.", no_args_is_help=True
)

DeskFaqId = Annotated[str, typer.Argument(help="An entry's id, as `helpdesk faq list` shows it.")]

Question = Annotated[str, typer.Option(help="What is asked.")]

Answer = Annotated[str, typer.Option(help="What is answered.")]

Department = Annotated[str | None, typer.Option(help="Whose it is; else everybody's.")]


@desk_faq_app.command("list")
def desk_faq_list_all(
    drafts: Annotated[bool, typer.Option(help="Only those that nobody has approved.")] = False, as_json: Json = False
) -> None:
    """All entries, oldest first."""
    from chapterverse.questions.helpdesk_json import entry_json

    entries = desk().faq.of_school(settings().school, approved=False if drafts else None)
    if as_json:
        print_json([entry_json(entry) for entry in entries])
        return
    rows = [(entry.id, entry.type.value, entry.department or "", state_of(entry), entry.question) for entry in entries]
    print_table(("entry", "type", "department", "state", "question"), rows)


@desk_faq_app.command("show")
def desk_faq_show(id: DeskFaqId, as_json: Json = False) -> None:
    """One entry."""
    print_entry(desk().faq.find(settings().school, id), as_json)


@desk_faq_app.command()
def add(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="LIST…", help="Lists of questions and answers: JSON, JSON lines or CSV.")
    ] = None,
    *,
    question: Annotated[str | None, typer.Option(help="One entry: what is asked.")] = None,
    answer: Annotated[str | None, typer.Option(help="One entry: what is answered.")] = None,
    department: Department = None,
    tickets: Annotated[bool, typer.Option(help="The lists hold tickets that were answered.")] = False,
    approve: Annotated[bool, typer.Option(help="Approve the entries of the lists at once, without a review.")] = False,
    as_json: Json = False,
) -> None:
    """Add drafts: one question with its answer, or lists of them. Drafts are not used until they are approved.

    A list that is refused does not stop the others; the exit code is then that of the first refusal."""
    from chapterverse.questions.faq import Wording, add_entry

    if (files and (question or answer)) or (not files and not (question and answer)):
        raise BadRequest("cli_entry_or_lists")
    of = department_named(department)
    if question and answer:
        print_entry(add_entry(settings().school, Wording(question, answer, of), desk()), as_json)
        return
    errors = [error for file in files or () if (error := try_to_import(file, of, tickets, approve, as_json))]
    if errors:
        raise typer.Exit(errors[0].exit_code)


@desk_faq_app.command()
def change(
    id: DeskFaqId,
    question: Annotated[str | None, typer.Option(help="What is asked; else as before.")] = None,
    answer: Annotated[str | None, typer.Option(help="What is answered; else as before.")] = None,
    department: Annotated[str | None, typer.Option(help='Whose it is; else as before. "": everybody\'s.')] = None,
    as_json: Json = False,
) -> None:
    """Change what it says. It is a draft again, and found no more until it is approved."""
    from chapterverse.questions.faq import Wording, change_entry

    old = desk().faq.find(settings().school, id)
    of = old.department if department is None else department_named(department)
    said = Wording(question or old.question, answer or old.answer, of)
    print_entry(change_entry(settings().school, id, said, desk()), as_json)


@desk_faq_app.command()
def approve(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ENTRY…", help="Ids, as `helpdesk faq list` shows them.")] = None,
    *,
    all_drafts: Annotated[bool, typer.Option("--all", help="All drafts that there are.")] = False,
    withdraw: Annotated[bool, typer.Option(help="Let them be found no more.")] = False,
    as_json: Json = False,
) -> None:
    """Let entries be found, from now on, all at once."""
    from chapterverse.questions.faq import approve_entries
    from chapterverse.questions.helpdesk_json import entry_json

    if bool(ids) == all_drafts:
        raise BadRequest("cli_which_entries")
    wanted = ids or [entry.id for entry in desk().faq.of_school(settings().school, approved=withdraw)]
    entries = approve_entries(settings().school, wanted, not withdraw, desk())
    if as_json:
        print_json([entry_json(entry) for entry in entries])
    else:
        print_line(f"{'Withdrew' if withdraw else 'Approved'} {len(entries)} entries.")


@desk_faq_app.command()
def remove(
    id: DeskFaqId, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False, as_json: Json = False
) -> None:
    """Forget an entry; it is found no more."""
    from chapterverse.questions.faq import remove_entry

    entry = desk().faq.find(settings().school, id)
    if not yes:
        typer.confirm(f"Remove “{printable(entry.question)}”?", err=True, abort=True)
    remove_entry(settings().school, id, desk())
    print_json({"removed": id}) if as_json else print_line(f"Removed {id}.")


def try_to_import(file: Path, department: str | None, tickets: bool, approve: bool, as_json: bool) -> ChapterverseError | None:
    """Take in a list and say so; what it was refused with, if it was."""
    from chapterverse.questions.faq import AsImported, import_entries

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
    from chapterverse.questions.helpdesk_json import entry_json

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
    from chapterverse.library.text.entries import LONGEST_DEPARTMENT

    name = " ".join((told or "").split())
    if len(name) > LONGEST_DEPARTMENT or not name.isprintable():
        raise BadRequest("cli_department_too_long", max_characters=LONGEST_DEPARTMENT)
    return name or None


helpdesk_app = typer.Typer(name="helpdesk", help="A help desk that answers from an institute's sources.", no_args_is_help=True)

helpdesk_app.add_typer(desk_faq_app, name="faq")

helpdesk_app.add_typer(app, name="handoffs")

USER = "terminal"  # who leads a conversation in one

HelpdeskDepartment = Annotated[
    str | None, typer.Option(help="Look in this department's sources and in everybody's; else in all.")
]

Name = Annotated[list[str] | None, typer.Option(help="Your name, told to nobody else; may be given more than once.")]

Talk = Annotated[str | None, typer.Option(help="Go on with this conversation.")]


@helpdesk_app.command()
def ask(
    message: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    conversation: Talk = None,
    department: HelpdeskDepartment = None,
    name: Name = None,
    as_json: Json = False,
) -> None:
    """Ask once, or go on with a conversation: an answer with its sources, or that there is none, and whom to ask then."""
    from chapterverse.questions.helpdesk import say
    from chapterverse.questions.helpdesk_json import reply_json

    told = begun(conversation, department, name)
    reply = say(settings().school, told.id, message, desk())
    if as_json:
        print_json({"conversation": told.id, **reply_json(reply)})
        return
    print_reply(reply)
    print_line(f"  To go on: --conversation {told.id}")


@helpdesk_app.command()
def chat(conversation: Talk = None, department: HelpdeskDepartment = None, name: Name = None) -> None:
    """Talk with the help desk: a line a message, until the end of the input. /human asks for an agent."""
    from chapterverse.questions.helpdesk import say

    told = begun(conversation, department, name)
    note(f"Conversation {told.id}. An empty line does nothing, /human asks for an agent, Ctrl-D ends.")
    for line in map(str.strip, sys.stdin):
        if line == "/human":
            human(told.id)
        elif line:
            print_reply(say(settings().school, told.id, line, desk()))


@helpdesk_app.command()
def human(conversation: Annotated[str, typer.Argument(help="Its id, as `helpdesk ask` shows it.")]) -> None:
    """Talk to Human: the conversation waits for an agent, who reads it and answers there."""
    from chapterverse.questions.helpdesk import ask_for_agent

    told = ask_for_agent(settings().school, conversation, desk())
    print_line(f"An agent will answer; see `chapterverse helpdesk handoffs show {told.id}`.")


def begun(conversation: str | None, department: str | None, names: list[str] | None) -> Conversation:
    """That conversation, or a new one. Raises NotFound."""
    from chapterverse.questions.helpdesk import begin, find

    if conversation:
        return find(settings().school, conversation, desk())
    return begin(settings().school, USER, desk(), department_named(department), names or ())


def print_reply(reply: Reply) -> None:
    """The reply, and where each part of it stands."""
    from chapterverse.citations.model import cite

    print_line(reply.answer.text)
    for cited in (cited for claim in reply.answer.claims for cited in claim.citations):
        source = cited.source
        where = cite(cited.passage) if cited.passage.sentence.address.places else f"({source.title})"
        print_line(f"  [{source.number}] {source.type} {source.id}: {cited.passage.sentence.text} {where}")
    for line in reply.answer.notes:
        print_line(f"  {line}")
