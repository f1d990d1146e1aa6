"""The school's textbooks over HTTP: handed in, read, corrected, removed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.worker import read_source
from chapterverse.core.book import Collection
from chapterverse.library.intake import add_book
from chapterverse.web.app import create_app
from tests.support.books import LIMITS
from tests.support.pdfs import a_pdf
from tests.support.shelved import key_of
from tests.support.sites import folder
from tests.support.textbooks import PAGES
from tests.support.web import Site, shelve_pdf, web_parts
from tests.unit.web.test_pages import signed_in

AT = "/api/v1/collections/textbook/sources"


@pytest.fixture
def robots(tmp_path: Path) -> Iterator[Site]:
    """A school with a textbook of pages and one of paper."""
    with web_parts(tmp_path) as parts:
        shelf = parts.collections[Collection.TEXTBOOK]
        add_book(folder(PAGES), "robots.zip", "school", replace(shelf, parser=read_source), LIMITS, title="Robots")
        shelve_pdf(shelf, a_pdf("A printed page says this. It says no more."), "Paper")
        yield Site(parts, create_app(parts))


def test_a_student_sees_which_there_are_and_reads_their_chapters(robots: Site) -> None:
    told, browser = robots.caller()("GET", AT).get_json()["sources"], signed_in(robots)

    chapter, printed = (browser.get(f"/textbook/{source}", follow_redirects=True).text for source in ("robots", "paper"))

    assert [(each["source"], each["state"]) for each in told] == [("paper", "ready"), ("robots", "ready")]
    assert all(each in chapter for each in ("Module 1: Middleware", "Nodes", "Hardware", "Sensors"))
    shelf = robots.parts.collections[Collection.TEXTBOOK]
    ids = {each.address.paragraph_id for each in shelf.text_of(key_of(shelf.catalog.books("school")[1])).chapter(0)}
    assert all(f'id="{id}"' in chapter for id in ids)  # as citations name them
    assert "A printed page says this. It says no more." in printed
    assert 'href="/books/paper/1?collection=textbook"' in printed
