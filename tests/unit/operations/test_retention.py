from collections import Counter
from contextlib import closing
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
from chapterverse.lti.model import HandIn, Platform
from chapterverse.lti.store import SqlLti
from chapterverse.operations.retention import Retention, forget_old
from chapterverse.questions.model import Conversation
from chapterverse.questions.store import SqlConversations
from chapterverse.settings import Settings
from lti_assets.notices import AssetFile
from tests.support.batches import TRUTH, Clock, a_batch_context, entries, history_in
from tests.support.essays import some_feedback
from tests.support.word_embedder import WordEmbedder


@pytest.mark.parametrize(
    ("days", "later", "forgotten"),
    [
        (30, 29, Counter()),
        (30, 31, Counter(feedback=1, batches=1)),
        (1, 2, Counter(feedback=1)),  # a batch is there to be fetched
        (1, 8, Counter(feedback=1, batches=1)),
    ],
)
def test_feedback_goes_when_its_days_are_over_and_a_batch_not_within_a_week(
    tmp_path: Path, days: int, later: int, forgotten: Counter[str]
) -> None:
    clock = Clock(datetime.now(UTC))
    with history_in(tmp_path, clock, days) as history, a_batch_context(tmp_path, history=history) as context:
        store_feedback(some_feedback(), "school", history)
        submit_batch("school", entries(TRUTH), [], context)
        clock.later(days=later)

        assert forget_old(Retention(context)) == forgotten
        assert forget_old(Retention(context)) == Counter()


def test_feedback_on_a_batch_stays_with_the_batch_though_nobody_is_shown_it_when_its_days_are_over(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    with history_in(tmp_path, clock, days=1) as history, a_batch_context(tmp_path, history=history) as context:
        kept = store_feedback(some_feedback(), "school", history, Submission(origin=Origin("a-batch", 1)))
        clock.later(days=2)

        assert forget_old(Retention(context)) == Counter()

        assert history.store.find("school", str(kept.id)).origin == Origin("a-batch", 1)
        with pytest.raises(NotFound):
            find_feedback("school", str(kept.id), history)
        clock.later(days=6)
        assert forget_old(Retention(context)) == Counter(feedback=1)


def test_lectures_conversations_and_hand_ins_go_when_their_days_are_over(tmp_path: Path) -> None:
    clock, url = Clock(datetime.now(UTC)), f"sqlite:///{tmp_path}/catalog.db"
    with (
        closing(SqlLectures(url)) as lectures,
        closing(SqlConversations(url)) as talks,
        closing(SqlLti(url)) as lti,
        history_in(tmp_path, clock, days=30) as history,
        a_batch_context(tmp_path, history=history) as context,
    ):
        retention = Retention(context, lectures=lectures, conversations=talks, lti=lti)
        at = "https://moodle.school.example"
        lti.keep(Platform(at, at, at, at, (at,), "p1", "school", "c1", ("1",), clock()))
        lti.add_hand_in(HandIn("h", "school", "p1", "", "u-1", AssetFile(asset_id="a", url=at), at, clock()))
        lectures.begin(LectureSession(UUID(int=1), "school", clock()))
        talks.begin(Conversation("c-1", "school", "u-1", clock()))
        clock.later(days=29)
        before, read = forget_old(retention), talks.find("school", "c-1").user
        assert [each.id for each in lti.waiting_hand_ins()] == ["h"]
        clock.later(days=2)
        after, again = forget_old(retention), forget_old(retention)

        assert [(one["lectures"], one["conversations"]) for one in (before, after, again)] == [(0, 0), (1, 1), (0, 0)]
        assert (read, lti.waiting_hand_ins()) == ("u-1", [])
        with pytest.raises(NotFound):
            talks.find("school", "c-1")


def test_what_a_school_stores_less_long_goes_earlier_and_no_other_schools(tmp_path: Path) -> None:
    clock = Clock(datetime.now(UTC))
    with (
        closing(SqlLectures(f"sqlite:///{tmp_path}/lectures.db")) as lectures,
        closing(SqlConversations(f"sqlite:///{tmp_path}/talks.db")) as talks,
        history_in(tmp_path, clock, days=30) as history,
        a_batch_context(tmp_path, history=history) as context,
    ):
        for number, school in enumerate(("school", "another")):
            store_feedback(some_feedback(), school, history)
            lectures.begin(LectureSession(UUID(int=number), school, clock()))
            talks.begin(Conversation(f"c-{number}", school, "u-1", clock()))
        submit_batch("school", entries(TRUTH), [], context)
        retention = Retention(context, lectures=lectures, conversations=talks, by_school=lambda: {"school": 0})
        clock.later(hours=1)

        assert forget_old(retention) == Counter(feedback=1)  # they may be going on
        clock.later(days=8)
        assert forget_old(retention) == Counter(batches=1, conversations=1, lectures=1)
        assert forget_old(retention) == Counter()
        clock.later(days=24)
        assert forget_old(retention) == Counter(feedback=1, conversations=1, lectures=1)


def test_what_is_older_than_the_setting_says_is_forgotten_of_every_school(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: WordEmbedder())
    now = datetime.now(UTC)
    with closing(SqlFeedback(f"sqlite:///{home / 'catalog.db'}")) as store:
        for id, school, days in (("old", "local", 31), ("old too", "another", 31), ("new", "local", 29)):
            store.save(StoredFeedback(id, school, now - timedelta(days=days), now, '{"evidence": {"title": null}}'))

        told = [forget_old(composition.retention(Settings(home=home)))["feedback"] for _ in range(2)]

        assert [kept.id for kept in store.of_school("local", now - timedelta(days=99), None, 10)] == ["new"]
    assert told == [2, 0]
