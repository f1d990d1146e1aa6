"""Tasks that cannot be done: on record on their book, and never delivered for ever."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chapterverse.core import errors
from chapterverse.core.hits import Vectors
from chapterverse.core.tasks import StoredFile, Task, TaskKind
from chapterverse.library.intake import WORK, receive_file, run_task
from chapterverse.library.model import VersionState
from chapterverse.library.versions import receive_task
from tests.support.intake import Town

TEXT = b"The sea was calm.|The wind rose.\nNobody saw the ship.|It went down.\nThe end."
OTHER_TEXT = b"The sea was rough.|No ship was out."


def embedding_raises(town: Town, error: Exception | None) -> None:
    """From now on; None: it works."""
    embed = type(town.embedder).embed_passages

    def embed_passages(texts: Sequence[str]) -> Vectors:
        if error:
            raise error
        return embed(town.embedder, texts)

    town.embedder.embed_passages = embed_passages


def newest(town: Town) -> tuple[VersionState, str | None]:
    version = town.book().newest
    return version.state, version.reason


@pytest.mark.parametrize(
    "error", [errors.ModelUnavailable("No weights."), errors.DimensionMismatch("Another model."), errors.BadRequest("What?")]
)
def test_what_can_never_succeed_fails_the_book_and_is_not_delivered_again(town: Town, error: errors.ChapterverseError) -> None:
    town.receive(TEXT)
    embedding_raises(town, error)

    for task in town.queue.waiting:
        run_task(task, 1, town.intake)

    version = town.book().newest
    assert (version.state, version.reason, str(version.message)) == (VersionState.FAILED, error.code, str(error))


def test_what_may_succeed_later_is_raised_and_leaves_the_book_as_it_is(town: Town) -> None:
    town.receive(TEXT)
    for error in (errors.EmbedderUnavailable("Away."), ZeroDivisionError()):
        embedding_raises(town, error)
        with pytest.raises(type(error)):
            run_task(town.queue.waiting[0], town.intake.attempts, town.intake)

    assert newest(town) == (VersionState.INDEXING, None)


def test_a_task_that_failed_too_often_fails_the_book_which_can_be_uploaded_again(town: Town) -> None:
    town.receive(TEXT)
    embedding_raises(town, errors.EmbedderUnavailable("Away."))
    town.queue.do_all(town.intake)
    given_up = newest(town)
    embedding_raises(town, None)

    town.receive(TEXT)  # the same bytes, uploaded again
    new_tasks = len(town.queue.waiting)
    town.do_all()

    assert given_up == (VersionState.FAILED, "gave_up")
    assert new_tasks == 3
    assert newest(town) == (VersionState.READY, None)
    assert not [name for name in town.bucket.names("") if "part" in name]


def test_a_late_task_of_an_attempt_given_up_does_not_fail_the_next_attempt_or_harm_a_book_that_is_ready(town: Town) -> None:
    town.receive(TEXT)
    late = list(town.queue.waiting)
    run_task(late[0], town.intake.attempts + 1, town.intake)
    town.receive(TEXT)

    for task in late:
        run_task(task, town.intake.attempts + 1, town.intake)
        run_task(task, 1, town.intake)

    assert newest(town) == (VersionState.INDEXING, None)
    town.do_all()
    assert newest(town) == (VersionState.READY, None)
    ready = town.contents()
    for task in late:
        run_task(task, town.intake.attempts + 1, town.intake)
    assert town.contents() == ready


def test_a_file_whose_reception_failed_too_often_or_whose_kept_text_is_lost_is_on_record(town: Town) -> None:
    file = town.put(TEXT)
    task = receive_task(file)

    run_task(task, town.intake.attempts + 1, town.intake)

    assert newest(town) == (VersionState.FAILED, "gave_up")
    receive_file(file, town.intake)
    town.bucket.delete("school/at-sea/")
    town.do_all()
    assert newest(town) == (VersionState.FAILED, "not_found")
    receive_file(file, town.intake)
    town.do_all()
    assert [version.state for version in town.book().versions] == [VersionState.READY]


@pytest.mark.parametrize("kind", WORK)
@pytest.mark.parametrize("body", [{}, {"school": "school", "batch": "x", "name": "../x"}])
def test_a_task_that_says_nothing_is_loud_and_comes_again_until_it_is_given_up(
    town: Town, kind: TaskKind, body: dict[str, str | int], caplog: pytest.LogCaptureFixture
) -> None:
    task = Task("task", kind, body)
    for attempt in (1, town.intake.attempts):
        with pytest.raises(errors.BadRequest):
            run_task(task, attempt, town.intake)
    run_task(task, town.intake.attempts + 1, town.intake)

    assert [record.levelname for record in caplog.records] == ["ERROR"] * 3
    assert all("task not understood" in record.message for record in caplog.records)
    run_task(receive_task(StoredFile("notes.txt", "1")), 1, town.intake)  # a file of no school is not delivered again
    assert town.catalog.books("school") == []


@pytest.mark.parametrize("number", range(3))
def test_many_at_once_do_the_same_tasks_and_the_book_is_whole(town: Town, tmp_path: Path, number: int) -> None:
    town.receive(TEXT)
    town.do_all()
    file = town.receive(OTHER_TEXT * 5)

    def deliver(task: Task) -> None:
        try:
            run_task(task, 1, town.intake)
            receive_file(file, town.intake)
        except errors.RetryableError:
            return

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(deliver, list(town.queue.waiting) * 4))
    town.do_all()

    quiet = Town(tmp_path / "quiet")
    with quiet.closing:
        quiet.receive(OTHER_TEXT * 5)
        quiet.do_all()
        assert town.contents() == quiet.contents()
