"""The school's textbooks over HTTP: handed in, read, corrected, removed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.library.intake import add_book
from chapterverse.web.app import create_app
from tests.support.books import LIMITS
from tests.support.pdfs import a_pdf
from tests.support.sites import folder
from tests.support.textbooks import PAGES
from tests.support.web import Site, shelve_pdf, web_parts

AT = "/api/v1/collections/textbook/sources"


@pytest.fixture
def robots(tmp_path: Path) -> Iterator[Site]:
    """A school with a textbook of pages and one of paper."""
    with web_parts(tmp_path) as parts:
        shelf = parts.collections[Collection.TEXTBOOK]
        add_book(folder(PAGES), "robots.zip", "school", replace(shelf, parser=read_source), LIMITS, title="Robots")
        shelve_pdf(shelf, a_pdf("A printed page says this. It says no more."), "Paper")
        yield Site(parts, create_app(parts))


def test_a_student_sees_which_there_are_and_their_chapters(robots: Site) -> None:
    student = robots.caller()

    told = student("GET", AT).get_json()["sources"]
    contents = student("GET", f"{AT}/robots/chapters").get_json()

    assert [(each["source"], each["state"]) for each in told] == [("paper", "ready"), ("robots", "ready")]
    assert contents["title"] == "Robots"
    assert [(part["number"], part["module"], part["title"]) for part in contents["parts"]] == [
        (1, "Module 1: Middleware", "Nodes"),
        (2, "Hardware", "Sensors"),
    ]


def test_a_chapter_has_all_its_passages_under_the_ids_that_citations_name(robots: Site) -> None:
    chapter = robots.caller()("GET", f"{AT}/robots/chapters/1").get_json()

    shelf = robots.parts.collections[Collection.TEXTBOOK]
    active = shelf.catalog.book("school", shelf.catalog.books("school")[1].id).active
    assert active is not None
    ids = {sentence.address.paragraph_id for sentence in shelf.text_of(active.key).chapter(0)}
    assert all(f'id="{id}"' in chapter["html"] for id in ids)
    assert [(each["level"], each["text"]) for each in chapter["headings"]] == [(2, "What a node is"), (2, "Starting one")]
    assert (chapter["stretch"], chapter["stretches"]) == (1, 1)


def test_of_a_printed_one_pages_are_linked(robots: Site) -> None:
    student = robots.caller()
    number = student("GET", f"{AT}/paper/chapters").get_json()["parts"][0]["number"]

    html = student("GET", f"{AT}/paper/chapters/{number}").get_json()["html"]

    assert "A printed page says this. It says no more." in html
    assert "/api/v1/pages/paper/0.png?collection=textbook" in html


@pytest.mark.parametrize("path", ["none/chapters", "none/chapters/1", "robots/chapters/3", "robots/chapters/1?stretch=0"])
def test_what_is_not_there_is_not_found(robots: Site, path: str) -> None:
    assert robots.caller()("GET", f"{AT}/{path}").status_code in {400, 404}


def test_a_teacher_hands_in_corrects_and_removes(robots: Site) -> None:
    teacher, student = robots.caller(KeyScope.TEACHER), robots.caller()

    handed = teacher.send(AT, b"# New\n\nSome text stands here.\n", "new.md")

    assert (handed.status_code, handed.get_json()["source"]) == (202, "new")
    assert student("POST", AT, {"file_name": "x.pdf"}).status_code == 403
    renamed = teacher("PATCH", f"{AT}/robots", {"title": "Machines", "chapters": {"0": "Knots"}})
    assert (renamed.status_code, renamed.get_json()["title"]) == (200, "Machines")
    assert student("GET", f"{AT}/robots/chapters").get_json()["parts"][0]["title"] == "Knots"
    assert teacher("DELETE", f"{AT}/robots").status_code == 204
    assert student("GET", f"{AT}/robots").status_code == 404
