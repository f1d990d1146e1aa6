from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from chapterverse import composition
from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.service import submit_batch
from chapterverse.essays.history import find_feedback, store_feedback
from chapterverse.essays.model import Origin, StoredFeedback, Submission
from chapterverse.essays.store import SqlFeedback
from chapterverse.lectures.model import LectureSession
from chapterverse.lectures.store import SqlLectures
from chapterverse.operations.retention import Forgotten, Retention, forget_old
from chapterverse.questions.model import Conversation, GivenAnswer
from chapterverse.questions.store import SqlAnswers, SqlConversations
from chapterverse.settings import Settings
from tests.support.batches import TRUTH, Clock, a_batch_context, entries
from tests.support.essays import some_feedback
from tests.support.history import history_in
from tests.support.word_embedder import WordEmbedder


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
    with history_in(tmp_path, clock, days) as history, a_batch_context(tmp_path, history=history) as context:
        store_feedback(some_feedback(), "school", history)
        submit_batch("school", entries(TRUTH), [], context)
        clock.later(days=later)

        assert forget_old(Retention(context)) == forgotten
        assert forget_old(Retention(context)) == Forgotten(0, 0)


def test_feedback_on_a_batch_stays_with_the_batch_though_nobody_is_shown_it_when_its_days_are_over(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    with history_in(tmp_path, clock, days=1) as history, a_batch_context(tmp_path, history=history) as context:
        kept = store_feedback(some_feedback(), "school", history, Submission(origin=Origin("a-batch", 1)))
        clock.later(days=2)

        assert forget_old(Retention(context)) == Forgotten(0, 0)

        assert history.store.on_essay("school", Origin("a-batch", 1)).id == kept.id
        with pytest.raises(NotFound):
            find_feedback("school", str(kept.id), history)
        clock.later(days=6)
        assert forget_old(Retention(context)) == Forgotten(1, 0)


def test_lectures_go_with_their_citations_after_as_many_days(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    lectures = SqlLectures(f"sqlite:///{tmp_path}/lectures.db")
    with (
        history_in(tmp_path, clock, days=30) as history,
        a_batch_context(tmp_path, history=history) as context,
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
        history_in(tmp_path, clock) as history,
        a_batch_context(tmp_path, history=history) as context,
    ):
        retention = Retention(context, conversations=talks)
        talks.begin(Conversation("c-1", "school", "u-1", clock()))

        clock.later(days=29)
        assert (forget_old(retention).conversations, talks.find("school", "c-1").user) == (0, "u-1")
        clock.later(days=2)
        assert (forget_old(retention).conversations, forget_old(retention).conversations) == (1, 0)
        with pytest.raises(NotFound):
            talks.find("school", "c-1")


def test_the_question_of_a_rated_answer_goes_and_its_numbers_stay(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    with (
        closing(SqlAnswers(f"sqlite:///{tmp_path}/catalog.db")) as answers,
        history_in(tmp_path, clock, days=30) as history,
        a_batch_context(tmp_path, history=history) as context,
    ):
        given = GivenAnswer("a", "school", "documents", clock(), (0.8,), "high", 0.7, nothing=False, question="Why?")
        answers.add(given)
        clock.later(days=31)

        forget_old(Retention(context, answers=answers))

        assert answers.of_school("school", given.created) == [replace(given, question=None)]


def test_what_a_school_stores_less_long_goes_earlier_and_no_other_schools(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    lectures = SqlLectures(f"sqlite:///{tmp_path}/lectures.db")
    with (
        closing(lectures),
        history_in(tmp_path, clock, days=30) as history,
        a_batch_context(tmp_path, history=history) as context,
    ):
        for number, school in enumerate(("school", "another")):
            store_feedback(some_feedback(), school, history)
            lectures.begin(LectureSession(UUID(int=number), school, clock()))
        submit_batch("school", entries(TRUTH), [], context)
        retention = Retention(context, lectures=lectures, by_school=lambda: {"school": 0})
        clock.later(hours=1)

        assert forget_old(retention) == Forgotten(feedback=1, batches=0, lectures=0)  # they may be going on
        clock.later(days=8)
        assert forget_old(retention) == Forgotten(feedback=0, batches=1, lectures=1)
        assert forget_old(retention) == Forgotten(0, 0)
        clock.later(days=24)
        assert forget_old(retention) == Forgotten(feedback=1, batches=0, lectures=1)


def test_what_is_older_than_the_setting_says_is_forgotten_of_every_school(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition.models, "embedder", lambda _: WordEmbedder())
    now = datetime.now(UTC)
    with closing(SqlFeedback(f"sqlite:///{home / 'catalog.db'}")) as store:
        for id, school, days in (("old", "local", 31), ("old too", "another", 31), ("new", "local", 29)):
            store.save(StoredFeedback(id, school, now - timedelta(days=days), now, '{"evidence": {"title": null}}'))

        told = [forget_old(composition.retention(Settings(home=home))).feedback for _ in range(2)]

        assert [kept.id for kept in store.of_school("local", now - timedelta(days=99), None, 10)] == ["new"]
    assert told == [2, 0]
