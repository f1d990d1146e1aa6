from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.service import submit_batch
from chapterverse.essays.history import find_feedback, store_feedback
from chapterverse.essays.model import Origin, Submission
from chapterverse.lectures.model import LectureSession
from chapterverse.lectures.store import SqlLectures
from chapterverse.operations.retention import Forgotten, Retention, forget_old
from chapterverse.questions.model import Conversation
from chapterverse.questions.store import SqlConversations
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import TRUTH, Clock, a_night, entries


@pytest.mark.parametrize(
    ("days", "later", "forgotten"),
    [
        (30, 29, Forgotten(0, 0)),
        (30, 31, Forgotten(1, 1)),
        (1, 2, Forgotten(1, 0)),  # a batch is there to be fetched
        (1, 8, Forgotten(1, 1)),
    ],
)
def test_feedback_goes_when_its_days_are_over_and_a_batch_not_within_a_week(
    tmp_path: Path, days: int, later: int, forgotten: Forgotten
) -> None:
    clock = Clock(datetime.now(UTC))
    with keeping_in(tmp_path, clock, days) as keeping, a_night(tmp_path, history=keeping) as context:
        store_feedback(some_feedback(), "school", keeping)
        submit_batch("school", entries(TRUTH), [], context)
        clock.later(days=later)

        assert forget_old(Retention(context)) == forgotten
        assert forget_old(Retention(context)) == Forgotten(0, 0)


def test_feedback_on_a_batch_stays_with_the_batch_though_nobody_is_shown_it_when_its_days_are_over(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    with keeping_in(tmp_path, clock, days=1) as keeping, a_night(tmp_path, history=keeping) as context:
        kept = store_feedback(some_feedback(), "school", keeping, Submission(origin=Origin("a-batch", 1)))
        clock.later(days=2)

        assert forget_old(Retention(context)) == Forgotten(0, 0)

        assert keeping.store.on_essay("school", Origin("a-batch", 1)).id == kept.id
        with pytest.raises(NotFound):
            find_feedback("school", str(kept.id), keeping)
        clock.later(days=6)
        assert forget_old(Retention(context)) == Forgotten(1, 0)


def test_lectures_go_with_their_citations_after_as_many_days(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    lectures = SqlLectures(f"sqlite:///{tmp_path}/lectures.db")
    with (
        keeping_in(tmp_path, clock, days=30) as keeping,
        a_night(tmp_path, history=keeping) as context,
    ):
        lectures.begin(LectureSession(UUID(int=1), "school", clock()))
        clock.later(days=29)
        assert forget_old(Retention(context, lectures=lectures)).lectures == 0
        clock.later(days=2)

        assert forget_old(Retention(context, lectures=lectures)).lectures == 1
    lectures.close()


def test_conversations_go_when_their_days_are_over_and_an_agent_reads_them_until_then(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    with (
        closing(SqlConversations(f"sqlite:///{tmp_path}/catalog.db")) as talks,
        keeping_in(tmp_path, clock) as keeping,
        a_night(tmp_path, history=keeping) as context,
    ):
        retention = Retention(context, conversations=talks)
        talks.begin(Conversation("c-1", "school", "u-1", clock()))

        clock.later(days=29)
        assert (forget_old(retention).conversations, talks.find("school", "c-1").user) == (0, "u-1")
        clock.later(days=2)
        assert (forget_old(retention).conversations, forget_old(retention).conversations) == (1, 0)
        with pytest.raises(NotFound):
            talks.find("school", "c-1")
