"""What every TokenBuckets must do, asked through two instances as two processes have them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chapterverse.core.ports import TokenBuckets
from chapterverse.infrastructure.quotas import MemoryTokenBuckets, SqlTokenBuckets
from tests.support.made import Clock

Two = tuple[TokenBuckets, TokenBuckets]


@pytest.fixture
def clock() -> Clock:
    return Clock(1_800_000_000.0)


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def two(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Two]:
    """Two instances, each with connections of its own, on one database; one process has one instance in memory."""
    if request.param == "memory":
        buckets = MemoryTokenBuckets(clock)
        yield buckets, buckets
        return
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'catalog.db'}" if sqlite else request.getfixturevalue("postgres_catalog")
    opened = SqlTokenBuckets(url, clock), SqlTokenBuckets(url, clock)
    yield opened
    for each in opened:
        each.close()


def test_two_processes_share_one_count(two: Two) -> None:
    assert two[0].take("another", 1) == 0.0  # counts for itself
    assert [two[n % 2].take("key", 6) for n in range(6)] == [0.0] * 6
    assert [buckets.take("key", 6) for buckets in two] == pytest.approx([10.0, 10.0], abs=0.01)


def test_refused_calls_take_nothing_and_tokens_come_back_evenly(two: Two, clock: Clock) -> None:
    for n in range(16):
        two[n % 2].take("key", 6)

    clock.now += 10.01

    assert two[0].take("key", 6) == 0.0
    assert two[1].take("key", 6) > 9


def test_after_the_wait_there_is_a_token_and_nothing_is_saved_up_beyond_a_minute(two: Two, clock: Clock) -> None:
    two[0].take("key", 2)
    two[0].take("key", 2)
    clock.now += two[1].take("key", 2)
    assert two[0].take("key", 2) == 0.0
    clock.now += 3600

    assert [two[1].take("key", 2) > 0 for _ in range(3)] == [False, False, True]


def test_a_clock_that_is_set_back_refuses_nobody(tmp_path: Path, clock: Clock) -> None:
    buckets = SqlTokenBuckets(f"sqlite:///{tmp_path / 'catalog.db'}", clock)  # in memory the clock never goes back
    waits = [buckets.take("key", 2) for _ in range(3)]
    clock.now -= 365 * 24 * 3600
    again = [buckets.take("key", 2) for _ in range(3)]
    buckets.close()

    assert [wait > 0 for wait in waits] == [wait > 0 for wait in again] == [False, False, True]
    assert again[2] == pytest.approx(30, abs=0.1)


def test_many_at_once_get_no_more_than_there_are(two: Two) -> None:
    with ThreadPoolExecutor(4) as threads:
        waits = list(threads.map(lambda n: two[n % 2].take("key", 10), range(30)))

    assert waits.count(0.0) == 10
