"""The viewer: pages with their text in place, search, citations, the file with highlights; and who may see them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pymupdf
import pytest

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Box, Collection, Kind
from chapterverse.library.corrections import correct_book
from chapterverse.library.intake import add_book
from chapterverse.library.model import Corrections
from chapterverse.library.reading import lines_of, view_book
from tests.support.books import LIMITS
from tests.support.browsers import browser_of
from tests.support.epubs import epub
from tests.support.pdfs import a_pdf
from tests.support.pictures import a_zip, png
from tests.support.shelved import key_of, sentences_of, shelve
from tests.support.sites import folder
from tests.support.textbooks import PAGES as ROBOTS
from tests.support.web import Caller, Site, shelve_pdf, site

LONG = " ".join(["The principle applies to every one of us who can think and choose among many things freely."] * 2)
PAGES = (
    'Silencing an "opinion" robs mankind of truth. It is late.',
    f"Custom grows where nobody chooses. {LONG}",
    "Habits stay.",
)
AT = ("/books/on-principle/1", "/books/rules/1?collection=documents", "/books/desk/1?collection=helpdesk")
FILES = ("/api/v1/collections/documents/sources/rules/file", "/api/v1/pages/rules/0/thumbnail.png?collection=documents")
DESKS = ("/api/v1/collections/helpdesk/sources/desk/file", "/api/v1/pages/desk/0/thumbnail.png?collection=helpdesk")
PAGE = "/api/v1/pages/on-principle/0.png"


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("site")) as running:
        shelve_pdf(running.services, a_pdf(*PAGES))
        for collection, title in ((Collection.DOCUMENTS, "Rules"), (Collection.HELPDESK, "Desk")):
            shelve_pdf(running.parts.collections[collection], a_pdf(f"One of the {title} is that nobody ever runs."), title)
        yield running


def sentences(site: Site, book: str = "on-principle", collection: Collection = Collection.BOOKS) -> list[str]:
    services = site.parts.collections[collection]
    return [sentence.id for sentence in sentences_of(services.catalog.book("school", BookId(book)), services)]


def read(site: Site, path: str, role: KeyScope = KeyScope.STUDENT, school: str = "school") -> tuple[int, str]:
    answer = browser_of(site, f"{role}@{school}.example", role, school).get(path)
    return answer.status_code, unescape(answer.data.decode(errors="replace"))


def test_a_page_has_its_text_in_place_and_links_and_a_place_in_an_e_book_is_no_page_of_a_pdf(viewed: Site) -> None:
    status, html = read(viewed, "/books/on-principle/2")

    assert status == 200
    assert 'src="/api/v1/pages/on-principle/1.png?collection=books&scale=2"' in html
    assert 'href="/books/on-principle/1" rel="prev"' in html
    assert 'href="/books/on-principle/3" rel="next"' in html
    lines = re.findall(r'data-box="([\d. ]+)">([^<]*)<', html)
    assert " ".join("".join(text for _, text in lines).split()) == PAGES[1]
    assert all(len(box.split()) == 4 for box, _ in lines)
    assert "Silencing" not in html
    assert "data-correct" not in html
    assert "data-correct" in read(viewed, "/books/on-principle/1", KeyScope.TEACHER)[1]

    shelve_pdf(viewed.services, epub([("The Harbour", "<p>The sea was calm.</p>")]), "At Sea.epub")
    shown = [read(viewed, path, KeyScope.TEACHER)[1] for path in ("/books/at-sea/1", "/books/at-sea")]
    assert [("Position" in html, "PDF page" in html) for html in shown] == [(True, False)] * 2


def test_a_sentence_leads_to_its_page_and_the_book_is_searched_whatever_its_marks_and_cases(viewed: Site) -> None:
    second = sentences(viewed)[2]
    student = browser_of(viewed, "anna@school.example")
    found = student.get(f"/sentences/{second}")
    assert (found.status_code, found.headers["Location"]) == (303, f"/books/on-principle/2?sentence={second}")
    html = unescape(student.get(found.headers["Location"]).text)
    assert f'class="sentence is-cited" data-id="{second}"' in html
    assert f"1.png?sentence={second}&scale=2" in html

    _, html = read(viewed, "/books/on-principle/3?find=AN+%E2%80%9Copinion%E2%80%9D")
    _, apart = read(viewed, "/books/on-principle/3?find=chooses+custom")
    _, nothing = read(viewed, "/books/on-principle/3?find=zebra")
    assert "1 found" in html
    assert f'href="/books/on-principle/1?sentence={sentences(viewed)[0]}"' in html
    assert "1 found" in apart
    assert "Nothing found." in nothing
    assert "<script>alert" not in student.get("/books/on-principle/1?find=<script>alert(1)</script>").text


def test_of_a_sentence_on_two_pages_both_are_shown(viewed: Site, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = " ".join(f"Rule number {n} of this house is that nobody runs." for n in range(36))
    with site(tmp_path_factory.mktemp("two")) as running:
        shelve_pdf(running.services, a_pdf(f"{first} All of us who live here", "keep to the rules. That is all."), "House")
        book = running.services.catalog.book("school", BookId("house"))
        across = next(s for s in sentences_of(book, running.services) if len(s.address.places) == 2)

        status, html = read(running, f"/books/house/1?sentence={across.id}")

    assert status == 200
    assert html.count('<figure class="sheet">') == html.count(f"png?sentence={across.id}") == 2
    assert html.count("sentence is-cited") == 2
    assert 'rel="next"' not in html


def test_the_file_is_downloaded_by_its_title_and_small_pictures_of_its_pages_may_be_stored_by_version(
    viewed: Site, student: Caller
) -> None:
    file = student("GET", "/api/v1/collections/books/sources/on-principle/file")
    assert (file.status_code, file.content_type) == (200, "application/pdf")
    assert file.headers["Content-Disposition"].endswith("filename*=UTF-8''On%20Principle.pdf")

    book = viewed.services.catalog.book("school", BookId("on-principle"))
    stored = student("GET", f"/api/v1/pages/on-principle/2/thumbnail.png?version={key_of(book).version}")
    cover = student("GET", "/api/v1/pages/on-principle/0/thumbnail.png")
    assert pymupdf.Pixmap(stored.data).width == 120
    assert "immutable" in stored.headers["Cache-Control"]
    assert cover.headers["Cache-Control"] == "private, no-cache"
    assert student("GET", "/api/v1/pages/on-principle/3/thumbnail.png").status_code == 404


@pytest.mark.parametrize("path", [*AT, f"/sentences/{'0' * 16}-000-p0000-s000"])
def test_who_is_not_signed_in_signs_in_first_and_comes_back(viewed: Site, path: str) -> None:
    answer = viewed.anybody("GET", path)

    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/sign-in?next=/")


def test_what_is_not_there_is_not_found_another_school_sees_nothing_and_the_desk_is_for_teachers(viewed: Site) -> None:
    pages = ["0", "4", "9" * 30, "1?collection=elsewhere", "1?sentence=nobody"]
    for path in (*(f"/books/on-principle/{page}" for page in pages), "/books/nobody/1", "/sentences/nobody"):
        assert read(viewed, path)[0] == 404
    status, html = read(viewed, "/books/on-principle/99")
    assert (status, "has no page 99." in html) == (404, True)

    [desk] = sentences(viewed, "desk", Collection.HELPDESK)
    assert {read(viewed, path, KeyScope.ADMIN, "another")[0] for path in (*AT, *FILES, *DESKS)} == {404}
    for path in (AT[2], *DESKS):
        assert [read(viewed, path, role)[0] for role in (KeyScope.STUDENT, KeyScope.TEACHER)] == [403, 200]
    assert read(viewed, f"/sentences/{desk}")[0] == 404
    assert read(viewed, f"/sentences/{desk}", KeyScope.TEACHER)[0] == 303
    assert read(viewed, f"/sentences/{sentences(viewed)[0]}", KeyScope.ADMIN, "another")[0] == 404


def test_words_are_divided_among_lines_and_the_outline_has_corrected_chapters_and_pages(viewed: Site) -> None:
    book = shelve(viewed.services, "Typed", ["Some wish it were otherwise."])
    [sentence] = sentences_of(book, viewed.services)
    [place] = sentence.address.places
    lines = (Box(0, 0, 60, 10), Box(0, 12, 60, 22), Box(0, 24, 40, 34))
    on_lines = replace(sentence.address, places=(replace(place, boxes=lines),))
    long = replace(sentence, text="alpha beta gamma delta epsilon", address=on_lines)

    assert [line.text for _, line in lines_of(long)] == ["alpha beta ", "gamma delta ", "epsilon "]
    assert next(line.text for _, line in lines_of(replace(long, kind=Kind.CODE))) == "alpha beta\n"

    correct_book("school", BookId("on-principle"), lambda _: Corrections(page_counts={1: "xiv"}), viewed.services)
    seen = view_book("school", BookId("on-principle"), viewed.services)
    correct_book("school", BookId("on-principle"), lambda _: Corrections(), viewed.services)
    assert seen.labels == ("1", "xiv", "xv")
    assert seen.outline == ()
    assert seen.chapter_at(1) is None


@pytest.fixture
def student(viewed: Site) -> Caller:
    return viewed.caller()


@pytest.fixture
def sentence(viewed: Site) -> str:
    """One on the first page."""
    return sentences(viewed)[0]


def size_of(png: bytes) -> tuple[int, int]:
    picture = pymupdf.Pixmap(png)
    return picture.width, picture.height


def test_a_page_is_a_picture_of_the_scale_asked_for_within_bounds(student: Caller) -> None:
    assert size_of(student("GET", PAGE).data) == (800, 1200)
    assert size_of(student("GET", PAGE, query_string={"scale": "0.5"}).data) == (200, 300)
    for scale in ("0.1", "5", "nan", "inf", "large", ""):
        answer = student("GET", PAGE, query_string={"scale": scale})
        assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (400, "/scale")


def test_a_sentence_is_lit_on_its_page_which_is_not_drawn_or_sent_again(student: Caller, sentence: str) -> None:
    plain, lit = student("GET", PAGE), student("GET", PAGE, query_string={"sentence": sentence})
    known = {"If-None-Match": lit.headers["ETag"]}
    again = student("GET", PAGE, headers=known, query_string={"sentence": sentence})

    assert lit.status_code == 200
    assert lit.data != plain.data
    assert "immutable" in lit.headers["Cache-Control"]
    assert plain.headers["Cache-Control"] == "private, no-cache"
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", lit.headers["ETag"])
    assert student("GET", PAGE, headers=known).status_code == 200


def test_a_page_that_is_not_there_and_a_sentence_of_another_page_are_not_found(student: Caller, sentence: str) -> None:
    for page in ("on-principle/3", "emma/0", f"emma/{'9' * 40}"):
        assert student("GET", f"/api/v1/pages/{page}.png").status_code == 404
    other = student("GET", "/api/v1/pages/on-principle/1.png", query_string={"sentence": sentence})
    assert other.status_code == 404


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    with pymupdf.open(stream=a_pdf()) as document:
        document[0].set_mediabox(pymupdf.Rect(0, 0, 14_000, 14_000))
        poster = bytes(document.tobytes())
    with site(tmp_path) as running:
        shelve_pdf(running.services, poster)
        answer = running.caller()("GET", PAGE)

    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")


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
def bad(empty_site: Site) -> Site:
    """A school with a book that would run what stands in it."""
    for collection in (Collection.TEXTBOOK, Collection.DOCUMENTS):
        shelf = replace(empty_site.parts.collections[collection], parser=read_source)
        add_book(a_zip(BAD_PAGES), "bad.zip", "school", shelf, LIMITS, title='A <script>"title"</script>')
    return empty_site


def test_nothing_of_a_book_is_run(bad: Site) -> None:
    page = browser_of(bad).get("/textbook/bad/1")

    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert not re.search(r"<iframe|<style|<[^>]*(\son\w+=|\sstyle=|javascript:)", page.text)
    assert "color: red" not in page.text
    assert "A &lt;script&gt;&#34;title&#34;&lt;/script&gt;" in page.text
    assert 'href="/textbook/bad/2#at-far"' in page.text


def test_pictures_of_the_folder_are_shown_and_nothing_else_of_it(bad: Site) -> None:
    browser = browser_of(bad)

    address = "/api/v1/pictures/bad?name=docs%2Fa%2Fimg%2Fa.png&amp;collection=textbook"
    assert f'src="{address}"' in browser.get("/textbook/bad/1").text
    shown = browser.get("/api/v1/pictures/bad?name=docs/a/img/a.png")
    assert (shown.status_code, shown.content_type, shown.data[:4]) == (200, "image/png", b"\x89PNG")
    assert "sandbox" in browser.get("/api/v1/pictures/bad?name=docs/a/img/a.svg").headers["Content-Security-Policy"]
    for other in ("docs/a/secret.txt", "docs/a/one.md", "../x.png", "docs/a/img/b.png"):
        assert browser.get(f"/api/v1/pictures/bad?name={other}").status_code == 404


def test_a_sentence_leads_to_its_passage_also_in_a_document_which_is_not_asked_there(bad: Site) -> None:
    browser, shelf = browser_of(bad), bad.parts.collections[Collection.TEXTBOOK]
    far = next(shelf.text_of(key_of(shelf.catalog.books("school")[0])).chapter(1))
    led = browser.get(f"/textbook/bad?sentence={far.id}")
    assert (led.status_code, led.location) == (303, f"/textbook/bad/2#{far.address.paragraph_id}")
    assert f'id="{far.address.paragraph_id}"' in browser.get(led.location).text
    assert browser.get("/textbook/bad").location == "/textbook/bad/1"
    for none in ("bad?sentence=none", "bad/9", "none"):
        assert browser.get(f"/textbook/{none}").status_code == 404

    page = browser_of(bad).get("/ask/documents/bad/2")
    assert "Very far." in page.text
    assert 'id="chat"' not in page.text


@pytest.fixture
def robots(empty_site: Site) -> Site:
    """A school with a textbook of pages and one of paper."""
    shelf = empty_site.parts.collections[Collection.TEXTBOOK]
    add_book(folder(ROBOTS), "robots.zip", "school", replace(shelf, parser=read_source), LIMITS, title="Robots")
    shelve_pdf(shelf, a_pdf("A printed page says this. It says no more."), "Paper")
    return empty_site


def test_a_student_sees_which_there_are_and_reads_their_chapters(robots: Site) -> None:
    told, browser = robots.caller()("GET", "/api/v1/collections/textbook/sources").get_json()["sources"], browser_of(robots)

    chapter, printed = (browser.get(f"/textbook/{source}", follow_redirects=True).text for source in ("robots", "paper"))

    assert [(each["source"], each["state"]) for each in told] == [("paper", "ready"), ("robots", "ready")]
    assert all(each in chapter for each in ("Module 1: Middleware", "Nodes", "Hardware", "Sensors"))
    shelf = robots.parts.collections[Collection.TEXTBOOK]
    ids = {each.address.paragraph_id for each in shelf.text_of(key_of(shelf.catalog.books("school")[1])).chapter(0)}
    assert all(f'id="{id}"' in chapter for id in ids)  # as citations name them
    assert "A printed page says this. It says no more." in printed
    assert 'href="/books/paper/1?collection=textbook"' in printed
