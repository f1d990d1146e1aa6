"""The help desk's part of `chapterverse ask`."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.terminal import note, print_json, print_line
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.questions.helpdesk import HelpdeskContext, Reply
    from chapterverse.questions.model import Conversation


@cache
def context() -> HelpdeskContext:
    """The help desk of the settings. Raises BadRequest without a home."""
    from chapterverse.core.book import Collection

    services = services_of(Collection.HELPDESK)
    return composition.helpdesk_context(settings(), services, composition.answer_settings(settings(), services.embedder))


def since(conversation: Conversation) -> str:
    """Since when it waits; empty if it does not."""
    return f"{conversation.waiting:%Y-%m-%d %H:%M}" if conversation.waiting else ""


Department = Annotated[str | None, typer.Option(help="The entry's department; all departments by default.")]


def department_named(given: str | None) -> str | None:
    """The name on one line; None for all departments. Raises BadRequest."""
    from bookreader.text.entries import LONGEST_DEPARTMENT

    name = " ".join((given or "").split())
    if len(name) > LONGEST_DEPARTMENT or not name.isprintable():
        raise BadRequest("cli_department_too_long", max_characters=LONGEST_DEPARTMENT)
    return name or None


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
    print_line(f"An agent will answer in the inbox, conversation {conversation}.")


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
