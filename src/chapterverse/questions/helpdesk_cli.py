"""`chapterverse helpdesk faq` and `handoffs`, and the help desk's part of `chapterverse ask`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import name_of, read_pdf
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import Json, complain, note, print_json, print_line, print_removed, print_table, printable
from chapterverse.core.errors import BadRequest, BookBusy, ChapterverseError, PermanentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapterverse.questions.faq import ImportResult
    from chapterverse.questions.helpdesk import HelpdeskContext, Reply
    from chapterverse.questions.model import Conversation, FaqEntry
    from chapterverse.questions.records import ConversationRecord, EntryRecord


@cache
def context() -> HelpdeskContext:
    """The help desk of the settings. Raises BadRequest without a home."""
    from chapterverse.core.book import Collection

    services = services_of(Collection.HELPDESK)
    return composition.helpdesk_context(settings(), services, composition.answer_settings(settings(), services.embedder))


def handoffs(
    id: Annotated[str | None, typer.Argument(metavar="[CONVERSATION]", help="Id of a conversation, from the list.")] = None,
    text: Annotated[str | None, typer.Argument(help="Your answer as an agent; the conversation then no longer waits.")] = None,
    as_json: Json = False,
) -> None:
    """List the conversations that wait for an agent, show one, or answer in it."""
    from chapterverse.questions.helpdesk import answer_as_agent, find

    if id is None:
        print_waiting(as_json)
    elif text is None:
        print_conversation(find(settings().school, id, context()), as_json)
    else:
        print_conversation(answer_as_agent(settings().school, id, text, context()), as_json)


def print_waiting(as_json: bool) -> None:
    """Print the conversations that wait for an agent, longest first."""
    from chapterverse.questions.helpdesk import inbox

    waiting = inbox(settings().school, context())
    if as_json:
        print_json([conversation_record(conversation) for conversation in waiting])
        return
    rows = [
        (conversation.id, conversation.user, conversation.department or "", since(conversation), last_message(conversation))
        for conversation in waiting
    ]
    print_table(("conversation", "user", "department", "waits since (UTC)", "asked last"), rows)


def print_conversation(conversation: Conversation, as_json: bool) -> None:
    """Print the conversation turn by turn."""
    if as_json:
        print_json(conversation_record(conversation))
        return
    for turn in conversation.turns:
        print_line(f"{turn.speaker.value}: {turn.text}")
    if conversation.waiting:
        print_line(f"(waits for an agent since {since(conversation)} UTC)")


def conversation_record(conversation: Conversation) -> ConversationRecord:
    """The conversation for print_json."""
    from chapterverse.questions.records import ConversationRecord

    return ConversationRecord.model_validate(conversation)


def since(conversation: Conversation) -> str:
    """Since when it waits; empty if it does not."""
    return f"{conversation.waiting:%Y-%m-%d %H:%M}" if conversation.waiting else ""


def last_message(conversation: Conversation) -> str:
    """The student's last message; empty without one."""
    from chapterverse.questions.model import Speaker

    return next((turn.text for turn in reversed(conversation.turns) if turn.speaker is Speaker.STUDENT), "")


faq_app = typer.Typer(name="faq", help="FAQ entries: questions with approved answers, and drafts.", no_args_is_help=True)
EntryId = Annotated[str, typer.Argument(help="Id of an entry, from `helpdesk faq list`.")]
Department = Annotated[str | None, typer.Option(help="The entry's department; all departments by default.")]


@faq_app.command("list")
def list_entries(
    id: Annotated[str | None, typer.Argument(metavar="[ENTRY]", help="Show only this entry.")] = None,
    *,
    drafts: Annotated[bool, typer.Option(help="Only entries that are not approved.")] = False,
    as_json: Json = False,
) -> None:
    """List all entries, oldest first, or show one."""
    if id is not None:
        print_entry(context().faq.find(settings().school, id), as_json)
        return
    entries = context().faq.of_school(settings().school, approved=False if drafts else None)
    if as_json:
        print_json([entry_record(entry) for entry in entries])
        return
    rows = [(entry.id, entry.type.value, entry.department or "", state_of(entry), entry.question) for entry in entries]
    print_table(("entry", "type", "department", "state", "question"), rows)


@faq_app.command()
def add(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="LIST…", help="Lists of questions and answers: JSON, JSON lines or CSV.")
    ] = None,
    *,
    question: Annotated[str | None, typer.Option(help="One entry: its question.")] = None,
    answer: Annotated[str | None, typer.Option(help="One entry: its answer.")] = None,
    department: Department = None,
    change: Annotated[
        str | None,
        typer.Option(
            metavar="ENTRY", help='Change this entry; options not given stay as they are. --department "": all departments.'
        ),
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(help="Make a draft of this conversation's question and its agent's answer.")
    ] = None,
    tickets: Annotated[bool, typer.Option(help="The lists contain resolved tickets.")] = False,
    approve: Annotated[bool, typer.Option(help="Approve the entries of the lists at once, without a review.")] = False,
    as_json: Json = False,
) -> None:
    """Add drafts: one question with its answer, lists of them, or one from a conversation. Change an entry with --change.

    Drafts are not searched until they are approved; a changed entry is a draft again.
    Lists that cannot be imported are skipped; the exit code is that of the first one."""
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
        print_entry(add_entry(settings().school, EntryText(question, answer, of), context()), as_json)
        return
    errors = [error for file in files or () if (error := try_to_import(file, of, tickets, approve, as_json))]
    if errors:
        raise typer.Exit(errors[0].exit_code)


def add_change(id: str, question: str | None, answer: str | None, department: str | None, as_json: bool) -> None:
    """Change an entry; None leaves a part as it is. The entry is a draft again."""
    from chapterverse.questions.faq import EntryText, change_entry

    old = context().faq.find(settings().school, id)
    of = old.department if department is None else department_named(department)
    text = EntryText(question or old.question, answer or old.answer, of)
    print_entry(change_entry(settings().school, id, text, context()), as_json)


def add_from_conversation(id: str, as_json: bool) -> None:
    """Make a draft of a conversation's question and its agent's answer, with names redacted."""
    from chapterverse.questions.faq import draft_entry

    entry = draft_entry(settings().school, id, context())
    print_entry(entry, as_json)
    if not as_json:
        print_line(f"Review it, change it if necessary, then: chapterverse helpdesk faq approve {entry.id}")


@faq_app.command()
def approve(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ENTRY…", help="Ids of entries, from `helpdesk faq list`.")] = None,
    *,
    all_drafts: Annotated[bool, typer.Option("--all", help="All drafts.")] = False,
    withdraw: Annotated[bool, typer.Option(help="Make them drafts again, which are not searched.")] = False,
    as_json: Json = False,
) -> None:
    """Approve entries, so that they are searched."""
    from chapterverse.questions.faq import approve_entries

    if bool(ids) == all_drafts:
        raise BadRequest("cli_which_entries")
    wanted = ids or [entry.id for entry in context().faq.of_school(settings().school, approved=withdraw)]
    entries = approve_entries(settings().school, wanted, not withdraw, context(), read=ids is not None and len(ids) == 1)
    if as_json:
        print_json([entry_record(entry) for entry in entries])
    else:
        done = [entry for entry in entries if withdraw or entry.approved]
        print_line(f"{'Withdrew' if withdraw else 'Approved'} {len(done)} entries.")
        for entry in entries:
            if entry not in done:
                print_line(
                    f"  {entry.id} stays a draft: a name or an address was redacted in it. Read it and approve it alone."
                )


@faq_app.command()
def remove(
    id: EntryId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    as_json: Json = False,
) -> None:
    """Delete an entry."""
    from chapterverse.questions.faq import remove_entry

    entry = context().faq.find(settings().school, id)
    if not yes:
        typer.confirm(f"Remove “{printable(entry.question)}”?", err=True, abort=True)
    remove_entry(settings().school, id, context())
    print_removed(id, id, as_json=as_json)


def try_to_import(file: Path, department: str | None, tickets: bool, approve: bool, as_json: bool) -> ChapterverseError | None:
    """Import a list and print the result. Returns the error, if there was one."""
    from chapterverse.questions.faq import ImportOptions, import_entries

    try:
        data = read_pdf(file, composition.limits(settings(), context().services.collection))
        done = import_entries(data, settings().school, ImportOptions(department, tickets, approve), context())
    except (PermanentError, BookBusy) as error:
        complain(error, of=name_of(file))
        return error
    print_import(name_of(file), done, as_json)
    return None


@dataclass(frozen=True)
class ImportRecord:
    """The result of an import, for `--json`: numbers of entries."""

    file: str
    added: int
    changed: int
    unchanged: int
    drafts: int


def print_import(file: str, done: ImportResult, as_json: bool) -> None:
    """Print the result of an import, and the next step for drafts."""
    drafts = sum(entry.approved is None for entry in done.entries)
    numbers = {"added": len(done.added), "changed": len(done.changed), "unchanged": len(done.unchanged)}
    if as_json:
        print_json(ImportRecord(file, **numbers, drafts=drafts))
        return
    summary = ", ".join(f"{number} {what}" for what, number in numbers.items() if number)
    print_line(f"{file}: {len(done.entries)} entries ({summary}).")
    if drafts:
        print_line(
            f"  {drafts} of them are drafts, which are not searched. Review them (chapterverse helpdesk faq list --drafts), "
            "then: chapterverse helpdesk faq approve --all"
        )


def print_entry(entry: FaqEntry, as_json: bool) -> None:
    """Print all fields of an entry."""
    if as_json:
        print_json(entry_record(entry))
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


def entry_record(entry: FaqEntry) -> EntryRecord:
    """The entry for print_json."""
    from chapterverse.questions.records import EntryRecord

    return EntryRecord.model_validate(entry)


def state_of(entry: FaqEntry) -> str:
    """approved, archived or draft."""
    return "approved" if entry.approved else "archived" if entry.archived else "draft"


def department_named(given: str | None) -> str | None:
    """The name on one line; None for all departments. Raises BadRequest."""
    from bookreader.text.entries import LONGEST_DEPARTMENT

    name = " ".join((given or "").split())
    if len(name) > LONGEST_DEPARTMENT or not name.isprintable():
        raise BadRequest("cli_department_too_long", max_characters=LONGEST_DEPARTMENT)
    return name or None


helpdesk_app = typer.Typer(name="helpdesk", help="A help desk that answers from an institute's sources.", no_args_is_help=True)

helpdesk_app.add_typer(faq_app, name="faq")

helpdesk_app.command()(handoffs)

USER = "terminal"  # the user's name in conversations of the command line


def ask_helpdesk(
    message: str | None, *, conversation: str | None, department: str | None, names: list[str], agent: bool, as_json: bool
) -> None:
    """Answer the message, or each line of the input until its end (/human asks for an agent).

    agent: hand the conversation over to an agent instead; needs a conversation. Raises BadRequest, NotFound."""
    from chapterverse.questions.helpdesk import say
    from chapterverse.questions.records import AnswerRecord, ReplyRecord

    if agent:
        if conversation is None:
            raise BadRequest("cli_option_missing", option="--conversation")
        hand_over(conversation)
        return
    begun = begin_or_find(conversation, department, names)
    if message is None:
        talk(begun.id)
        return
    reply = say(settings().school, begun.id, message, context())
    if as_json:
        record = ReplyRecord.of(reply.id, AnswerRecord.of(reply.answer), with_agent=reply.held)
        print_json({"conversation": begun.id, **record.model_dump()})
        return
    print_reply(reply)
    print_line(f"  To continue: --conversation {begun.id}")


def talk(conversation: str) -> None:
    """Reply to each line of the input until its end."""
    from chapterverse.questions.helpdesk import say

    note(f"Conversation {conversation}. /human asks for an agent, Ctrl-D ends.")
    for line in map(str.strip, sys.stdin):
        if line == "/human":
            hand_over(conversation)
        elif line:
            print_reply(say(settings().school, conversation, line, context()))


def hand_over(conversation: str) -> None:
    """Hand the conversation over to an agent. Raises NotFound."""
    from chapterverse.questions.helpdesk import ask_for_agent

    ask_for_agent(settings().school, conversation, context())
    print_line(f"An agent will answer; see `chapterverse helpdesk handoffs {conversation}`.")


def begin_or_find(conversation: str | None, department: str | None, names: list[str] | None) -> Conversation:
    """That conversation, or a new one. Raises NotFound."""
    from chapterverse.questions.helpdesk import begin, find

    if conversation:
        return find(settings().school, conversation, context())
    return begin(settings().school, USER, context(), department_named(department), names or ())


def print_reply(reply: Reply) -> None:
    """Print the reply with its citations and notes."""
    from chapterverse.citations.model import cite
    from chapterverse.questions.cli import print_author

    print_line(reply.answer.text)
    for cited in reply.answer.citations:
        source = cited.source
        where = cite(cited.passage) if cited.passage.sentence.address.places else f"({source.title})"
        print_line(f"  [{source.number}] {source.type} {source.id}: {cited.passage.sentence.text} {where}")
    if reply.answer.claims:
        print_author(reply.answer.by)
    for line in reply.answer.notes:
        print_line(f"  {line}")
    if reply.answer.siblings:
        print_line(f"  Did you mean: {' / '.join(reply.answer.siblings)}")
