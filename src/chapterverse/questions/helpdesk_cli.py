"""The help desk's commands: `chapterverse helpdesk faq` and `handoffs`, and conversations of `chapterverse ask`."""

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

    from chapterverse.library.services import CollectionServices
    from chapterverse.questions.faq import ImportResult
    from chapterverse.questions.helpdesk import HelpdeskContext, Reply
    from chapterverse.questions.model import Conversation, FaqEntry


def shelf() -> CollectionServices:
    """The real things, for the help desk's sources. Raises BadRequest where there is no place for them."""
    from chapterverse.core.book import Collection

    return services_of(Collection.HELPDESK)


@cache
def desk() -> HelpdeskContext:
    """All that it stands on. Raises as shelf."""
    return composition.helpdesk.desk(settings(), shelf(), composition.answering(settings(), shelf().embedder))


def handoffs(
    id: Annotated[
        str | None, typer.Argument(metavar="[CONVERSATION]", help="A conversation's id, as the list shows it.")
    ] = None,
    text: Annotated[str | None, typer.Argument(help="Your answer as an agent; the conversation then waits no more.")] = None,
    as_json: Json = False,
) -> None:
    """List the conversations that wait for an agent, show one, or answer in it."""
    from chapterverse.questions.helpdesk import answer_as_agent, find

    if id is None:
        print_waiting(as_json)
    elif text is None:
        print_conversation(find(settings().school, id, desk()), as_json)
    else:
        print_conversation(answer_as_agent(settings().school, id, text, desk()), as_json)


def print_waiting(as_json: bool) -> None:
    """Print the conversations that wait for an agent, longest first."""
    from chapterverse.questions.helpdesk import inbox
    from chapterverse.questions.records import conversation_json

    waiting = inbox(settings().school, desk())
    if as_json:
        print_json([conversation_json(told) for told in waiting])
        return
    rows = [(told.id, told.user, told.department or "", since(told), asked_last(told)) for told in waiting]
    print_table(("conversation", "user", "department", "waits since (UTC)", "asked last"), rows)


def print_conversation(told: Conversation, as_json: bool) -> None:
    """Turn by turn."""
    from chapterverse.questions.records import conversation_json

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
def list_entries(
    id: Annotated[str | None, typer.Argument(metavar="[ENTRY]", help="Show this entry alone.")] = None,
    *,
    drafts: Annotated[bool, typer.Option(help="Only entries that are not approved.")] = False,
    as_json: Json = False,
) -> None:
    """List all entries, oldest first, or show one."""
    from chapterverse.questions.records import entry_json

    if id is not None:
        print_entry(desk().faq.find(settings().school, id), as_json)
        return
    entries = desk().faq.of_school(settings().school, approved=False if drafts else None)
    if as_json:
        print_json([entry_json(entry) for entry in entries])
        return
    rows = [(entry.id, entry.type.value, entry.department or "", state_of(entry), entry.question) for entry in entries]
    print_table(("entry", "type", "department", "state", "question"), rows)


@desk_faq_app.command()
def add(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="LIST…", help="Lists of questions and answers: JSON, JSON lines or CSV.")
    ] = None,
    *,
    question: Annotated[str | None, typer.Option(help="One entry: what is asked.")] = None,
    answer: Annotated[str | None, typer.Option(help="One entry: what is answered.")] = None,
    department: Department = None,
    change: Annotated[
        str | None,
        typer.Option(metavar="ENTRY", help='Change this entry; what is not given stays. --department "": everybody\'s.'),
    ] = None,
    conversation: Annotated[str | None, typer.Option(help="Make the entry of this conversation's question and answer.")] = None,
    tickets: Annotated[bool, typer.Option(help="The lists hold tickets that were answered.")] = False,
    approve: Annotated[bool, typer.Option(help="Approve the entries of the lists at once, without a review.")] = False,
    as_json: Json = False,
) -> None:
    """Add drafts: one question with its answer, lists of them, or one from a conversation. Change an entry with --change.

    Drafts are not used until they are approved; a changed entry is a draft again.
    A list that is refused does not stop the others; the exit code is then that of the first refusal."""
    from chapterverse.questions.faq import EntryText, add_entry

    if change is not None:
        add_change(change, question, answer, department, as_json)
        return
    if conversation is not None:
        add_from_conversation(conversation, as_json)
        return
    if (files and (question or answer)) or (not files and not (question and answer)):
        raise BadRequest("cli_entry_or_lists")
    of = department_named(department)
    if question and answer:
        print_entry(add_entry(settings().school, EntryText(question, answer, of), desk()), as_json)
        return
    errors = [error for file in files or () if (error := try_to_import(file, of, tickets, approve, as_json))]
    if errors:
        raise typer.Exit(errors[0].exit_code)


def add_change(id: str, question: str | None, answer: str | None, department: str | None, as_json: bool) -> None:
    """Change an entry; what is None stays. The entry is a draft again."""
    from chapterverse.questions.faq import EntryText, change_entry

    old = desk().faq.find(settings().school, id)
    of = old.department if department is None else department_named(department)
    said = EntryText(question or old.question, answer or old.answer, of)
    print_entry(change_entry(settings().school, id, said, desk()), as_json)


def add_from_conversation(id: str, as_json: bool) -> None:
    """Make a draft of a conversation's question and its agent's answer, without names."""
    from chapterverse.questions.faq import draft_entry

    entry = draft_entry(settings().school, id, desk())
    print_entry(entry, as_json)
    if not as_json:
        print_line(f"Read it, change it if need be, then: chapterverse helpdesk faq approve {entry.id}")


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
    from chapterverse.questions.records import entry_json

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
    from chapterverse.questions.faq import ImportOptions, import_entries

    try:
        data = read_pdf(file, composition.limits(settings(), shelf().collection))
        done = import_entries(data, settings().school, ImportOptions(department, tickets, approve), desk())
    except (PermanentError, BookBusy) as error:
        complain(error, of=name_of(file))
        return error
    print_imported(name_of(file), done, as_json)
    return None


def print_imported(file: str, done: ImportResult, as_json: bool) -> None:
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
    from chapterverse.questions.records import entry_json

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

helpdesk_app.command()(handoffs)

USER = "terminal"  # the user's name in conversations of the command line


def ask_helpdesk(
    message: str | None, *, conversation: str | None, department: str | None, names: list[str], agent: bool, as_json: bool
) -> None:
    """Answer one message, or each line of the input until its end (/human asks for an agent).

    agent: hand the conversation over to an agent instead. Raises BadRequest for agent without a conversation, NotFound."""
    from chapterverse.questions import records
    from chapterverse.questions.helpdesk import say

    if agent:
        if conversation is None:
            raise BadRequest("cli_option_missing", option="--conversation")
        hand_over(conversation)
        return
    told = begun(conversation, department, names)
    if message is None:
        talk(told.id)
        return
    reply = say(settings().school, told.id, message, desk())
    if as_json:
        print_json(
            {"conversation": told.id, **records.reply(reply.id, records.AnswerRecord.of(reply.answer), with_agent=reply.held)}
        )
        return
    print_reply(reply)
    print_line(f"  To go on: --conversation {told.id}")


def talk(conversation: str) -> None:
    """Reply to each line of the input until its end."""
    from chapterverse.questions.helpdesk import say

    note(f"Conversation {conversation}. An empty line does nothing, /human asks for an agent, Ctrl-D ends.")
    for line in map(str.strip, sys.stdin):
        if line == "/human":
            hand_over(conversation)
        elif line:
            print_reply(say(settings().school, conversation, line, desk()))


def hand_over(conversation: str) -> None:
    """Hand the conversation over to an agent. Raises NotFound."""
    from chapterverse.questions.helpdesk import ask_for_agent

    told = ask_for_agent(settings().school, conversation, desk())
    print_line(f"An agent will answer; see `chapterverse helpdesk handoffs {told.id}`.")


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
