"""Those who follow lectures share their looks at the catalogue."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import event

from chapterverse.infrastructure.sql import Database, utc_now
from chapterverse.lectures.model import LectureSession, Window, WindowResult
from chapterverse.lectures.service import FORGOTTEN_SECONDS, POLL_SECONDS, Listeners
from chapterverse.lectures.store import SqlLectures
from chapterverse.lectures.windows import Stream
from tests.support.made import Clock

LECTURES, FOLLOWERS, SECONDS, WINDOW_SECONDS = 50, 4, 36, 12
ONE = UUID(int=1)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/catalog.db")
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> SqlLectures:
    store = SqlLectures(database)
    for number in range(1, LECTURES + 1):
        store.begin(LectureSession(UUID(int=number), "school", utc_now(), ()))
    return store


def has_ended(windows: int) -> Callable[[Stream], list[Window]]:
    """A step after which the speech has ended with so many windows."""

    def step(stream: Stream) -> list[Window]:
        stream.windows = windows
        return stream.flush()

    return step


def search(store: SqlLectures, lecture: UUID, index: int) -> None:
    store.create_batch(lecture, [WindowResult(Window(index, 0.0, 1.0, ""))], utc_now())


@pytest.fixture
def selects(database: Database) -> Iterator[list[str]]:
    """Queries so far."""
    queries = list[str]()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        queries.extend([statement] if statement.startswith("SELECT") else [])

    event.listen(database.engine, "before_cursor_execute", note)
    yield queries
    event.remove(database.engine, "before_cursor_execute", note)


def test_followers_of_fifty_lectures_ask_at_most_ten_queries_a_second(store: SqlLectures, selects: list[str]) -> None:
    clock, asked = Clock(), 0
    listeners = Listeners(store, clock)
    seen = {(UUID(int=number), who): [0] for number in range(1, LECTURES + 1) for who in range(FOLLOWERS)}
    for step in range(4 * SECONDS):
        clock.now = step / 4
        for number in range(1, LECTURES + 1):
            if (step + number) % (4 * WINDOW_SECONDS) == 0:
                search(store, UUID(int=number), step)
        before = len(selects)
        for (lecture, _), numbers in seen.items():
            numbers += [number for number, _ in listeners.since(lecture, numbers[-1]).results]
        asked += len(selects) - before

    assert len({tuple(numbers) for numbers in seen.values()}) == LECTURES  # all followers of a lecture have seen the same
    assert all(len(numbers) >= SECONDS // WINDOW_SECONDS for numbers in seen.values())
    assert asked / SECONDS <= 10


def test_results_of_any_process_are_seen_at_the_next_look_and_the_end_once_all_are_there(store: SqlLectures) -> None:
    clock = Clock()
    listeners = Listeners(store, clock)
    store.change_stream("school", ONE, has_ended(1))
    before = listeners.since(ONE, 0)
    assert (before.results, before.ended) == ([], False)

    search(store, ONE, 0)
    assert listeners.since(ONE, 0).results == []
    clock.now = POLL_SECONDS
    after = listeners.since(ONE, 0)
    assert ([result.window.index for _, result in after.results], after.ended) == ([0], True)


def test_one_who_comes_late_or_was_away_gets_all_that_was_missed(store: SqlLectures) -> None:
    clock = Clock()
    listeners = Listeners(store, clock)
    for index in range(10):
        search(store, ONE, index)

    first = listeners.since(ONE, 0)
    clock.now = 2 * FORGOTTEN_SECONDS
    listeners.since(UUID(int=2), 0)

    assert len(first.results) == 10
    assert len(listeners.since(ONE, first.results[5][0]).results) == 4
