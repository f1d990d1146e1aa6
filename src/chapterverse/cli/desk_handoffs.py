"""`chapterverse helpdesk handoffs`: what students have handed over to an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse.cli.desk import desk
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table

if TYPE_CHECKING:
    from chapterverse.model import Conversation

app = typer.Typer(name="handoffs", help="Conversations that wait for an agent.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(metavar="CONVERSATION", help="Its id, as `helpdesk handoffs list` shows it.")]


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """Those that wait, longest first."""
    from chapterverse.usecases.helpdesk.desk_json import conversation_json
    from chapterverse.usecases.helpdesk.handoff import inbox

    waiting = inbox(settings().school, desk())
    if as_json:
        print_json([conversation_json(told) for told in waiting])
        return
    rows = [(told.id, told.user, told.department or "", since(told), asked_last(told)) for told in waiting]
    print_table(("conversation", "user", "department", "waits since (UTC)", "asked last"), rows)


@app.command()
def show(id: Id, as_json: Json = False) -> None:
    """All that was said in a conversation, oldest first; also in one that waits for nobody."""
    from chapterverse.usecases.helpdesk.talk import find

    print_conversation(find(settings().school, id, desk()), as_json)


@app.command()
def answer(id: Id, text: Annotated[str, typer.Argument(help="What you answer.")], as_json: Json = False) -> None:
    """Answer as an agent; the conversation waits no more."""
    from chapterverse.usecases.helpdesk.handoff import answer_as_agent

    print_conversation(answer_as_agent(settings().school, id, text, desk()), as_json)


@app.command()
def draft(id: Id, as_json: Json = False) -> None:
    """Make an entry of what was asked and an agent answered, without who is who: a draft, to be read and approved."""
    from chapterverse.cli.desk_faq import print_entry
    from chapterverse.usecases.helpdesk.resolved import draft_entry

    entry = draft_entry(settings().school, id, desk())
    print_entry(entry, as_json)
    if not as_json:
        print_line(f"Read it, change it if need be, then: chapterverse helpdesk faq approve {entry.id}")


def print_conversation(told: Conversation, as_json: bool) -> None:
    """Turn by turn."""
    from chapterverse.usecases.helpdesk.desk_json import conversation_json

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
    from chapterverse.model import Speaker

    return next((turn.text for turn in reversed(told.turns) if turn.speaker is Speaker.STUDENT), "")
