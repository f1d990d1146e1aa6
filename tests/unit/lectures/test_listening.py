"""Those who follow lectures share their looks at the catalogue."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import event, text

from chapterverse.infrastructure.sql.engine import Database, utc_now
from chapterverse.lectures.listening import FORGOTTEN_SECONDS, MAX_RESULTS, POLL_SECONDS, SOON_SECONDS, Listeners
from chapterverse.lectures.model import LectureSession, Window, WindowResult
from chapterverse.lectures.store import SqlLectures
from chapterverse.lectures.windows import Stream
from tests.support.cloud import eventually

LECTURES, FOLLOWERS, SECONDS, WINDOW_SECONDS = 50, 4, 36, 12
PROCESSES = 4
ONE = UUID(int=1)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/catalog.db")
    yield database
    database.close()


@pytest.fixture
def shared(postgres_catalog: str) -> Iterator[Database]:
    """A database that announces."""
    database = Database(postgres_catalog)
    yield database
    hang_up(database)
    database.close()


def hang_up(database: Database) -> None:
    """End the connections of those who listen."""
    listening = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    )
    with database.engine.connect() as connection:
        connection.execute(text(listening))


@pytest.fixture
def store(database: Database) -> SqlLectures:
    return with_lectures(database)


def with_lectures(database: Database) -> SqlLectures:
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
    with counted(database) as queries:
        yield queries


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
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
                listeners.notify()
        before = len(selects)
        for (lecture, _), numbers in seen.items():
            numbers += [number for number, _ in listeners.since(lecture, numbers[-1]).results]
        asked += len(selects) - before

    assert len({tuple(numbers) for numbers in seen.values()}) == LECTURES  # all followers of a lecture have seen the same
    assert all(len(numbers) >= SECONDS // WINDOW_SECONDS for numbers in seen.values())
    assert asked / SECONDS <= 10


def test_followers_at_several_processes_hear_of_results_with_hardly_a_query(shared: Database) -> None:
    clock, store = Clock(), with_lectures(shared)
    processes = [Listeners(store, clock) for _ in range(PROCESSES)]
    seen = {(UUID(int=1 + each % LECTURES), each % PROCESSES, each): [0] for each in range(LECTURES * FOLLOWERS)}

    def look() -> None:
        for (lecture, process, _), numbers in seen.items():
            numbers += [number for number, _ in processes[process].since(lecture, numbers[-1]).results]

    look()
    eventually(lambda: all(each._hears for each in processes) or None, "every process to listen")
    clock.now = SOON_SECONDS
    look()
    asked = 0
    for step in range(2 * SECONDS):
        clock.now += 1 / 2
        for number in range(1, LECTURES + 1):
            if (step + number) % (2 * WINDOW_SECONDS) == 0:
                search(store, UUID(int=number), step)
                processes[number % PROCESSES].notify()
        with counted(shared) as selects:
            look()
        asked += len(selects)

    def all_have_seen() -> bool | None:
        look()
        return all(len(numbers) > SECONDS // WINDOW_SECONDS for numbers in seen.values()) or None

    eventually(all_have_seen, "all results")
    assert len({tuple(numbers) for numbers in seen.values()}) == LECTURES  # all followers of a lecture have seen the same
    assert asked / SECONDS <= 10


def listening(store: SqlLectures, clock: Clock) -> Listeners:
    """A process with a follower of ONE, which listens and has nothing to look for."""
    listeners = Listeners(store, clock)
    listeners.since(ONE, 0)
    eventually(lambda: listeners._hears or None, "the process to listen")
    clock.now = SOON_SECONDS
    listeners.since(ONE, 0)
    return listeners


def test_who_lost_the_connection_looks_each_second_until_it_listens_again(shared: Database) -> None:
    clock, store = Clock(), with_lectures(shared)
    listeners = listening(store, clock)
    hang_up(shared)
    eventually(lambda: not listeners._hears or None, "the lost connection")
    search(store, ONE, 0)

    clock.now += POLL_SECONDS
    [(first, _)] = listeners.since(ONE, 0).results
    eventually(lambda: listeners._hears or None, "the process to listen again")
    search(store, ONE, 1)

    assert eventually(lambda: listeners.since(ONE, first).results or None, "what is announced")


def test_a_result_too_long_to_be_announced_and_the_end_are_looked_for(shared: Database) -> None:
    clock, store = Clock(), with_lectures(shared)
    listeners = listening(store, clock)

    store.create_batch(ONE, [WindowResult(Window(0, 0.0, 1.0, "", segments=("x" * 8000,)))], utc_now())
    clock.now += SOON_SECONDS
    [(first, _)] = eventually(lambda: listeners.since(ONE, 0).results or None, "the long result")
    store.change_stream("school", ONE, has_ended(2))
    search(store, ONE, 1)

    clock.now += SOON_SECONDS
    assert eventually(lambda: listeners.since(ONE, first).ended or None, "the end")


def test_results_of_another_process_are_seen_after_a_second_and_our_own_sooner(store: SqlLectures) -> None:
    clock = Clock()
    listeners = Listeners(store, clock)
    assert listeners.since(ONE, 0).results == []

    search(store, ONE, 0)
    clock.now = SOON_SECONDS
    assert listeners.since(ONE, 0).results == []
    clock.now = POLL_SECONDS
    [(first, _)] = listeners.since(ONE, 0).results

    search(store, ONE, 1)
    listeners.notify()
    clock.now += SOON_SECONDS
    assert [result.window.index for _, result in listeners.since(ONE, first).results] == [1]


def test_one_who_comes_late_or_was_away_gets_all_that_was_missed(store: SqlLectures) -> None:
    clock = Clock()
    listeners = Listeners(store, clock)
    for index in range(MAX_RESULTS + 10):
        search(store, ONE, index)

    first = listeners.since(ONE, 0)
    clock.now = 2 * FORGOTTEN_SECONDS
    listeners.since(UUID(int=2), 0)

    assert len(first.results) == MAX_RESULTS + 10
    assert len(listeners.since(ONE, first.results[5][0]).results) == MAX_RESULTS + 4


def test_the_end_is_told_once_all_windows_were_searched(store: SqlLectures) -> None:
    clock = Clock()
    listeners = Listeners(store, clock)
    store.change_stream("school", ONE, has_ended(1))
    assert not listeners.since(ONE, 0).ended

    search(store, ONE, 0)
    clock.now = POLL_SECONDS

    assert listeners.since(ONE, 0).ended
