"""An entry made of what an agent answered, that all may find once somebody has read and approved it."""

from itertools import takewhile

from chapterverse.errors import NotFound
from chapterverse.model import Conversation, EntryType, FaqEntry, Speaker, Turn
from chapterverse.usecases.helpdesk import faq, talk
from chapterverse.usecases.helpdesk.desk import Desk


def draft_entry(school: str, id: str, desk: Desk) -> FaqEntry:
    """A draft of the question that an agent answered last, and the answer, without who is who: found by nobody until somebody
    has read and approved it. Made again of the same words, it is the draft that is there.

    Raises NotFound where no agent has answered, ModelUnavailable, CatalogUnavailable."""
    told = talk.find(school, id, desk)
    asked, said = _answered_last(told)
    names = (*told.names, *([told.agent.name] if told.agent and told.agent.name else ()))
    question, answer = desk.redactor.redact([asked, said], names)
    words = (question, answer)
    before = (entry for entry in desk.faq.of_school(school, approved=False) if entry.conversation == id)
    if same := next((entry for entry in before if (entry.question, entry.answer) == words), None):
        return same
    draft = FaqEntry(faq.new_id(), school, *words, desk.now(), told.department, EntryType.RESOLVED, conversation=id)
    desk.faq.keep([draft])
    return draft


def _answered_last(told: Conversation) -> tuple[str, str]:
    """The question: what the assistant had been asked before the agent came, or else was said before; the answer: all that
    the agent said since. Raises NotFound."""
    silent = list(takewhile(_no_assistant, reversed(told.turns[: _last_of_agent(told) + 1])))[::-1]
    before = told.turns[: _last_of_agent(told) + 1 - len(silent)]
    answers = [turn.text for turn in silent if turn.speaker is Speaker.AGENT]
    first = next((at for at, turn in enumerate(silent) if turn.speaker is Speaker.AGENT), 0)
    asked = [turn.text for turn in (*silent[:first][::-1], *before[::-1]) if turn.speaker is Speaker.STUDENT]
    to_assistant = [turn.text for turn in before if turn.speaker is Speaker.STUDENT]
    if not (answers and asked):
        raise NotFound("no_agent_answer_yet")
    return (to_assistant[-1] if to_assistant else asked[0]), "\n\n".join(answers)


def _no_assistant(turn: Turn) -> bool:
    return turn.speaker is not Speaker.ASSISTANT


def _last_of_agent(told: Conversation) -> int:
    return max((at for at, turn in enumerate(told.turns) if turn.speaker is Speaker.AGENT), default=-1)
