"""What every SqlBatches must do."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from chapterverse.core.errors import EssayBusy, NotFound
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayState
from chapterverse.essays.batch.store import SqlBatches
from chapterverse.messages import plain
from tests.support.batches import EVENING, Clock

KEY, OTHER = BatchKey("school", "b1"), BatchKey("another", "b1")
HOURS = timedelta(hours=1)
THREE = [BatchEssay(1), BatchEssay(2), BatchEssay(3, EssayState.FAILED, "bad_request", plain("Line 3 is empty."))]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reopen(url: str, clock: Clock) -> Iterator[Callable[[], SqlBatches]]:
    """Opens the same store once more, as another process would."""
    opened: list[SqlBatches] = []

    def reopen() -> SqlBatches:
        opened.append(SqlBatches(url, clock))
        return opened[-1]

    yield reopen
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Callable[[], SqlBatches]) -> SqlBatches:
    return reopen()


def test_a_new_batch_waits_its_unreadable_essays_failed_and_added_again_changes_the_name_alone(store: SqlBatches) -> None:
    store.add(KEY, THREE, "Form 3b")

    batch = store.batch(KEY)
    assert (batch.waiting, batch.done, batch.failed, batch.essays) == (2, 0, 1, 3)
    assert (batch.state(EVENING), batch.created, batch.due) == (BatchState.WAITING, EVENING, None)
    assert store.essays(KEY) == THREE
    store.note(KEY, 1, EssayState.DONE)
    for name in ("", "Form 3b: liberty"):
        store.add(KEY, THREE, name)
    assert (store.batch(KEY).done, store.batch(KEY).name) == (1, "Form 3b: liberty")
    for other in ("nothing", "", "a\0b", "b1'--"):
        with pytest.raises(NotFound):
            store.batch(BatchKey("school", other))


def test_an_essay_that_was_done_can_be_forgotten(store: SqlBatches) -> None:
    store.add(KEY, THREE)
    store.note(KEY, 1, EssayState.DONE)

    for _ in range(2):
        store.note(KEY, 1, EssayState.FAILED, "deleted", plain("A teacher has deleted it."), anyway=True)

    assert store.essays(KEY)[0] == BatchEssay(1, EssayState.FAILED, "deleted", plain("A teacher has deleted it."))
    assert (store.batch(KEY).done, store.batch(KEY).failed) == (0, 2)
    for key, number in ((KEY, 9), (OTHER, 1)):
        with pytest.raises(NotFound):
            store.note(key, number, EssayState.FAILED, "deleted", plain("A teacher has deleted it."), anyway=True)


def test_a_batch_is_under_way_from_its_beginning_until_it_is_due_and_begun_again(store: SqlBatches, clock: Clock) -> None:
    store.add(KEY, THREE)

    began = store.begin(KEY, EVENING + 12 * HOURS)

    assert (began.began, began.due) == (EVENING, EVENING + 12 * HOURS)
    assert began.state(EVENING + 11 * HOURS) is BatchState.RUNNING
    assert began.state(EVENING + 12 * HOURS) is BatchState.LATE

    store.note_job(KEY, "jobs/1")
    clock.now = EVENING + HOURS
    again = store.begin(KEY, EVENING + 13 * HOURS)
    assert (again.began, again.due, again.job) == (began.began, began.due, "jobs/1")

    store.note(KEY, 1, EssayState.DONE)
    clock.now = EVENING + 24 * HOURS
    again = store.begin(KEY, EVENING + 25 * HOURS)

    assert (again.state(clock.now), again.waiting, again.lately, again.job) == (BatchState.RUNNING, 1, 0, None)


def test_an_essay_that_did_not_succeed_waits_on_and_says_why_and_one_that_ended_does_not_end_again(store: SqlBatches) -> None:
    store.add(KEY, THREE)

    store.note(KEY, 1, EssayState.WAITING, "gave_up", plain("Tried fifty times."))

    assert store.essays(KEY)[0] == BatchEssay(1, EssayState.WAITING, "gave_up", plain("Tried fifty times."))
    store.note(KEY, 1, EssayState.DONE)
    assert store.essays(KEY)[0] == BatchEssay(1, EssayState.DONE)
    store.note(KEY, 2, EssayState.FAILED, "not_found", plain("No book."))
    store.note(KEY, 2, EssayState.DONE)
    assert store.essays(KEY)[1] == BatchEssay(2, EssayState.FAILED, "not_found", plain("No book."))


def test_of_many_that_end_at_once_none_is_left(store: SqlBatches) -> None:
    store.add(KEY, [BatchEssay(number) for number in range(1, 13)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: store.note(KEY, number, EssayState.DONE), range(1, 13)))

    assert store.batch(KEY).state(EVENING) is BatchState.DONE


def test_when_it_will_be_ready_is_told_by_the_pace_since_it_was_begun(store: SqlBatches, clock: Clock) -> None:
    store.add(KEY, [BatchEssay(number) for number in range(1, 5)])
    assert store.begin(KEY, EVENING + 12 * HOURS).ready_at(EVENING) is None

    clock.now = EVENING + HOURS
    store.note(KEY, 1, EssayState.DONE)

    assert store.batch(KEY).ready_at(clock.now) == EVENING + 4 * HOURS


def test_an_essay_is_claimed_by_one_at_a_time_and_others_are_free(reopen: Callable[[], SqlBatches]) -> None:
    store, other_process = reopen(), reopen()
    store.add(KEY, THREE)

    with store.claim(KEY, 1) as essay:
        assert essay == BatchEssay(1)
        with pytest.raises(EssayBusy), other_process.claim(KEY, 1):
            pass
        with other_process.claim(KEY, 2) as other:
            assert other.number == 2
    with other_process.claim(KEY, 1) as again:
        assert again == essay


def test_each_school_has_its_own_newest_first(store: SqlBatches) -> None:
    newer = BatchKey("school", "b2")
    for key in (KEY, OTHER, newer):
        store.add(key, THREE)

    assert [batch.key for batch in store.of_school("school")] == [newer, KEY]
    assert store.of_school("nobody") == []


def test_batches_of_all_schools_are_found_that_wait_or_are_old(store: SqlBatches, clock: Clock) -> None:
    store.add(KEY, [BatchEssay(1)])
    store.add(OTHER, [BatchEssay(1)])
    store.note(KEY, 1, EssayState.DONE)
    clock.now = EVENING + HOURS
    store.add(BatchKey("school", "new"), THREE)

    assert store.find(waiting=True) == [OTHER, BatchKey("school", "new")]
    assert store.find(before=EVENING + HOURS) == [KEY, OTHER]


def test_of_a_batch_that_was_removed_nothing_is_known(store: SqlBatches) -> None:
    store.add(KEY, THREE)

    store.remove(KEY)
    store.remove(KEY)

    for ask in (store.batch, store.essays, lambda key: store.begin(key, EVENING), lambda key: store.note_job(key, "job")):
        with pytest.raises(NotFound):
            ask(KEY)
    with pytest.raises(NotFound):
        store.note(KEY, 1, EssayState.DONE)
    with pytest.raises(NotFound), store.claim(KEY, 1):
        pass
    assert store.find() == []
