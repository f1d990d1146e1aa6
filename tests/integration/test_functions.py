"""The functions under functions-framework, everything they use on this machine: what answers 200 is not delivered again."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from functions_framework import create_app
from werkzeug.test import TestResponse

from chapterverse.core.book import BookId
from chapterverse.core.tasks import StoredFile, Task
from chapterverse.infrastructure.storage.folder import FolderUploads
from chapterverse.library.model import BookVersion, VersionState
from chapterverse.library.store import SqlCatalog
from chapterverse.library.versions import receive_task
from tests.support.pdfs import a_long_pdf, a_picture_of_a_page

MAIN = Path(__file__).parents[2] / "functions" / "main.py"
FINALIZED, DELETED = (f"google.cloud.storage.object.v1.{what}" for what in ("finalized", "deleted"))
Deliver = Callable[..., TestResponse]


@pytest.fixture
def deliver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Deliver:
    """Brings an event to a function that was started for it."""
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(tmp_path))
    configured = "chapterverse.infrastructure.logs.logging.basicConfig"
    monkeypatch.setattr(configured, lambda **_: None)  # the tests' own handlers stay

    def deliver(target: str, kind: str, name: str, generation: str = "1", age: timedelta = timedelta()) -> TestResponse:
        headers = {
            "ce-specversion": "1.0",
            "ce-id": "1",
            "ce-type": kind,
            "ce-source": "//storage.googleapis.com/projects/_/buckets/books",
            "ce-time": (datetime.now(UTC) - age).isoformat(),
        }
        body = {"bucket": "books", "name": name, "generation": generation}
        return create_app(target, str(MAIN)).test_client().post("/", json=body, headers=headers)

    return deliver


def put(home: Path, name: str, pdf: bytes | None = None) -> str:
    """A book's file where uploads are; its generation."""
    data = pdf or a_long_pdf("The ship left harbour", pages=3)
    return FolderUploads(home / "uploads").write(name, data).generation


def newest(home: Path, school: str, book: str) -> BookVersion:
    catalog = SqlCatalog(f"sqlite:///{home / 'catalog.db'}")
    version = catalog.book(school, BookId(book)).newest
    catalog.close()
    return version


def test_a_file_is_parsed_and_its_indexing_is_under_way(deliver: Deliver, tmp_path: Path) -> None:
    generation = put(tmp_path, "meadow/ship.pdf")

    assert deliver("on_book_uploaded", FINALIZED, "meadow/ship.pdf", generation).status_code == 200

    version = newest(tmp_path, "meadow", "ship")
    assert (version.state, version.batches) == (VersionState.INDEXING, 1)


def test_a_scan_is_left_to_the_worker(deliver: Deliver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[Task] = []
    monkeypatch.setattr("chapterverse.infrastructure.local_queue.LocalQueue.add", lambda _, task: added.append(task))
    generation = put(tmp_path, "meadow/ship.pdf", a_picture_of_a_page())

    assert deliver("on_book_uploaded", FINALIZED, "meadow/ship.pdf", generation).status_code == 200

    assert added == [receive_task(StoredFile("meadow/ship.pdf", generation))]
    assert newest(tmp_path, "meadow", "ship").state is VersionState.PARSING


@pytest.mark.parametrize("name", ["notes.txt", "meadow/ship.pdf"], ids=["no book's", "gone"])
def test_a_file_that_is_no_books_or_is_gone_is_dealt_with(deliver: Deliver, name: str) -> None:
    assert deliver("on_book_uploaded", FINALIZED, name).status_code == 200
    assert deliver("on_book_deleted", DELETED, name).status_code == 200


def test_an_event_of_long_ago_is_given_up_and_the_book_says_so(deliver: Deliver, tmp_path: Path) -> None:
    generation = put(tmp_path, "meadow/ship.pdf")

    answer = deliver("on_book_uploaded", FINALIZED, "meadow/ship.pdf", generation, age=timedelta(hours=7))

    assert answer.status_code == 200
    version = newest(tmp_path, "meadow", "ship")
    assert (version.state, version.reason) == (VersionState.FAILED, "gave_up")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("CATALOG", "postgresql+psycopg://nobody@127.0.0.1:9/catalog"),
        ("CATALOG", "postgresql+psycopg://nobody@127.0.0.1:port/catalog"),
        ("QUEUE", "projects/p/locations/l/queues/q"),
        ("UPLOADS", "gs://uploads"),
    ],
    ids=["a catalog that does not answer", "no address", "settings that do not fit together", "without a Google account"],
)
def test_what_is_not_the_files_fault_is_delivered_again(
    setting: str, value: str, deliver: Deliver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generation = put(tmp_path, "meadow/ship.pdf")
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv(f"CHAPTERVERSE_{setting}", value)

    assert deliver("on_book_uploaded", FINALIZED, "meadow/ship.pdf", generation).status_code == 500
