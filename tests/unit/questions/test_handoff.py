"""Talk to Human."""

import pytest

from chapterverse.core.errors import NotFound, TakenByAnother
from chapterverse.questions.faq import approve_entries, draft_entry
from chapterverse.questions.helpdesk import (
    MAX_HANDOFFS,
    HelpdeskContext,
    answer_as_agent,
    ask_for_agent,
    begin,
    close,
    find,
    put_back,
    say,
    take,
)
from chapterverse.questions.model import Agent, Conversation, EntryType, HandOff, Speaker
from chapterverse.questions.store import SqlAnswers
from tests.support.refusals import refused

ASKS = "I am Ada: where can quokkas sleep on campus?"


def inbox(desk: HelpdeskContext, state: HandOff = HandOff.WAITING) -> list[Conversation]:
    return desk.conversations.in_state("school", state, desk.since, MAX_HANDOFFS)


def waits(desk: HelpdeskContext) -> str:
    """A conversation that waits for an agent."""
    id = begin("school", "u-1", desk, names=["Ada"], department="zoo").id
    say("school", id, ASKS, desk)
    return ask_for_agent("school", id, desk).id


def test_the_whole_conversation_waits_in_the_inbox_until_an_agent_answers(desk: HelpdeskContext) -> None:
    id = waits(desk)

    [waiting] = inbox(desk)
    assert (waiting.id, waiting.turns[0].text) == (id, ASKS)
    since = waiting.waiting
    assert ask_for_agent("school", id, desk).waiting == since

    answer_as_agent("school", id, UMA, desk, "In the old stable, dear Ada.")
    assert inbox(desk) == []
    assert find("school", id, desk).turns[-1].speaker is Speaker.AGENT


def test_an_agents_answer_becomes_an_entry_that_all_find_once_it_is_approved(desk: HelpdeskContext) -> None:
    id = waits(desk)
    answer_as_agent("school", id, UMA, desk, "Quokkas sleep in the old stable, dear Ada.")

    draft = draft_entry("school", id, desk)

    assert (draft.type, draft.department, draft.conversation, draft.approved) == (EntryType.RESOLVED, "zoo", id, None)
    assert (draft.question, draft.answer) == (
        "I am <PERSON>: where can quokkas sleep on campus?",
        "Quokkas sleep in the old stable, dear <PERSON>.",
    )
    other = begin("school", "u-2", desk, department="zoo").id
    assert say("school", other, "Where can quokkas sleep on campus?", desk).answer.nothing
    approve_entries("school", [draft.id], True, desk, read=True)
    answer = say("school", other, "Where can quokkas sleep on campus?", desk).answer
    assert [(source.source_type, source.source_id) for source in answer.sources] == [("resolved_query", draft.id)]
    assert not answer.nothing


def test_what_no_agent_has_answered_is_no_entry(desk: HelpdeskContext) -> None:
    with refused(NotFound, "no_agent_answer_yet"):
        draft_entry("school", waits(desk), desk)


UMA, UDO = Agent("uma@school.example", "Uma"), Agent("udo@school.example", "Udo")


def test_of_two_agents_one_takes_it_until_it_is_put_back(desk: HelpdeskContext) -> None:
    id = waits(desk)

    assert take("school", id, UMA, desk) == take("school", id, UMA, desk)
    for do in (take, close, put_back):
        with pytest.raises(TakenByAnother, match="Uma is"):
            do("school", id, UDO, desk)
    with pytest.raises(TakenByAnother):
        answer_as_agent("school", id, UDO, desk, "I know.")
    assert [told.id for told in inbox(desk, HandOff.HELD)] == [id]
    assert inbox(desk) == []
    assert put_back("school", id, UDO, desk, any_agent=True).hand_off is HandOff.WAITING
    take("school", id, UDO, desk)


def test_the_assistant_is_silent_while_an_agent_has_it_until_it_is_closed_and_asked_for_again(desk: HelpdeskContext) -> None:
    id = take("school", waits(desk), UMA, desk).id

    assert say("school", id, "Are you there?", desk).with_agent
    assert find("school", id, desk).turns[-1].text == "Are you there?"

    assert close("school", id, UMA, desk).hand_off is HandOff.CLOSED
    assert not say("school", id, "Are you there?", desk).with_agent
    assert find("school", id, desk).turns[-1].speaker is Speaker.ASSISTANT
    assert ask_for_agent("school", id, desk).hand_off is HandOff.WAITING
    assert inbox(desk, HandOff.CLOSED) == []


def test_an_agent_who_takes_it_while_the_assistant_answers_answers_alone(
    desk: HelpdeskContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = waits(desk)
    monkeypatch.setattr(SqlAnswers, "add", lambda *_: take("school", id, UMA, desk))

    assert say("school", id, "Are you there?", desk).with_agent
    assert find("school", id, desk).turns[-1].text == "Are you there?"


def test_a_remark_and_an_answer_sent_twice_are_said_once(desk: HelpdeskContext) -> None:
    id = waits(desk)
    for _ in range(2):
        ask_for_agent("school", id, desk, "It is urgent.", "remark-1")
        told = answer_as_agent("school", id, UMA, desk, "Soon.", message_id="answer-1")

    assert [turn.text for turn in told.turns[2:]] == ["It is urgent.", "Soon."]


def test_an_entry_is_of_the_question_that_the_assistant_did_not_know_and_all_that_was_answered(desk: HelpdeskContext) -> None:
    id = take("school", waits(desk), UMA, desk).id
    ask_for_agent("school", id, desk, "It is for my essay.")
    answer_as_agent("school", id, UMA, desk, "In the stable.")
    answer_as_agent("school", id, UMA, desk, "Ask for Uma there.")

    draft = draft_entry("school", id, desk)

    assert draft.question == "I am <PERSON>: where can quokkas sleep on campus?"
    assert draft.answer == "In the stable.\n\nAsk for <PERSON> there."
    assert draft_entry("school", id, desk) == draft
    assert len(desk.faq.of_school("school")) == 1
