"""Talk to Human."""

import pytest

from chapterverse.errors import NotFound
from chapterverse.model import EntryType, Speaker
from chapterverse.usecases.helpdesk.desk import Desk
from chapterverse.usecases.helpdesk.faq import approve_entry
from chapterverse.usecases.helpdesk.handoff import answer_as_agent, ask_for_agent, draft_entry, inbox
from chapterverse.usecases.helpdesk.talk import begin, find, say

ASKS = "I am Ada: where can quokkas sleep on campus?"


def waits(desk: Desk) -> str:
    """A conversation that waits for an agent."""
    id = begin("school", "u-1", desk, names=["Ada"], department="zoo").id
    say("school", id, ASKS, desk)
    return ask_for_agent("school", id, desk).id


def test_the_whole_conversation_waits_in_the_inbox_until_an_agent_answers(desk: Desk) -> None:
    id = waits(desk)

    [waiting] = inbox("school", desk)
    assert (waiting.id, waiting.turns[0].text) == (id, ASKS)
    since = waiting.waiting
    assert ask_for_agent("school", id, desk).waiting == since

    answer_as_agent("school", id, "In the old stable, dear Ada.", desk)
    assert inbox("school", desk) == []
    assert find("school", id, desk).turns[-1].speaker is Speaker.AGENT


def test_an_agents_answer_becomes_an_entry_that_all_find_once_it_is_approved(desk: Desk) -> None:
    id = waits(desk)
    answer_as_agent("school", id, "Quokkas sleep in the old stable, dear Ada.", desk)

    draft = draft_entry("school", id, desk)

    assert (draft.type, draft.department, draft.conversation, draft.approved) == (EntryType.RESOLVED, "zoo", id, None)
    assert (draft.question, draft.answer) == (
        "I am <PERSON>: where can quokkas sleep on campus?",
        "Quokkas sleep in the old stable, dear <PERSON>.",
    )
    other = begin("school", "u-2", desk, department="zoo").id
    assert say("school", other, "Where can quokkas sleep on campus?", desk).answer.nothing
    approve_entry("school", draft.id, True, desk)
    answer = say("school", other, "Where can quokkas sleep on campus?", desk).answer
    assert [(source.type, source.id) for source in answer.sources] == [("resolved_query", draft.id)]
    assert not answer.nothing


def test_what_no_agent_has_answered_is_no_entry(desk: Desk) -> None:
    with pytest.raises(NotFound, match="No agent"):
        draft_entry("school", waits(desk), desk)


def test_another_school_sees_nothing(desk: Desk) -> None:
    id = waits(desk)

    assert inbox("another", desk) == []
    for do in (ask_for_agent, draft_entry):
        with pytest.raises(NotFound):
            do("another", id, desk)
