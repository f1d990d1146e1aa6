"""Messages and answers."""

import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.questions import helpdesk
from chapterverse.questions.answers import Question
from chapterverse.questions.faq import approve_entries, draft_entry
from chapterverse.questions.model import Agent, ConfidenceLevel, Conversation, EntryType
from chapterverse.questions.store import SqlAnswers
from chapterverse.questions.styles import HELPDESK
from tests.support.answers import answering, claims
from tests.support.desk import answered
from tests.support.language_servers import language_server, says
from tests.support.refusals import refused
from tests.support.shelved import words_in

QUESTION, ANSWER = "How do I hand in a late project?", "Hand in the form at the registry. It costs a fee of 25 euros."
FEE = claims(("The fee is 25 euros.", 1, "It costs a fee of 25 euros"))


def started(desk: helpdesk.HelpdeskContext, **facts: str) -> str:
    return helpdesk.begin("school", "u-1", desk, **facts).id


@pytest.mark.parametrize("empty", [True, False], ids=["no source at all", "none near enough"])
def test_where_nothing_is_near_the_fixed_text_is_said_and_no_model_called(desk: helpdesk.HelpdeskContext, empty: bool) -> None:
    if not empty:
        answered(desk, QUESTION, ANSWER)
    with language_server(says(claims(("So.", 1, "So")))) as server, answering(server) as by:
        desk = replace(desk, answer_settings=by)
        id = started(desk)

        answer = helpdesk.say("school", id, "Quokkas sleep?", desk).answer

        assert answer.text == HELPDESK.bands[ConfidenceLevel.REFUSED].before
        assert (answer.nothing, answer.claims, len(server.asked)) == (True, (), 0)


def test_the_model_is_told_what_was_said_and_neither_it_nor_the_embedder_by_whom(desk: helpdesk.HelpdeskContext) -> None:
    answered(desk, QUESTION, ANSWER)
    desk.services.embedder.calls.clear()
    with language_server(says(FEE)) as server, answering(server) as by:
        desk = replace(desk, answer_settings=by)
        id = helpdesk.begin("school", "u-1", desk, names=["Ada Lovelace"]).id
        helpdesk.say("school", id, "I am Ada: how do I hand in a late project?", desk)
        helpdesk.say("school", id, "Ada Lovelace, ada@uni.example.org, again: hand in a late project, how?", desk)

    told = next(each.material for each in reversed(server.asked) if "conversation begins" in each.material)
    assert "Student: I am <PERSON>: how" in told
    assert "<EMAIL_ADDRESS>, again" in told
    assert "ada" not in "".join(asked.material.lower() for asked in server.asked)
    assert "Ada: how" in helpdesk.find("school", id, desk).turns[0].text  # the agent has to know
    embedded = [text for call in desk.services.embedder.calls for text in call]
    assert embedded
    assert not any("Lovelace" in text for text in embedded)


def test_a_follow_up_is_understood_from_the_answer_before(desk: helpdesk.HelpdeskContext) -> None:
    answered(desk, QUESTION, ANSWER)
    id = started(desk)
    helpdesk.say("school", id, QUESTION, desk)

    assert not helpdesk.say("school", id, "What about that fee?", desk).answer.nothing
    assert helpdesk.say("school", started(desk), "What about that fee?", desk).answer.nothing


def test_a_message_and_a_conversation_have_a_length(desk: helpdesk.HelpdeskContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpdesk, "MAX_TURNS", 2)
    id = started(desk)
    for message, error in (("x" * 4001, TooLarge), (" \n", BadRequest)):
        with pytest.raises(error):
            helpdesk.say("school", id, message, desk)
    assert helpdesk.say("school", id, "x" * 4000, desk).answer.nothing

    with pytest.raises(TooLarge, match="Start a new one"):
        helpdesk.say("school", id, "Hello?", desk)


def test_another_school_has_no_part_in_it_and_old_ones_are_gone(desk: helpdesk.HelpdeskContext) -> None:
    id, none_kept = started(desk), replace(desk, keep_days=0)
    later = replace(desk, now=lambda: desk.now() + timedelta(days=31))

    for school, at in (("another", desk), ("school", later)):
        with pytest.raises(NotFound):
            helpdesk.say(school, id, "Hello?", at)
    assert helpdesk.say("school", started(none_kept), "Hello?", none_kept)  # open for a day


def test_a_message_sent_twice_is_answered_once_and_not_logged(
    desk: helpdesk.HelpdeskContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answered(desk, QUESTION, ANSWER)
    id = started(desk)

    reply, again = (helpdesk.say("school", id, "How do I hand in a late quokka project?", desk, "message-1") for _ in range(2))

    assert (again.id, again.reply) == (reply.id, reply.reply)
    assert len(helpdesk.find("school", id, desk).turns) == 2
    assert not any("quokka" in str(vars(record)) for record in caplog.records)


def test_the_seven_nearest_are_looked_at(desk: helpdesk.HelpdeskContext) -> None:
    for n in range(9):
        answered(desk, f"How do I hand in a late project, case {n}?", "Ask.")

    findings = helpdesk.find_entries(Question(QUESTION, QUESTION), Scope("school"), desk)

    assert len(findings.sources) == len(findings.scores) == 7


@pytest.mark.parametrize(("chance", "nothing", "meant"), [(0.9, False, 0), (0.2, True, 1), (0.01, True, 0)])
def test_the_chance_of_the_first_entry_decides(
    desk: helpdesk.HelpdeskContext, monkeypatch: pytest.MonkeyPatch, chance: float, nothing: bool, meant: int
) -> None:
    answered(desk, QUESTION, ANSWER)
    monkeypatch.setattr(helpdesk, "order_entries", lambda _, found, __: helpdesk.OrderedEntries(found, chance))

    reply = helpdesk.say("school", started(desk), "How can a late project be handed in?", desk).answer

    assert (reply.nothing, len(reply.did_you_mean)) == (nothing, meant)


def reading(desk: helpdesk.HelpdeskContext, tmp_path: Path) -> helpdesk.HelpdeskContext:
    """With a reader that finds no entry likelier than another."""
    services = replace(desk.services, words=words_in(tmp_path))
    services = replace(services, read_answers=lambda _, all_: [[0.0] * 3 for _ in all_])
    return replace(desk, services=services)


def test_an_entry_that_asks_the_same_in_the_same_words_is_the_answer(desk: helpdesk.HelpdeskContext, tmp_path: Path) -> None:
    desk = reading(desk, tmp_path)
    answered(desk, QUESTION, ANSWER)

    same, other = (helpdesk.say("school", started(desk), text, desk).answer for text in (QUESTION.upper(), "Which tea?"))

    assert [same.sources[claim.citations[0].number - 1].title for claim in same.claims] == [QUESTION, QUESTION]
    assert (other.nothing, other.claims) == (True, ())


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Great, thanks for your help!", "You're welcome."),
        ("Vielen Dank für die Hilfe", "Gern"),
        ("Hello, is there anybody?", "Hello!"),
        ("Goodbye, have a nice weekend", "Goodbye!"),
        ("are you a real person or a bot?", "I am a program."),
        ("I am so upset, what a day", "I am sorry"),
    ],
)
def test_small_talk_is_answered(desk: helpdesk.HelpdeskContext, text: str, reply: str) -> None:
    answered(desk, QUESTION, ANSWER)

    answer = helpdesk.say("school", started(desk), text, desk).answer

    assert (answer.nothing, answer.text.startswith(reply), answer.sources) == (False, True, [])
    [noted] = desk.answers.of_school("school", desk.now() - timedelta(days=1))
    assert not noted.nothing


def test_words_of_the_entry_before_do_not_count_for_it(desk: helpdesk.HelpdeskContext, tmp_path: Path) -> None:
    desk = reading(desk, tmp_path)
    for thing in ("canoe", "sledge"):
        answered(desk, f"How do I borrow a {thing} at the boathouse?", f"Ask Tim for the {thing}; a day costs 8 euros.")

    def after_canoe(message: str) -> str:
        id = started(desk)
        helpdesk.say("school", id, "How do I borrow a canoe at the boathouse?", desk)
        reply = helpdesk.say("school", id, message, desk).answer
        return next(iter(reply.did_you_mean if reply.nothing else [one.title for one in reply.sources]), "")

    assert after_canoe("and a sledge?") == "How do I borrow a sledge at the boathouse?"
    assert after_canoe("How much is it?") == "How do I borrow a canoe at the boathouse?"


ASKS = "I am Ada: where can quokkas sleep on campus?"
UMA = Agent("uma@school.example", "Uma")


def waits(desk: helpdesk.HelpdeskContext) -> str:
    """A conversation that waits for an agent."""
    id = helpdesk.begin("school", "u-1", desk, names=["Ada"], department="zoo").id
    helpdesk.say("school", id, ASKS, desk)
    return helpdesk.ask_for_agent("school", id, desk).id


def test_an_agents_answers_become_one_entry_on_the_question_that_all_find_once_it_is_approved(
    desk: helpdesk.HelpdeskContext,
) -> None:
    id = helpdesk.take("school", waits(desk), UMA, desk).id
    with refused(NotFound, "no_agent_answer_yet"):
        draft_entry("school", id, desk)
    helpdesk.ask_for_agent("school", id, desk, "It is for my essay.")
    for answer in ("Quokkas sleep in the old stable, dear Ada.", "Ask for Uma there."):
        helpdesk.answer_as_agent("school", id, UMA, desk, answer)

    draft = draft_entry("school", id, desk)

    assert (draft.type, draft.department, draft.conversation, draft.approved) == (EntryType.RESOLVED, "zoo", id, None)
    assert draft.question == "I am <PERSON>: where can quokkas sleep on campus?"
    assert draft.answer == "Quokkas sleep in the old stable, dear <PERSON>.\n\nAsk for <PERSON> there."
    assert draft_entry("school", id, desk) == draft
    assert len(desk.faq.of_school("school")) == 1
    other = helpdesk.begin("school", "u-2", desk, department="zoo").id
    assert helpdesk.say("school", other, "Where can quokkas sleep on campus?", desk).answer.nothing
    approve_entries("school", [draft.id], True, desk, read=True)
    found = helpdesk.say("school", other, "Where can quokkas sleep on campus?", desk).answer
    assert [(source.source_type, source.source_id) for source in found.sources] == [("resolved_query", draft.id)]
    assert not found.nothing


def test_an_agent_who_takes_it_meanwhile_answers_alone(desk: helpdesk.HelpdeskContext, monkeypatch: pytest.MonkeyPatch) -> None:
    id = waits(desk)
    monkeypatch.setattr(SqlAnswers, "add", lambda *_: helpdesk.take("school", id, UMA, desk))

    assert helpdesk.say("school", id, "Are you there?", desk).with_agent
    assert helpdesk.find("school", id, desk).turns[-1].text == "Are you there?"


def test_a_remark_and_an_answer_sent_twice_are_said_once(desk: helpdesk.HelpdeskContext) -> None:
    id = waits(desk)
    since = helpdesk.find("school", id, desk).waiting
    for _ in range(2):
        assert helpdesk.ask_for_agent("school", id, desk, "It is urgent.", "remark-1").waiting == since
    for _ in range(2):
        told = helpdesk.answer_as_agent("school", id, UMA, desk, "Soon.", message_id="answer-1")

    assert [turn.text for turn in told.turns[2:]] == ["It is urgent.", "Soon."]
    as_of_old = Conversation("old", "school", "u-1", told.created, turns=told.turns)
    assert (told.is_unread, as_of_old.is_unread) == (True, False)
