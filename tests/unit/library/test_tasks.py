"""The same work is the same task; what a task is about is read from its body as it was written."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest
from chapterverse.core.tasks import StoredFile, Task, TaskKind
from chapterverse.library.model import BookVersion, VersionKey, VersionState
from chapterverse.library.versions import IndexTask, index_tasks, understood

NOON = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
WORDS = st.text(min_size=1)
KEYS = st.builds(VersionKey, WORDS, WORDS.map(BookId), WORDS, WORDS)


def a_version(key: VersionKey, began: datetime = NOON, batches: int = 3) -> BookVersion:
    return BookVersion(key, VersionState.INDEXING, None, None, 9, None, began, began, batches)


@given(KEYS)
def test_the_batches_of_a_version_are_tasks_of_their_own(key: VersionKey) -> None:
    tasks = index_tasks(a_version(key), "1")

    sent = [replace(task, body=json.loads(json.dumps(dict(task.body)))) for task in tasks]
    assert [understood(task, IndexTask, 1, 1) for task in sent] == [IndexTask(key, NOON, n) for n in range(3)]
    assert len({task.name for task in tasks}) == 3
    assert all(re.fullmatch(r"[0-9a-f]{32}-index", task.name) for task in tasks)


def test_asked_again_it_is_the_same_task_and_begun_again_another() -> None:
    key = VersionKey("school", BookId("book"), "v", "m")
    first, again, later, by_another = (
        index_tasks(a_version(key, began), asked_by)[0].name
        for began, asked_by in ((NOON, "1"), (NOON, "1"), (NOON + timedelta(microseconds=1), "1"), (NOON, "2"))
    )

    assert first == again
    assert len({first, later, by_another}) == 3


@pytest.mark.parametrize("body", [{}, {"name": 1, "generation": "2"}, {"school": "s", "book": "b", "version": "v"}])
def test_a_body_that_lacks_something_is_refused(body: dict[str, str | int]) -> None:
    for kind in (StoredFile, VersionKey, IndexTask):
        with pytest.raises(BadRequest):
            understood(Task("task", TaskKind.INDEX, body), kind, 1, 1)
