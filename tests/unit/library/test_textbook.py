"""The pages of the textbooks: who may see what, that nothing of a book is run, and where a sentence is read."""

import re
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
from tests.support.pictures import a_zip, png
from tests.support.shelved import key_of
from tests.support.sites import folder
from tests.support.textbooks import PAGES
from tests.support.web import Site, shelve_pdf, web_parts
from tests.unit.web.test_pages import signed_in

BAD = """# <i>Nodes</i>

Before <script>alert(1)</script><img src="x" onerror="alert(1)"> <a href="javascript:alert(1)">run</a>
[on](../b/two.md#far) ![pic](img/a.png)

<iframe src="https://evil.example"></iframe><style>p { color: red }</style><p style="color: red" onclick="alert(1)">Styled.</p>
"""
BAD_PAGES = {
    "docs/a/one.md": BAD.encode(),
    "docs/a/img/a.png": png(2, 2),
    "docs/a/img/a.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "docs/a/secret.txt": b"nothing to see",
    "docs/b/two.md": b"# Two\n\n## Far\n\nIt is far. Very far.\n",
}


@pytest.fixture
def bad(tmp_path: Path) -> Iterator[Site]:
    """A school with a book that would run what stands in it."""
    with web_parts(tmp_path) as parts:
        for collection in (Collection.TEXTBOOK, Collection.DOCUMENTS):
            shelf = replace(parts.collections[collection], parser=read_source)
            add_book(a_zip(BAD_PAGES), "bad.zip", "school", shelf, LIMITS, title='A <script>"title"</script>')
        yield Site(parts, create_app(parts))


def test_nothing_of_a_book_is_run(bad: Site) -> None:
    page = signed_in(bad).get("/textbook/bad/1")

    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert not re.search(r"<iframe|<style|<[^>]*(\son\w+=|\sstyle=|javascript:)", page.text)
    assert "color: red" not in page.text
    assert "A &lt;script&gt;&#34;title&#34;&lt;/script&gt;" in page.text
    assert 'href="/textbook/bad/2#at-far"' in page.text


def test_pictures_of_the_folder_are_shown_and_nothing_else_of_it(bad: Site) -> None:
    browser = signed_in(bad)

    assert (
        'src="/api/v1/pictures/bad?name=docs%2Fa%2Fimg%2Fa.png&amp;collection=textbook"' in browser.get("/textbook/bad/1").text
    )
    shown = browser.get("/api/v1/pictures/bad?name=docs/a/img/a.png")
    assert (shown.status_code, shown.content_type, shown.data[:4]) == (200, "image/png", b"\x89PNG")
    assert "sandbox" in browser.get("/api/v1/pictures/bad?name=docs/a/img/a.svg").headers["Content-Security-Policy"]
    for other in ("docs/a/secret.txt", "docs/a/one.md", "../x.png", "docs/a/img/b.png"):
        assert browser.get(f"/api/v1/pictures/bad?name={other}").status_code == 404


def test_a_sentence_leads_to_its_passage_also_in_a_document_which_is_not_asked_there(bad: Site) -> None:
    browser, shelf = signed_in(bad), bad.parts.collections[Collection.TEXTBOOK]
    far = next(shelf.text_of(key_of(shelf.catalog.books("school")[0])).chapter(1))
    led = browser.get(f"/textbook/bad?sentence={far.id}")
    assert (led.status_code, led.location) == (303, f"/textbook/bad/2#{far.address.paragraph_id}")
    assert f'id="{far.address.paragraph_id}"' in browser.get(led.location).text
    assert browser.get("/textbook/bad").location == "/textbook/bad/1"
    assert browser.get("/textbook/bad?sentence=none").status_code == 404
    assert browser.get("/textbook/bad/9").status_code == 404
    assert browser.get("/textbook/none").status_code == 404

    page = signed_in(bad).get("/ask/documents/bad/2")
    assert "Very far." in page.text
    assert 'id="chat"' not in page.text


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
