from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.library.model import DEFAULT_LIMITS, collection_of, is_misplaced, parts_of
from chapterverse.settings import Settings
from chapterverse.web.operations import LARGE
from tests.support.pdfs import a_pdf
from tests.support.refusals import refused
from tests.support.web import Caller, Site

COLLECTIONS = "/api/v1/collections"
BOOKS = f"{COLLECTIONS}/books/sources"


@pytest.fixture
def teacher(empty_site: Site) -> Caller:
    return empty_site.caller(KeyScope.TEACHER)


def sent(teacher: Caller, data: bytes, name: str = "On Liberty.pdf", collection: str = "books") -> TestResponse:
    """The answer to sending a file."""
    return teacher.send(f"{COLLECTIONS}/{collection}/sources", data, name)


def test_a_file_that_is_sent_is_kept_for_the_school_and_a_task_receives_it(empty_site: Site, teacher: Caller) -> None:
    tasks: list[Task] = []
    queue = empty_site.parts.intake.queue

    answer = sent(teacher, a_pdf())

    queue.start(lambda task, _: tasks.append(task))
    queue.wait_until_idle(10)
    queue.close()
    assert (answer.status_code, answer.get_json()["source"]) == (202, "on-liberty")
    [file] = empty_site.parts.intake.uploads.files("school/")
    assert file.name == "school/On Liberty.pdf"
    assert [(task.kind, task.body["name"]) for task in tasks] == [(TaskKind.RECEIVE, "school/On Liberty.pdf")]


def test_without_a_bucket_a_file_comes_as_a_form_and_none_beyond_the_limit(empty_site: Site, teacher: Caller) -> None:
    announced = teacher("POST", BOOKS, {"file_name": "On Liberty.pdf"})

    assert (announced.status_code, announced.get_json()["id"]) == (400, "files_come_as_forms")
    assert sent(teacher, bytes(empty_site.parts.intake.limits.bytes + 1)).status_code == 413


def test_a_large_file_of_a_school_with_much_work_lets_others_go_first(empty_site: Site, teacher: Caller) -> None:
    turns = empty_site.parts.intake.turns

    with ThreadPoolExecutor(1) as pool, turns.of("school").taken(at_once=True):
        with turns.of("harbour").taken():
            answer = pool.submit(sent, teacher, a_pdf() + bytes(LARGE))
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.5)

        assert answer.result(timeout=60).status_code == 202


def test_a_name_that_no_file_system_takes_is_refused_before_anything_is_sent(teacher: Caller) -> None:
    answer = teacher("POST", BOOKS, {"file_name": "書" * 84 + ".pdf"})

    assert answer.status_code == 400
    assert "at most 255 bytes" in answer.get_json()["errors"][0]["message"]


def test_the_usual_number_of_books_is_the_default_of_the_setting() -> None:
    assert Settings.model_fields["max_books"].default == DEFAULT_LIMITS.books


@pytest.mark.parametrize(
    ("name", "collection", "file_name"),
    [
        ("school/emma.pdf", Collection.BOOKS, "emma.pdf"),
        ("school/term 1/emma.pdf", Collection.BOOKS, "term 1/emma.pdf"),
        ("school/documents/rules.pdf", Collection.DOCUMENTS, "rules.pdf"),
        ("school/helpdesk/old/rules.pdf", Collection.HELPDESK, "old/rules.pdf"),
        ("school/textbook/robots.ZIP", Collection.TEXTBOOK, "robots.ZIP"),
        ("school/helpdesk/rules.pdf", Collection.HELPDESK, "rules.pdf"),
        ("documents/rules.pdf", Collection.BOOKS, "rules.pdf"),
        ("school/books/emma.pdf", Collection.BOOKS, "books/emma.pdf"),
    ],
)
def test_a_files_folder_says_what_it_is_put_in(name: str, collection: Collection, file_name: str) -> None:
    assert collection_of(name) is collection
    assert parts_of(name) == (name.partition("/")[0], file_name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "emma.pdf",
        "school/",
        "school/emma.txt",
        "school/emma.zip",
        "school/textbook/faq.json",
        "school/helpdesk/faq.json",
        "/emma.pdf",
        "school/.pdf",
        "school/a\0.pdf",
    ],
)
def test_a_name_that_no_source_has_is_refused(name: str) -> None:
    with refused(BadRequest, "wrong_ending"):
        parts_of(name)


@pytest.mark.parametrize(
    ("name", "misplaced"),
    [
        ("school/emma.pdf", False),
        ("school/term 1/emma.pdf", True),
        ("school/helpdesk/rules.pdf", False),
        ("school/helpdesk/physics/rules.pdf", False),
        ("school/helpdesk/physics/old/rules.pdf", True),
    ],
)
def test_only_at_the_help_desk_a_folder_is_a_department(name: str, misplaced: bool) -> None:
    assert is_misplaced(name) is misplaced
