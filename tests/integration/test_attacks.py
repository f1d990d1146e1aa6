"""Orders in essays and books change nothing: rules cannot be told anything, and a model that obeys is checked."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from chapterverse.essays.writing.review import write_reviews

from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.rubric import read_rubric
from chapterverse.essays.writing.writing import Writing
from chapterverse.infrastructure.quotas import SqlLedger
from scripts.eval import attack_model
from tests.support.attacks import ATTACKS, Attack, ours
from tests.support.essays import found_on
from tests.support.language_servers import LanguageServer, language_server


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        yield running


@pytest.fixture(scope="module")
def obedient(server: LanguageServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writing]:
    with closing(SqlLedger(f"sqlite:///{tmp_path_factory.mktemp('ledger')}/catalog.db")) as ledger:
        yield Writing(paid=PaidModel(server.openai(), ledger), model_seconds=20, seconds=30)


def shown(attack: Attack, writing: Writing) -> str:
    return ours(write_reviews(found_on(attack.subject), "school", writing, time.monotonic()))


every_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)


@every_attack
def test_rules_cannot_be_told_anything(attack: Attack) -> None:
    assert not attack.got_through(shown(attack, Writing()))


@every_attack
def test_what_an_obedient_model_says_does_not_get_through(attack: Attack, server: LanguageServer, obedient: Writing) -> None:
    server.will(attack.reply)

    assert not attack.got_through(shown(attack, obedient))


def under(rubric: str, writing: Writing) -> Writing:
    """The same by a teacher's rubric."""
    return replace(writing, style=replace(writing.style, rubric=read_rubric(rubric)))


@every_attack
def test_no_order_in_an_essay_or_a_book_meets_a_criterion(attack: Attack, server: LanguageServer, obedient: Writing) -> None:
    server.will(attack.reply)

    said = shown(attack, under("At least 9 paragraphs (60 %)\nAt least 900 words (40 %)", obedient))

    assert not attack.got_through(said)


@every_attack
def test_an_order_in_a_rubric_is_a_criterion_that_nobody_obeys(
    attack: Attack, server: LanguageServer, obedient: Writing
) -> None:
    server.will(attack.reply)
    server.asked.clear()
    harmless = replace(attack, in_book=False, order="My uncle sings.")

    said = shown(harmless, under(attack.order, obedient))

    assert not attack.got_through(said)
    assert all(attack.order not in asked.instructions for asked in server.asked)


@every_attack
def test_the_attack_is_one_where_nothing_is_checked(attack: Attack) -> None:
    assert attack.got_through(attack.reply.text)


@every_attack
def test_orders_stand_between_fences_in_the_material(attack: Attack, server: LanguageServer, obedient: Writing) -> None:
    server.asked.clear()
    server.will(attack.reply)

    shown(attack, obedient)

    order = attack.subject.evidence[0].passage.sentence.text if attack.in_book else attack.subject.essay.paragraphs[-1].text
    assert all(order not in asked.instructions for asked in server.asked)
    assert any(order in asked.material for asked in server.asked)


@pytest.mark.parametrize("name", ["tuning", "choices", "choices again"])  # no set that is called blind
def test_no_attack_that_is_known_reaches_a_student_and_no_good_comment_is_lost(name: str) -> None:
    rows = attack_model.all_sets()[name]

    assert [row for row in rows if row.bad and attack_model.is_through(row)] == []
    assert [row for row in rows if not row.bad and attack_model.is_lost(row)] == []
