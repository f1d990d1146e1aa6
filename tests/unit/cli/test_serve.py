from pathlib import Path
from threading import Event

from chapterverse.cli.serve import forget_daily
from chapterverse.essays.history import list_feedback, store_feedback
from chapterverse.operations.retention import Retention
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import Clock, a_night


def test_what_has_been_kept_long_enough_is_forgotten_when_the_program_starts(tmp_path: Path) -> None:
    clock, end = Clock(), Event()
    end.set()
    with keeping_in(tmp_path, clock) as keeping, a_night(tmp_path, history=keeping) as context:
        store_feedback(some_feedback(), "school", keeping)
        clock.later(days=31)

        forget_daily(Retention(context), end)

        clock.later(days=-31)
        assert list_feedback("school", keeping) == []
