from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.library.uploads import DEFAULT_LIMITS
from chapterverse.settings import Settings
from tests.support.pdfs import a_pdf
from tests.support.web import Caller, Site

COLLECTIONS = "/api/v1/collections"
BOOKS = f"{COLLECTIONS}/books/sources"


@pytest.fixture
def teacher(empty_site: Site) -> Caller:
    return empty_site.caller(KeyScope.TEACHER)


def address(teacher: Caller, name: str = "On Liberty.pdf") -> str:
    """Path and query that a PDF of that name may be sent to."""
    parts = urlsplit(teacher("POST", BOOKS, {"file_name": name}).get_json()["upload"]["url"])
    return f"{parts.path}?{parts.query}"


def put(site: Site, path: str, pdf: bytes = b"%PDF-1.7", content_type: str = "application/pdf") -> int:
    """The status of sending a file there, without a key."""
    return site.anybody("PUT", path, data=pdf, content_type=content_type).status_code


def test_a_teacher_gets_an_address_and_the_name_of_the_book_to_ask_for(teacher: Caller) -> None:
    answer = teacher("POST", BOOKS, {"file_name": "On Liberty.pdf"})

    upload = answer.get_json()["upload"]
    assert (answer.status_code, upload["method"], answer.get_json()["source"]) == (202, "PUT", "on-liberty")
    assert upload["headers"] == {"Content-Type": "application/pdf"}
    assert 890 < (datetime.fromisoformat(upload["expires"]) - datetime.now(UTC)).total_seconds() <= 900


def test_a_pdf_sent_to_the_address_is_kept_for_the_school_and_a_task_receives_it(empty_site: Site, teacher: Caller) -> None:
    tasks: list[Task] = []
    queue = empty_site.parts.intake.queue

    assert put(empty_site, address(teacher), a_pdf()) == 204

    queue.start(lambda task, _: tasks.append(task))
    queue.wait_until_idle(10)
    queue.close()
    [file] = empty_site.parts.intake.uploads.files("school/")
    assert file.name == "school/On Liberty.pdf"
    assert [(task.kind, task.body["name"]) for task in tasks] == [(TaskKind.RECEIVE, "school/On Liberty.pdf")]


@pytest.mark.parametrize("old", ["On%20Liberty.pdf", "/school/", "signature="])
def test_an_address_that_was_not_given_out_takes_nothing(empty_site: Site, teacher: Caller, old: str) -> None:
    forged = address(teacher).replace(old, {"/school/": "/other/"}.get(old, f"x{old}"))

    assert put(empty_site, forged) == 401
    assert empty_site.parts.intake.uploads.files("") == []


def test_only_a_pdf_may_be_sent_and_none_beyond_the_limit(empty_site: Site, teacher: Caller) -> None:
    assert put(empty_site, address(teacher), content_type="text/html") == 400
    assert put(empty_site, address(teacher), bytes(empty_site.parts.intake.limits.bytes + 1)) == 413


def test_a_name_that_no_file_system_takes_is_refused_before_anything_is_sent(teacher: Caller) -> None:
    answer = teacher("POST", BOOKS, {"file_name": "書" * 84 + ".pdf"})

    assert answer.status_code == 400
    assert "at most 255 bytes" in answer.get_json()["errors"][0]["message"]


@pytest.mark.parametrize(
    ("collection", "name", "type_"),
    [
        ("textbook", "robots.zip", "application/zip"),
        ("helpdesk", "desk.zip", "application/zip"),
        ("documents", "rules.PDF", "application/pdf"),
    ],
)
def test_each_collection_takes_in_its_files_under_an_address_of_its_own(
    empty_site: Site, teacher: Caller, collection: str, name: str, type_: str
) -> None:
    upload = teacher("POST", f"{COLLECTIONS}/{collection}/sources", {"file_name": name}).get_json()["upload"]

    parts = urlsplit(upload["url"])
    assert upload["headers"] == {"Content-Type": type_}
    assert put(empty_site, f"{parts.path}?{parts.query}", b"bytes", "text/plain") == 400
    assert put(empty_site, f"{parts.path}?{parts.query}", b"bytes", type_) == 204
    assert [file.name for file in empty_site.parts.intake.uploads.files("")] == [f"school/{collection}/{name}"]


@pytest.mark.parametrize(("collection", "name"), [("books", "a.zip"), ("textbook", "a.csv"), ("helpdesk", "a.epub")])
def test_a_file_that_a_collection_does_not_take_in_gets_no_address(teacher: Caller, collection: str, name: str) -> None:
    assert teacher("POST", f"{COLLECTIONS}/{collection}/sources", {"file_name": name}).status_code == 400


def test_the_usual_number_of_books_is_the_default_of_the_setting() -> None:
    assert Settings.model_fields["max_books"].default == DEFAULT_LIMITS.books
