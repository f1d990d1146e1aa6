"""Talk to Human: an agent reads the conversation, answers in it, and may make an entry of the answer that all find."""

from dataclasses import replace

from chapterverse.errors import NotFound
from chapterverse.model import Conversation, EntryType, FaqEntry, Speaker, Turn
from chapterverse.usecases.helpdesk import faq, talk
from chapterverse.usecases.helpdesk.desk import Desk

MOST_LISTED = 200


def ask_for_agent(school: str, id: str, desk: Desk) -> Conversation:
    """The conversation waits for an agent; asked again, it goes on waiting. Raises NotFound, CatalogUnavailable."""
    talk.find(school, id, desk)
    now = desk.now()
    return desk.conversations.change(school, id, lambda told: replace(told, waiting=told.waiting or now))


def inbox(school: str, desk: Desk) -> list[Conversation]:
    """Those that wait, longest first, at most MOST_LISTED. Raises CatalogUnavailable."""
    return desk.conversations.waiting(school, desk.since, MOST_LISTED)


def answer_as_agent(school: str, id: str, text: str, desk: Desk) -> Conversation:
    """Say so in the conversation, which then waits no more. Raises NotFound, BadRequest, TooLarge, CatalogUnavailable."""
    talk.check_length(text, desk)
    talk.find(school, id, desk)
    turn = Turn(Speaker.AGENT, text, desk.now())
    return desk.conversations.change(school, id, lambda told: replace(told, turns=(*told.turns, turn), waiting=None))


def draft_entry(school: str, id: str, desk: Desk) -> FaqEntry:
    """A draft of the question that an agent answered last, and the answer, without who is who: found by nobody until somebody
    has read and approved it. Raises NotFound where no agent has answered, ModelUnavailable, CatalogUnavailable."""
    told = talk.find(school, id, desk)
    answered = max((at for at, turn in enumerate(told.turns) if turn.speaker is Speaker.AGENT), default=-1)
    asked = [turn for turn in told.turns[: max(answered, 0)] if turn.speaker is Speaker.STUDENT]
    if not asked:
        raise NotFound("No agent has answered a question in this conversation yet.")
    question, answer = desk.redactor.redact([asked[-1].text, told.turns[answered].text], told.names)
    draft = FaqEntry(
        id=faq.new_id(),
        school=school,
        question=question,
        answer=answer,
        created=desk.now(),
        department=told.department,
        type=EntryType.RESOLVED,
        conversation=id,
    )
    desk.faq.keep([draft])
    return draft
