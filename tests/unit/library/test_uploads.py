from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.library.model import SCHOOL_LIMITS, collection_of, is_misplaced, parts_of
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


def test_without_a_bucket_a_file_comes_as_a_form(empty_site: Site, teacher: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    announced = teacher("POST", BOOKS, {"file_name": "On Liberty.pdf"})
    assert (announced.status_code, announced.get_json()["id"]) == (400, "files_come_as_forms")
    too_long = teacher("POST", BOOKS, {"file_name": "書" * 84 + ".pdf"})  # a name that no file system takes
    assert (too_long.status_code, "at most 255 bytes" in too_long.get_json()["errors"][0]["message"]) == (400, True)
    assert sent(teacher, bytes(empty_site.parts.intake.limits.bytes + 1)).status_code == 413

    tasks: list[Task] = []
    queue = empty_site.parts.intake.queue

    with monkeypatch.context() as patch:
        patch.setattr(type(empty_site.parts.intake.uploads), "files", None)  # a file costs no more where many wait
        answer = sent(teacher, a_pdf())

    queue.start(lambda task, _: tasks.append(task))
    queue.wait_until_idle(10)
    queue.close()
    assert (answer.status_code, answer.get_json()["source"]) == (202, "on-liberty")
    [file] = empty_site.parts.intake.uploads.files("school/")
    assert file.name == "school/On Liberty.pdf"
    assert [(task.kind, task.body["name"]) for task in tasks] == [(TaskKind.RECEIVE, "school/On Liberty.pdf")]


def test_a_large_file_of_a_school_with_much_work_lets_others_go_first(empty_site: Site, teacher: Caller) -> None:
    turns = empty_site.parts.intake.turns

    with ThreadPoolExecutor(1) as pool, turns.of("school").taken(at_once=True):
        with turns.of("harbour").taken():
            answer = pool.submit(sent, teacher, a_pdf() + bytes(LARGE))
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.5)

        assert answer.result(timeout=60).status_code == 202


@pytest.mark.parametrize(
    ("name", "collection", "file_name", "misplaced"),
    [
        ("school/emma.pdf", Collection.BOOKS, "emma.pdf", False),
        ("school/term 1/emma.pdf", Collection.BOOKS, "term 1/emma.pdf", True),
        ("school/documents/rules.pdf", Collection.DOCUMENTS, "rules.pdf", False),
        ("school/helpdesk/physics/rules.pdf", Collection.HELPDESK, "physics/rules.pdf", False),
        ("school/helpdesk/physics/old/rules.pdf", Collection.HELPDESK, "physics/old/rules.pdf", True),
        ("school/textbook/robots.ZIP", Collection.TEXTBOOK, "robots.ZIP", False),
        ("school/helpdesk/rules.pdf", Collection.HELPDESK, "rules.pdf", False),
        ("documents/rules.pdf", Collection.BOOKS, "rules.pdf", False),
        ("school/books/emma.pdf", Collection.BOOKS, "books/emma.pdf", True),
    ],
)
def test_a_files_folder_says_what_it_is_put_in(name: str, collection: Collection, file_name: str, misplaced: bool) -> None:
    assert collection_of(name) is collection
    assert parts_of(name) == (name.partition("/")[0], file_name)
    assert is_misplaced(name) is misplaced


def test_a_name_that_no_source_has_is_refused_and_the_usual_number_of_books_is_the_default_of_the_setting() -> None:
    assert Settings.model_fields["max_books"].default == SCHOOL_LIMITS.books
    no_school, no_file = ("", "emma.pdf", "/emma.pdf"), ("", "emma.txt", "emma.zip", ".pdf", "a\0.pdf")
    for name in (*no_school, *(f"school/{each}" for each in (*no_file, "textbook/faq.json", "helpdesk/faq.json"))):
        with refused(BadRequest, "wrong_ending"):
            parts_of(name)
