"""Talk to Human."""

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.questions.faq import approve_entries, draft_entry
from chapterverse.questions.helpdesk import (
    HelpdeskContext,
    answer_as_agent,
    ask_for_agent,
    begin,
    find,
    say,
    take,
)
from chapterverse.questions.model import Agent, EntryType
from chapterverse.questions.store import SqlAnswers
from tests.support.refusals import refused

ASKS = "I am Ada: where can quokkas sleep on campus?"
UMA = Agent("uma@school.example", "Uma")


def waits(desk: HelpdeskContext) -> str:
    """A conversation that waits for an agent."""
    id = begin("school", "u-1", desk, names=["Ada"], department="zoo").id
    say("school", id, ASKS, desk)
    return ask_for_agent("school", id, desk).id


def test_an_agents_answers_become_one_entry_on_what_the_assistant_did_not_know_that_all_find_once_it_is_approved(
    desk: HelpdeskContext,
) -> None:
    id = take("school", waits(desk), UMA, desk).id
    ask_for_agent("school", id, desk, "It is for my essay.")
    for answer in ("Quokkas sleep in the old stable, dear Ada.", "Ask for Uma there."):
        answer_as_agent("school", id, UMA, desk, answer)

    draft = draft_entry("school", id, desk)

    assert (draft.type, draft.department, draft.conversation, draft.approved) == (EntryType.RESOLVED, "zoo", id, None)
    assert draft.question == "I am <PERSON>: where can quokkas sleep on campus?"
    assert draft.answer == "Quokkas sleep in the old stable, dear <PERSON>.\n\nAsk for <PERSON> there."
    assert draft_entry("school", id, desk) == draft
    assert len(desk.faq.of_school("school")) == 1
    other = begin("school", "u-2", desk, department="zoo").id
    assert say("school", other, "Where can quokkas sleep on campus?", desk).answer.nothing
    approve_entries("school", [draft.id], True, desk, read=True)
    found = say("school", other, "Where can quokkas sleep on campus?", desk).answer
    assert [(source.source_type, source.source_id) for source in found.sources] == [("resolved_query", draft.id)]
    assert not found.nothing


def test_what_no_agent_has_answered_is_no_entry(desk: HelpdeskContext) -> None:
    with refused(NotFound, "no_agent_answer_yet"):
        draft_entry("school", waits(desk), desk)


def test_an_agent_who_takes_it_while_the_assistant_answers_answers_alone(
    desk: HelpdeskContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = waits(desk)
    monkeypatch.setattr(SqlAnswers, "add", lambda *_: take("school", id, UMA, desk))

    assert say("school", id, "Are you there?", desk).with_agent
    assert find("school", id, desk).turns[-1].text == "Are you there?"


def test_a_remark_and_an_answer_sent_twice_are_said_once(desk: HelpdeskContext) -> None:
    id = waits(desk)
    since = find("school", id, desk).waiting
    for _ in range(2):
        assert ask_for_agent("school", id, desk, "It is urgent.", "remark-1").waiting == since
    for _ in range(2):
        told = answer_as_agent("school", id, UMA, desk, "Soon.", message_id="answer-1")

    assert [turn.text for turn in told.turns[2:]] == ["It is urgent.", "Soon."]
