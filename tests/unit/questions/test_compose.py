"""Answers as they leave: cited, checked, or a plain word that there is none."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from chapterverse.core.ports import ModelFacts
from chapterverse.questions.answers import EXTRACT, CitableSource, Findings, text_of
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.styles import DOCUMENT_QA, HELPDESK, TEXTBOOK_CHAT, AnswerStyle
from tests.support.answers import DEADLINE, FEE, FORM, KEEPS, a_source, answering, asks, claims, findings
from tests.support.language_servers import Asked, LanguageServer, Reply, language_server, says

STYLES = (DOCUMENT_QA, TEXTBOOK_CHAT, HELPDESK)
BOTH = claims(("It is handed in by 30 June at noon.", 1, DEADLINE), ("Being late costs 25 euros.", 2, FEE))


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        yield running


def keeping(draft: Any, *dropped: str, repaired: Any = None) -> Callable[[Asked], Reply]:
    """What a model says to each prompt: the draft, then a finding for each claim, against those that are dropped."""

    def reply(asked: Asked) -> Reply:
        if "problem" in (asked.schema or {}).get("properties", {}):
            bad = any(each in asked.material for each in dropped)
            return says({**KEEPS, "problem": "not there", "true_of_sources": False} if bad else KEEPS)
        return says((repaired or {"claims": []}) if "refused" in asked.instructions else draft)

    return reply


def answered(
    server: LanguageServer,
    reply: Callable[[Asked], Reply],
    *given: CitableSource,
    style: AnswerStyle = DOCUMENT_QA,
    **facts: Any,
) -> AnswerRecord:
    server.reply = reply
    sources = given or (a_source(1, FORM, DEADLINE), a_source(2, FEE))
    with answering(server) as by:
        return compose_answer(asks(), findings(*sources, **facts), style, "school", by)


@pytest.mark.parametrize(("style", "named"), [*((style, (1, 2)) for style in STYLES), (DOCUMENT_QA, (2, 9))])
def test_claims_point_at_sentences_in_any_source(style: AnswerStyle, named: tuple[int, int], server: LanguageServer) -> None:
    both = claims(("It is handed in by 30 June at noon.", named[0], DEADLINE), ("Being late costs 25 euros.", named[1], FEE))
    answer = answered(server, keeping(both), style=style)

    assert answer.text == "It is handed in by 30 June at noon. [1] Being late costs 25 euros. [2]"
    assert [cited.sentence.text for cited in answer.citations] == [DEADLINE, FEE]
    assert (answer.by, answer.nothing) == ("a-model", False)


def test_a_claim_that_the_second_reading_withholds_is_repaired_once_or_dropped(server: LanguageServer) -> None:
    dropped = answered(server, keeping(BOTH, "Being late"))
    assert [claim.text for claim in dropped.claims] == ["It is handed in by 30 June at noon."]
    repaired = claims(("It must be there by 30 June at noon.", 1, DEADLINE))

    answer = answered(server, keeping(BOTH, "It is handed in", repaired=repaired))

    assert [claim.text for claim in answer.claims] == ["It must be there by 30 June at noon.", "Being late costs 25 euros."]


def test_where_the_claim_that_answers_falls_no_rest_is_shown_but_what_was_found(server: LanguageServer) -> None:
    answer = answered(server, keeping(BOTH, "It is handed in"))

    assert (answer.confidence.band, [one.text for one in answer.claims]) == ("medium", [FORM])
    assert [one.text for one in answer.passages[0].sentences] == [FORM, DEADLINE]
    assert "could not be confirmed" in str(answer.notes[0])


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("It is handed in by 30 July at noon.", 1, DEADLINE),
        ("Write to dean@example.org.", 1, DEADLINE),
        ("It is handed in by 30 June at noon.", 1, "A project is handed in whenever you like."),
        ("The fee is due to Professor Hill.", 2, FEE),
    ],
)
def test_a_claim_with_what_no_source_says_is_dropped_unread(text: str, number: int, words: str, server: LanguageServer) -> None:
    assert (text in answered(server, keeping(claims((text, number, words)))).text, len(server.asked)) == (False, 2)


@pytest.mark.parametrize(
    ("text", "of_source"),
    [
        ("Write to dean@example.org.", "The dean is dean@example.org."),
        ("The bowls count for 35 percent.", "Set of four bowls stoneware 35 %"),
    ],
)
def test_an_address_and_a_share_that_the_source_has_may_be_repeated(text: str, of_source: str, server: LanguageServer) -> None:
    assert answered(server, keeping(claims((text, 1, of_source))), a_source(1, of_source)).text == f"{text} [1]"


def test_a_claim_is_read_again_beside_its_sentences_alone(server: LanguageServer) -> None:
    answered(server, keeping(claims((DEADLINE, 1, DEADLINE))), a_source(1, DEADLINE, *["x" * 9] * 3, FORM), a_source(2, FEE))

    [_, again] = server.asked
    assert DEADLINE in again.material
    assert FEE not in again.material
    assert FORM not in again.material


def test_in_a_small_context_the_nearest_sources_are_read(server: LanguageServer) -> None:
    server.reply = keeping(BOTH)
    with answering(server) as by:
        small = replace(by, paid=replace(by.paid, facts=lambda: ModelFacts(context_tokens=2_048)))
        compose_answer(asks(), findings(a_source(1, DEADLINE), a_source(2, FEE * 200)), DOCUMENT_QA, "school", small)

    assert (DEADLINE in server.asked[0].material, FEE in server.asked[0].material) == (True, False)


def test_a_model_that_finds_no_answer_lowers_by_a_level_what_is_found_without_it(server: LanguageServer) -> None:
    def shown(standing: ConfidenceLevel) -> tuple[str, bool, str]:
        answer = answered(server, keeping({"claims": []}), standing=standing)
        assert answer.passages
        return answer.confidence.band, answer.nothing, answer.by

    assert shown(ConfidenceLevel.CONFIDENT) == ("medium", False, EXTRACT)
    assert shown(ConfidenceLevel.POSSIBLE) == shown(ConfidenceLevel.NEAR) == ("near", True, "a-model")


@pytest.mark.parametrize("broken", [Reply(status=500), Reply("no JSON"), says({"claims": [{"text": "x"}]})])
def test_without_the_models_answer_a_passage_is_shown(broken: Reply, server: LanguageServer) -> None:
    server.will(broken)

    with answering(server, seconds=2) as by:
        answer = compose_answer(asks(), findings(a_source()), DOCUMENT_QA, "s", by)

    assert (answer.by, answer.nothing) == (EXTRACT, False)
    assert DEADLINE in answer.text
    assert len(answer.notes) == 1


def plain(found: Findings, style: AnswerStyle = DOCUMENT_QA) -> AnswerRecord:
    with answering() as by:
        return compose_answer(asks(), found, style, "school", by)


def test_without_a_model_the_best_passage_is_the_answer_with_a_reservation_if_it_is_a_possible_one() -> None:
    answer = plain(findings(a_source(1, DEADLINE, FORM), a_source(2, FEE)))

    assert answer.text == f"{DEADLINE} {FORM} [1]"
    assert [claim.text for claim in answer.claims] == [DEADLINE]
    assert [one.number for one in answer.passages] == [1, 2]
    found = findings(a_source(), standing=ConfidenceLevel.POSSIBLE)

    assert plain(found).text.startswith("The document may contain what you look for:")
    assert "Please check this" in plain(found, TEXTBOOK_CHAT).text
    assert plain(found, HELPDESK).text == plain(found).text.partition("\n\n")[2]


@pytest.mark.parametrize("style", [DOCUMENT_QA, TEXTBOOK_CHAT], ids=lambda style: style.name)
def test_what_comes_near_is_shown_and_said_not_to_be_an_answer(style: AnswerStyle) -> None:
    answer = plain(findings(a_source(1, DEADLINE, FORM), standing=ConfidenceLevel.NEAR), style)

    assert answer.text == f"Closest passage; it may not answer your question:\n\n{DEADLINE} {FORM} [1]"
    assert (answer.nothing, answer.claims, len(answer.passages)) == (True, (), 1)


def test_an_entry_is_quoted_under_its_question_and_the_others_or_all_if_the_desk_is_not_sure_may_be_meant() -> None:
    entries = [a_source(n, DEADLINE, title=f"Question {n}?", whole=True) for n in (1, 2, 3, 4)]

    answer = plain(findings(*entries), HELPDESK)

    assert answer.text == f"This answers: “Question 1?”\n\n{DEADLINE} [1]"
    assert answer.did_you_mean == ["Question 2?", "Question 3?"]
    answer = plain(findings(*entries, standing=ConfidenceLevel.NEAR), HELPDESK)

    assert "- Question 1?\n- Question 2?\n- Question 3?\n\nIf not" in answer.text
    assert (answer.nothing, answer.did_you_mean) == (True, ["Question 1?", "Question 2?", "Question 3?"])
    page = plain(findings(a_source(1, DEADLINE), standing=ConfidenceLevel.NEAR), HELPDESK)
    assert (page.confidence.band, page.did_you_mean) == ("none", [])


def test_each_paragraph_and_each_row_is_read_on_a_line_of_its_own() -> None:
    assert text_of(a_source(1, FORM, FEE).sentences) == f"{FORM} {FEE}"
    assert text_of(a_source(1, "Day: Monday; Room: 3", "Day: Friday; Room: 4").sentences).count("\n") == 1
