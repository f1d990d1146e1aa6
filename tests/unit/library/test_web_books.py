from collections.abc import Iterator
from dataclasses import replace

import pytest

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import NotFound
from chapterverse.library.intake import add_book
from chapterverse.library.model import VersionKey
from chapterverse.messages import plain
from tests.support.books import LIMITS, report
from tests.support.pdfs import a_pdf
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, site

BOOK = "/api/v1/collections/books/sources/on-liberty"
NEW_BOOKS = "/api/v1/collections/books/sources"


def test_a_school_sees_its_books_by_title(library: Site, student: Caller) -> None:
    shelve(library.services, "Habits", ["Habit rules every person."])
    shelve(library.services, "Elsewhere", ["Not here."], school="elsewhere")

    books = student("GET", "/api/v1/collections/books/sources").get_json()["sources"]

    assert [(book["source"], book["state"], book["chunks"]) for book in books] == [
        ("habits", "ready", 1),
        ("on-liberty", "ready", 3),
    ]


def test_how_far_a_book_has_come_can_be_watched_and_why_it_failed(empty_site: Site) -> None:
    key, catalog, student = VersionKey("school", BookId("emma"), "v", "words"), empty_site.services.catalog, empty_site.caller()
    catalog.begin(key, "emma.pdf")

    def progress() -> tuple[str, int, int]:
        book = student("GET", "/api/v1/collections/books/sources/emma").get_json()
        return book["state"], book["progress"]["done"], book["progress"]["total"]

    seen = [progress()]
    catalog.parsing(key)
    seen.append(progress())
    catalog.parsed(key, report(), 3, batches=2)
    seen.append(progress())
    catalog.batch_done(key, 1)
    seen.append(progress())
    catalog.failed(key, "no_text", plain("Run text recognition over it first."))
    book = student("GET", "/api/v1/collections/books/sources/emma").get_json()

    assert seen == [("uploaded", 0, 0), ("parsing", 0, 0), ("indexing", 0, 2), ("indexing", 1, 2)]
    assert (book["state"], book["reason"], book["message"]) == ("failed", "no_text", "Run text recognition over it first.")


def test_a_file_waits_visibly_from_the_moment_it_is_accepted(library: Site, student: Caller, teacher: Caller) -> None:
    files = library.parts.files
    files.write("school/Late Book.pdf", b"A book.")
    files.write("school/documents/Notes.pdf", b"Of another collection.")

    shown = student("GET", NEW_BOOKS + "/late-book").get_json()["state"]
    listed = student("GET", NEW_BOOKS).get_json()["sources"]
    removed = teacher("DELETE", "/api/v1/collections/books/sources/late-book").status_code

    assert shown == "waiting"
    assert [(book["source"], book["state"]) for book in listed] == [("on-liberty", "ready"), ("late-book", "waiting")]
    assert (removed, student("GET", "/api/v1/collections/books/sources/late-book").status_code) == (204, 404)


def test_an_upload_that_breaks_off_leaves_nothing(library: Site, teacher: Caller) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="Late.pdf"\r\n\r\nHalf of'

    broken = teacher("POST", NEW_BOOKS, data=head, content_type="multipart/form-data; boundary=x")

    assert broken.status_code == 400
    with pytest.raises(NotFound):
        library.parts.intake.uploads.find("school/Late.pdf")


def test_a_teachers_correction_is_seen_at_once_and_everywhere(student: Caller, teacher: Caller, sentence: str) -> None:
    change = {"title": "On Freedom", "authors": ["J. S. Mill"], "chapters": {"0": "Introductory"}, "page_labels": {"6": "35"}}

    book = teacher("PATCH", BOOK, change).get_json()

    assert (book["title"], book["authors"], book["chapters"][0]["title"]) == ("On Freedom", ["J. S. Mill"], "Introductory")
    assert book == student("GET", BOOK).get_json()
    assert student("GET", "/api/v1/collections/books/sources").get_json()["sources"][0]["title"] == "On Freedom"
    evidence = student("GET", f"/api/v1/evidence/{sentence}").get_json()
    assert evidence["citation"] == "(On Freedom, Chapter I, Page 35)"
    assert evidence["sentence"]["chapter"] == "Introductory"


def test_what_a_correction_does_not_name_stays_null_takes_one_back_and_what_is_none_is_refused(teacher: Caller) -> None:
    teacher("PATCH", BOOK, {"title": "On Freedom", "page_labels": {"5": "v", "6": "vi"}})

    book = teacher("PATCH", BOOK, {"page_labels": {"6": None}}).get_json()

    assert book["corrections"] == {
        "title": "On Freedom",
        "authors": None,
        "chapters": {},
        "page_labels": {"5": "v"},
        "page_counts": {},
        "topics": None,
        "found_topics": [],
    }
    teacher("PATCH", BOOK, {"authors": [], "chapters": {"0": "One"}})
    book = teacher("PATCH", BOOK, {"title": None, "authors": None, "chapters": None}).get_json()
    assert (book["title"], book["authors"], book["chapters"][0]["title"]) == ("On Liberty", ["An Author"], "The Beginning")

    for change in (
        {"title": ""},
        {"title": " \u3000"},
        {"chapters": {"0": "  "}},
        {"title": "a\0b"},
        {"titel": "On Freedom"},
        {"chapters": {"one": "One"}},
        {"authors": "Mill"},
        *({"page_counts": {"4": first}} for first in ("A-1", "iix", "0", "", "xIv")),
    ):
        assert teacher("PATCH", BOOK, change).status_code == 400


def test_all_pages_from_one_on_are_corrected_in_one_step(student: Caller, teacher: Caller, sentence: str) -> None:
    book = teacher("PATCH", BOOK, {"page_counts": {"4": "33"}}).get_json()

    assert book["corrections"]["page_counts"] == {"4": "33"}
    evidence = student("GET", f"/api/v1/evidence/{sentence}").get_json()
    assert evidence["citation"] == "(On Liberty, Chapter I, Page 35)"
    assert teacher("PATCH", BOOK, {"page_counts": {"4": None}}).get_json()["corrections"]["page_counts"] == {}


def test_a_removed_book_stays_away_a_busy_one_stays(library: Site, teacher: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.library.intake.PATIENCE", 0.2)
    with library.services.catalog.claim("school", BookId("on-liberty")):
        assert teacher("DELETE", BOOK).status_code == 409
    files, intake = library.parts.files, library.parts.intake
    uploaded = files.write("school/On Liberty.pdf", b"A book.")

    assert [teacher(method, BOOK).status_code for method in ("DELETE", "GET", "DELETE")] == [204, 404, 404]
    with pytest.raises(NotFound):
        intake.uploads.find(uploaded.name)


AT = "/api/v1/collections"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A school with one source in each collection."""
    with site(tmp_path_factory.mktemp("site")) as running:
        for collection in Collection:
            services = replace(running.parts.collections[collection], parser=read_source)
            add_book(a_pdf(), "principle.pdf", "school", services, LIMITS, title="Principle")
        yield running


@pytest.mark.parametrize("collection", Collection)
def test_every_collection_lists_shows_corrects_and_takes_its_sources(school: Site, collection: Collection) -> None:
    teacher, at = school.caller(KeyScope.TEACHER), f"{AT}/{collection}/sources"
    source = next(each for each in teacher("GET", at).get_json()["sources"] if each["title"] == "Principle")["source"]

    shown = teacher("GET", f"{at}/{source}").get_json()
    corrected = teacher("PATCH", f"{at}/{source}", {"topics": ["Ethics"]}).get_json()
    sent = teacher.send(at, a_pdf(), "now.pdf")

    assert (shown["state"], shown["report"]["pages"], len(shown["versions"])) == ("ready", 1, 1)
    assert (corrected["source"], corrected["topics"]) == (source, ["Ethics"])
    assert (sent.status_code, sent.get_json()["progress"]) == (202, f"{at}/now")
    assert teacher("GET", f"{at}/now").get_json()["source"] == "now"
    assert teacher("GET", f"{at}/none").status_code == 404


def test_what_a_collection_does_not_take_is_refused(school: Site) -> None:
    teacher = school.caller(KeyScope.TEACHER)

    refusal = teacher.send(f"{AT}/books/sources", b"# Notes", "notes.md")
    assert (refusal.status_code, refusal.get_json()["values"]["name"]) == (400, "notes.md")
    assert teacher("POST", f"{AT}/books/sources", {"file_name": "a.zip"}).status_code == 400
    assert teacher("POST", f"{AT}/books/sources", {"file_name": "a.pdf", "department": "physics"}).status_code == 400
    assert teacher("GET", f"{AT}/none/sources").status_code == 404
    assert school.caller()("GET", f"{AT}/helpdesk/sources").status_code == 403  # for teachers
    assert school.caller()("GET", f"{AT}/lectures/sources").status_code == 200
