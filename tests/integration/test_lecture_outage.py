"""A lecture goes on while its index is away, and its citations come back with it (S3, "Error Handling")."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from chapterverse.core.book import Collection
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.vectors.chroma import ChromaIndex
from chapterverse.lectures.model import LectureSession
from chapterverse.lectures.service import LiveLectures, begin_session, end_speech, found_since, hear, resolve
from tests.support.listening import ON_LIBERTY, listening_to, spoken
from tests.support.servers import chroma_server, free_port
from tests.support.shelved import empty_library, shelve
from tests.support.web import all_collections

WITHIN = 300.0  # seconds; a busy machine is slow
AT_ONCE = 20  # segments of a hand-in
SCHOOL = "school"


@contextmanager
def lecture(folder: Path, port: int) -> Iterator[tuple[LiveLectures, LectureSession]]:
    """With a book beside it, whose index is a server."""
    database = Database(f"sqlite:///{folder}/catalog.db")
    with empty_library(folder, database) as local:
        services = replace(local, index=ChromaIndex(f"http://127.0.0.1:{port}"))
        collections = all_collections(services, database)
        with listening_to(collections, database) as listening:
            shelve(collections[Collection.LECTURES], "Liberty", ["Silencing an opinion robs mankind of the truth."])
            context = listening.context
            yield listening, begin_session(SCHOOL, [resolve(SCHOOL, "liberty", context)], context)


def speak(listening: LiveLectures, session: LectureSession, hand_ins: range) -> float:
    """The longest that a hand-in took, in seconds."""
    longest = 0.0
    for number in hand_ins:
        began = monotonic()
        hear(SCHOOL, session.id, spoken(*[ON_LIBERTY] * AT_ONCE, first=number * AT_ONCE), listening)
        longest = max(longest, monotonic() - began)
    return longest


@pytest.mark.slow
def test_a_lecture_of_1000_windows_goes_on_while_chroma_is_killed_and_started_again(tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as servers, ExitStack() as running:
        first = servers.enter_context(ExitStack())
        first.enter_context(chroma_server(tmp_path / "server", port))
        listening, session = running.enter_context(lecture(tmp_path, port))

        waits = [speak(listening, session, range(40))]
        assert listening.pool.wait_until_idle(WITHIN)
        there = found_since(SCHOOL, session.id, 0, listening)
        first.close()  # killed
        waits.append(speak(listening, session, range(40, 60)))
        assert listening.pool.wait_until_idle(WITHIN)
        away = found_since(SCHOOL, session.id, there.last, listening)
        servers.enter_context(chroma_server(tmp_path / "server", port))
        waits.append(speak(listening, session, range(60, 101)))
        end_speech(SCHOOL, session.id, listening)
        assert listening.pool.wait_until_idle(WITHIN)
        back = found_since(SCHOOL, session.id, away.last, listening)

    windows = [result for found in (there, away, back) for _, result in found.results]
    assert len(windows) >= 1000
    assert [result.window.index for result in windows] == list(range(len(windows)))
    assert all(result.citations and not result.failed for _, result in there.results)
    assert all(result.failed == "search" and not result.citations for _, result in away.results)
    assert all(result.citations and not result.failed for _, result in back.results)
    assert back.ended
    assert max(waits) < 5  # a hand-in writes to the database, and waits for nothing else
