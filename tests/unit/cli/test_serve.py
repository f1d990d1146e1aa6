from pathlib import Path
from threading import Event

from chapterverse.cli.serve import forget_daily
from chapterverse.essays.history import store_feedback, list_feedback
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import Clock, a_night


def test_what_has_been_kept_long_enough_is_forgotten_when_the_program_starts(tmp_path: Path) -> None:
    clock, end = Clock(), Event()
    end.set()
    with keeping_in(tmp_path, clock) as keeping, a_night(tmp_path, keeping=keeping) as night:
        store_feedback(some_feedback(), "school", keeping)
        clock.later(days=31)

        forget_daily(night, end)

        clock.later(days=-31)
        assert list_feedback("school", keeping) == []
