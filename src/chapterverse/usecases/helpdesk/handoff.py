"""Talk to Human: a conversation waits, one agent takes it, answers in it and closes it. While an agent has it, the assistant is
silent."""

from dataclasses import replace

from chapterverse.errors import TakenByAnother
from chapterverse.messages import message
from chapterverse.model import Agent, Conversation, HandOff, Speaker, Turn
from chapterverse.usecases.helpdesk import talk
from chapterverse.usecases.helpdesk.desk import Desk

MOST_LISTED = 200
NOBODY = Agent("")
"""Whoever answers for a program, and takes nothing."""


def ask_for_agent(school: str, id: str, desk: Desk, remark: str = "", remark_id: str | None = None) -> Conversation:
    """The conversation waits for an agent; asked again, it goes on waiting, and who has it goes on. remark: what else the agent
    should know, a turn of the conversation. Raises NotFound, TooLarge, CatalogUnavailable."""
    if remark.strip():
        talk.check_length(remark, desk)
    talk.find(school, id, desk)
    now = desk.now()

    def waits(told: Conversation) -> Conversation:
        told = _with(told, Turn(Speaker.STUDENT, remark, now, id=remark_id)) if remark.strip() else told
        return told if told.agent else replace(told, waiting=told.waiting or now, closed=None)

    return desk.conversations.change(school, id, waits)


def inbox(school: str, desk: Desk, state: HandOff = HandOff.WAITING) -> list[Conversation]:
    """Those that wait, longest first; that agents have; or that are closed, last first; at most MOST_LISTED. Raises
    CatalogUnavailable."""
    return desk.conversations.handed_over(school, state, desk.since, MOST_LISTED)


def take(school: str, id: str, agent: Agent, desk: Desk) -> Conversation:
    """The agent has it from now on, and of two who take it one: the other is told. Raises NotFound, TakenByAnother,
    CatalogUnavailable."""
    talk.find(school, id, desk)

    def taken(told: Conversation) -> Conversation:
        _refuse_others(told, agent)
        return replace(told, agent=agent, waiting=None, closed=None)

    return desk.conversations.change(school, id, taken)


def put_back(school: str, id: str, agent: Agent, desk: Desk, *, of_anybody: bool = False) -> Conversation:
    """It waits again for anybody. of_anybody: whoever has it: agents go home. Raises as take."""
    talk.find(school, id, desk)
    now = desk.now()

    def waits(told: Conversation) -> Conversation:
        if not of_anybody:
            _refuse_others(told, agent)
        return replace(told, agent=None, waiting=told.waiting or now, closed=None) if told.agent else told

    return desk.conversations.change(school, id, waits)


def answer_as_agent(
    school: str, id: str, text: str, desk: Desk, agent: Agent = NOBODY, *, text_id: str | None = None
) -> Conversation:
    """Say so in the conversation, which then waits no more. Raises NotFound, BadRequest, TooLarge, TakenByAnother,
    CatalogUnavailable."""
    talk.check_length(text, desk)
    talk.find(school, id, desk)
    now = desk.now()

    def answered(told: Conversation) -> Conversation:
        _refuse_others(told, agent)
        return replace(_with(told, Turn(Speaker.AGENT, text, now, id=text_id)), waiting=None)

    return desk.conversations.change(school, id, answered)


def close(school: str, id: str, agent: Agent, desk: Desk) -> Conversation:
    """Done with: the assistant answers again. Raises as take."""
    talk.find(school, id, desk)
    now = desk.now()

    def closed(told: Conversation) -> Conversation:
        _refuse_others(told, agent)
        return replace(told, agent=None, waiting=None, closed=told.closed or now)

    return desk.conversations.change(school, id, closed)


def _with(told: Conversation, turn: Turn) -> Conversation:
    """Once only, however often it is sent."""
    return told if told.said_as(turn.id) is not None else replace(told, turns=(*told.turns, turn))


def _refuse_others(told: Conversation, agent: Agent) -> None:
    if told.agent and told.agent.id != agent.id:
        raise TakenByAnother("conversation_taken", agent=told.agent.name or message("another_person"))
