from dataclasses import replace
from pathlib import Path
from threading import Event

from chapterverse.cli.serve import first_link, forget_daily, repair, start_lectures, start_tasks
from chapterverse.essays.history import list_feedback, store_feedback
from chapterverse.infrastructure.vectors.chroma import ChromaIndex
from chapterverse.lectures.service import begin_session
from chapterverse.operations.retention import Retention
from chapterverse.settings import Settings
from tests.support.batches import Clock, a_batch_context, history_in
from tests.support.essays import some_feedback
from tests.support.shelved import shelve
from tests.support.web import web_parts

NOBODY = "http://127.0.0.1:9"


class Days(Event):
    """An end that comes after so many days."""

    def __init__(self, days: int) -> None:
        super().__init__()
        self.days = days

    def wait(self, timeout: float | None = None) -> bool:
        self.days -= 1
        return self.days < 0


def test_a_clock_that_leaps_ahead_has_a_day_to_be_put_right_before_anything_is_removed(tmp_path: Path) -> None:
    clock, last = Clock(), tmp_path / "forgotten"
    with history_in(tmp_path, clock) as history, a_batch_context(tmp_path, history=history) as context:
        store_feedback(some_feedback(), "school", history)
        clock.later(days=31)
        forget_daily(Retention(context), last, Days(0))
        clock.later(days=-31)
        assert list_feedback("school", history) == []  # what has been kept long enough
        forget_daily(Retention(context), last, Days(0))
        store_feedback(some_feedback(), "school", history)

        clock.later(days=1000)
        forget_daily(Retention(context), last, Days(0))
        clock.later(days=-1000)
        assert len(list_feedback("school", history)) == 1

        clock.later(days=1000)
        forget_daily(Retention(context), last, Days(1))
        clock.later(days=-1000)
        assert list_feedback("school", history) == []


def test_a_school_with_lectures_loads_their_models_when_the_program_starts(tmp_path: Path) -> None:
    with web_parts(tmp_path) as context:
        start_lectures(context, "school")
        assert not context.lectures.warm.is_set()

        begin_session("school", [], context.lectures.context)
        start_lectures(context, "school")
        assert context.lectures.warm.is_set()


def test_the_program_starts_while_the_vector_server_is_away(tmp_path: Path) -> None:
    with web_parts(tmp_path) as context:
        shelve(context.services, "Book", ["Habit rules every person."])
        away = replace(context.intake.services, index=ChromaIndex(NOBODY))
        without = replace(context, intake=replace(context.intake, services=away))

        start_tasks(without, without.intake.queue, "school")

        assert not repair(["school"], without)
        assert repair(["school"], context)
        context.intake.queue.close()


def test_the_first_start_gives_a_link_for_an_admin_and_later_ones_none(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)

    first, later = (first_link("http://127.0.0.1:8080", settings) for _ in range(2))

    assert first is not None
    assert first.startswith("http://127.0.0.1:8080/")
    assert later is None
