import pytest

from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest
from chapterverse.library.uploads import collection_of, is_misplaced, parts_of
from tests.support.refusals import refused


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
