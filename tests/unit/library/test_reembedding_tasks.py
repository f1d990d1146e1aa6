"""A shelf embedded anew by tasks, which come at least once, in any order, and whose doers may be killed."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.library.tasks import ask_to_reembed
from chapterverse.operations.tasks import run_task
from tests.support.intake import SCHOOL, Clockwork, Killed, Town
from tests.support.reembedding import ROUGH, after, found, searched_with, turning, with_two_books
from tests.support.refusals import refused

NEWER, THIRD = b"The sea was calm again.|The wind fell.", b"Nobody was at sea."


def asked(town: Town, asked_by: str = "somebody") -> Town:
    """Its books are to be embedded anew; the tasks wait."""
    town.intake = turning(town.intake)
    ask_to_reembed(SCHOOL, town.intake, asked_by)
    return town


def test_the_last_task_switches_all_books(town: Town) -> None:
    asked(with_two_books(town))
    *others, last = town.queue.waiting

    for task in others:
        town.queue.do(task, town.intake)
    meanwhile = searched_with(town.intake.services)
    town.queue.do(last, town.intake)

    assert meanwhile == ["words", "words"]
    assert searched_with(town.intake.services) == ["turned", "turned"]


@pytest.mark.parametrize("seed", range(3))
def test_tasks_leave_what_the_command_leaves(town: Town, tmp_path: Path, seed: int) -> None:
    at_once = after(with_two_books(town).copy(tmp_path / "at-once"))

    asked(town).do_in_any_order(Random(seed))

    assert town.contents() == at_once


def test_killed_before_any_write_a_task_comes_again_and_finishes(tmp_path: Path) -> None:
    begun = with_two_books(Town(tmp_path / "begun"))
    end, before = after(begun.copy(tmp_path / "end")), found(turning(begun.intake).services)

    for write in range(1, 100, 3):
        town = asked(begun.copy(tmp_path / str(write)))
        with town.closing, suppress(Killed):
            town.queue.do_all(town.watched(Clockwork(kill_before=write)))
            break
        assert found(town.intake.services) == before
        town.do_all()
        assert town.contents() == end
    assert 12 < write < 99


def test_a_book_that_comes_meanwhile_is_searched_at_once_and_embedded_anew_with_the_others(town: Town) -> None:
    asked(with_two_books(town))
    old = list(town.queue.waiting)

    town.receive(THIRD, "Third.pdf")
    new = [task for task in town.queue.waiting if task not in old]
    for task in new:
        town.queue.do(task, town.intake)
    meanwhile = searched_with(town.intake.services)
    town.do_all()

    assert meanwhile == ["words"] * 3
    assert searched_with(town.intake.services) == ["turned"] * 3
    assert town.models() == {"turned"}


def test_a_file_replaced_meanwhile_is_what_is_searched(town: Town) -> None:
    asked(with_two_books(town))

    town.receive(NEWER, "Rough.pdf")
    town.do_in_any_order(Random(1))
    town.do_all()

    assert searched_with(town.intake.services) == ["turned", "turned"]
    assert [(hit, score > 0.4) for hit, score in found(town.intake.services)] == [("Nobody saw the ship.", True)]
    assert all(len(book.versions) == 1 for book in town.catalog.books(SCHOOL))


def test_a_book_that_is_uploaded_again_meanwhile_loses_nothing(town: Town) -> None:
    town.receive(ROUGH, "Rough.pdf")
    town.do_all()
    asked(town)

    town.receive(ROUGH, "Rough.pdf")
    town.do_all()

    assert searched_with(town.intake.services) == ["turned"]


def test_tasks_that_were_lost_are_asked_for_again(town: Town) -> None:
    asked(with_two_books(town))
    town.queue.waiting.clear()

    asked(town, "somebody else")
    town.do_all()

    assert searched_with(town.intake.services) == ["turned", "turned"]


def test_a_new_school_begins_with_the_new_model(town: Town) -> None:
    asked(with_two_books(town)).do_all()

    town.receive(THIRD, "Third.pdf", "other")
    town.do_all()

    assert searched_with(town.intake.services, "other") == ["turned"]


def test_no_vectors_are_made_by_another_model_than_a_task_asks_for(town: Town) -> None:
    asked(with_two_books(town))
    of_turned = town.queue.waiting[0]

    with refused(EmbedderUnavailable, "no_embedder_of_model"):
        run_task(of_turned, 1, replace(town.intake, services=town.intake.services.using("words")))
