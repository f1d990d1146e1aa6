"""What every Catalog must do."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from chapterverse.adapters.sql_catalog import SqlCatalog
from chapterverse.errors import BookBusy, NotFound, TooLarge
from chapterverse.model import BookId, BookVersion, VersionKey, VersionState
from chapterverse.ports import Catalog
from tests.support.books import report

FIRST = VersionKey("school", BookId("on-liberty"), "v1", "MiniLM")
SECOND = replace(FIRST, version="v2")
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def clock() -> Callable[[], datetime]:
    """A second passes each time it is looked at."""
    seconds = count()
    return lambda: NOON + timedelta(seconds=next(seconds))


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = SqlCatalog(f"sqlite:///{tmp_path / 'catalog.db'}", now=clock())
    yield opened
    opened.close()


def make_ready(catalog: Catalog, key: VersionKey, title: str = "On Liberty") -> None:
    catalog.begin(key, "On Liberty.pdf", "1")
    catalog.parsed(key, report(), sentences=3)
    catalog.activate(key, title, ("J. S. Mill",))


def newest(catalog: Catalog) -> BookVersion:
    version = catalog.book("school", FIRST.book).newest
    assert version
    return version


def test_an_empty_catalog_has_no_books(catalog: Catalog) -> None:
    assert catalog.books("school") == []
    with pytest.raises(NotFound):
        catalog.book("school", BookId("on-liberty"))


def test_a_book_begun_is_being_parsed_and_not_searched(catalog: Catalog) -> None:
    catalog.begin(FIRST, "On Liberty.pdf", "7")

    book = catalog.book("school", FIRST.book)
    assert (book.title, book.authors, book.file_name, book.active) == ("On Liberty", (), "On Liberty.pdf", None)
    assert newest(catalog) == BookVersion(FIRST, VersionState.PARSING, None, None, None, None, "7", NOON, NOON)


def test_a_parsed_version_is_being_indexed_and_has_its_report(catalog: Catalog) -> None:
    catalog.begin(FIRST, "a.pdf", "1")

    catalog.parsed(FIRST, report(warnings=("Pages 12–15 have no text: scanned?",), pages_without_text=(11, 12)), sentences=3)

    assert (newest(catalog).state, newest(catalog).sentences) == (VersionState.INDEXING, 3)
    assert newest(catalog).report == report(warnings=("Pages 12–15 have no text: scanned?",), pages_without_text=(11, 12))
    assert newest(catalog).changed > newest(catalog).began


def test_an_activated_version_is_the_one_searched(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)

    book = catalog.book("school", FIRST.book)
    assert book.active == newest(catalog)
    assert (book.title, book.authors, newest(catalog).state) == ("On Liberty", ("J. S. Mill",), VersionState.READY)


def test_the_old_version_is_searched_until_the_new_one_is_activated(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)

    catalog.begin(SECOND, "a.pdf", "1")
    catalog.parsed(SECOND, report(), 3)
    before = catalog.book("school", FIRST.book)
    catalog.activate(SECOND, "On Liberty", ())
    after = catalog.book("school", FIRST.book)

    assert [v.key for v in after.versions] == [SECOND, FIRST]
    assert before.active
    assert before.active.key == FIRST
    assert after.active
    assert after.active.key == SECOND


def test_the_same_bytes_with_another_model_are_another_version(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)

    make_ready(catalog, replace(FIRST, model="bge"))

    assert [version.key.model for version in catalog.book("school", FIRST.book).versions] == ["bge", "MiniLM"]


def test_a_version_that_failed_says_why_and_leaves_the_old_one(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    catalog.begin(SECOND, "a.pdf", "1")

    catalog.failed(SECOND, "no_text", "The pages are pictures.")

    book = catalog.book("school", FIRST.book)
    assert (newest(catalog).state, newest(catalog).reason, newest(catalog).message) == (
        VersionState.FAILED,
        "no_text",
        "The pages are pictures.",
    )
    assert book.active
    assert book.active.key == FIRST


def test_beginning_a_failed_version_again_starts_afresh(catalog: Catalog) -> None:
    catalog.begin(FIRST, "a.pdf", "1")
    catalog.failed(FIRST, "too_slow", "Split it.")

    catalog.begin(FIRST, "a.pdf", "1")

    assert (newest(catalog).state, newest(catalog).reason) == (VersionState.PARSING, None)


def test_an_old_version_begun_again_is_the_newest(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    make_ready(catalog, SECOND)

    make_ready(catalog, FIRST)

    book = catalog.book("school", FIRST.book)
    assert [version.key for version in book.versions] == [FIRST, SECOND]
    assert book.active == book.newest


def test_what_comes_late_for_the_active_version_changes_nothing(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    before = catalog.book("school", FIRST.book)

    catalog.begin(FIRST, "other.pdf", "2")
    catalog.parsed(FIRST, report(), 99)
    catalog.failed(FIRST, "too_slow", "Split it.")
    catalog.activate(FIRST, "Another Title", ())

    assert catalog.book("school", FIRST.book) == before


def test_a_version_overtaken_by_a_newer_one_cannot_become_active(catalog: Catalog) -> None:
    catalog.begin(FIRST, "a.pdf", "1")
    make_ready(catalog, SECOND)

    with pytest.raises(NotFound):
        catalog.activate(FIRST, "Old", ())

    assert catalog.book("school", FIRST.book).title == "On Liberty"


def test_a_failed_version_cannot_become_active(catalog: Catalog) -> None:
    catalog.begin(FIRST, "a.pdf", "1")
    catalog.failed(FIRST, "too_slow", "Split it.")

    with pytest.raises(NotFound):
        catalog.activate(FIRST, "Title", ())


def test_a_retired_book_is_not_searched_and_what_is_being_built_cannot_become_active(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    catalog.begin(SECOND, "a.pdf", "1")

    catalog.retire("school", FIRST.book)

    book = catalog.book("school", FIRST.book)
    assert book.active is None
    assert {version.reason for version in book.versions} == {"removed"}
    with pytest.raises(NotFound):
        catalog.activate(SECOND, "Title", ())


def test_a_forgotten_version_is_gone_unless_it_is_the_active_one(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    make_ready(catalog, SECOND)

    for _ in range(2):
        catalog.forget(FIRST)
        catalog.forget(SECOND)

    assert [version.key for version in catalog.book("school", FIRST.book).versions] == [SECOND]


def test_a_removed_book_is_gone_with_its_versions(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)

    for _ in range(2):
        catalog.remove("school", FIRST.book)

    assert catalog.books("school") == []
    for change in (
        lambda: catalog.parsed(FIRST, report(), 3),
        lambda: catalog.failed(FIRST, "too_slow", "Split it."),
        lambda: catalog.activate(FIRST, "Title", ()),
        lambda: catalog.describe("school", FIRST.book, "Title", ()),
        lambda: catalog.retire("school", FIRST.book),
    ):
        with pytest.raises(NotFound):
            change()


def test_a_removed_book_can_be_added_again(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    catalog.remove("school", FIRST.book)

    make_ready(catalog, FIRST, title="Again")

    assert [(book.title, len(book.versions)) for book in catalog.books("school")] == [("Again", 1)]


def test_a_book_can_be_called_otherwise(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)

    catalog.describe("school", FIRST.book, "Über die Freiheit", ("Mill", "Taylor"))

    assert catalog.book("school", FIRST.book).title == "Über die Freiheit"
    assert catalog.book("school", FIRST.book).authors == ("Mill", "Taylor")


def test_books_are_listed_by_title_and_only_the_schools_own(catalog: Catalog) -> None:
    for title in ("walden", "Emma", "Émile"):
        make_ready(catalog, replace(FIRST, book=BookId(title), version=title), title=title)
    make_ready(catalog, replace(FIRST, school="other"), title="Theirs")

    assert [book.title for book in catalog.books("school")] == ["Emma", "walden", "Émile"]
    assert [book.title for book in catalog.books("other")] == ["Theirs"]


def test_two_schools_may_have_the_same_book(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)
    make_ready(catalog, replace(FIRST, school="other"))

    catalog.remove("school", FIRST.book)

    assert catalog.book("other", FIRST.book).active


def test_a_book_beyond_the_limit_cannot_be_begun(catalog: Catalog) -> None:
    make_ready(catalog, FIRST)

    with pytest.raises(TooLarge, match="limit is 1"):
        catalog.begin(replace(FIRST, book=BookId("walden"), version="w"), "walden.pdf", "1", max_books=1)

    assert len(catalog.books("school")) == 1


def test_the_limit_counts_neither_failed_books_nor_those_of_other_schools_nor_the_book_itself(catalog: Catalog) -> None:
    make_ready(catalog, replace(FIRST, school="other"))
    catalog.begin(replace(FIRST, book=BookId("walden"), version="w"), "walden.pdf", "1")
    catalog.failed(replace(FIRST, book=BookId("walden"), version="w"), "no_text", "The pages are pictures.")
    make_ready(catalog, FIRST)

    catalog.begin(SECOND, "a.pdf", "1", max_books=1)

    assert newest(catalog).key == SECOND


def test_however_many_begin_at_once_no_more_than_the_limit_succeed(catalog: Catalog) -> None:
    def begin(number: int) -> bool:
        try:
            catalog.begin(VersionKey("school", BookId(f"book-{number}"), f"v{number}", "m"), "a.pdf", "1", max_books=3)
        except TooLarge:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        begun = list(threads.map(begin, range(16)))

    assert sum(begun) == len(catalog.books("school")) == 3


def test_many_may_begin_the_same_book_at_once(catalog: Catalog) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: catalog.begin(FIRST, "a.pdf", "1"), range(16)))

    assert [version.key for version in catalog.book("school", FIRST.book).versions] == [FIRST]


def test_the_same_bytes_cannot_be_two_books_of_a_school(catalog: Catalog) -> None:
    catalog.begin(FIRST, "a.pdf", "1")

    with pytest.raises(BookBusy):
        catalog.begin(replace(FIRST, book=BookId("copy")), "copy.pdf", "1")

    catalog.failed(FIRST, "too_slow", "Split it.")
    catalog.begin(replace(FIRST, book=BookId("copy")), "copy.pdf", "1")


def test_a_book_is_held_by_one_at_a_time(catalog: Catalog) -> None:
    with catalog.claim("school", FIRST.book):
        with pytest.raises(BookBusy, match="Wait"), catalog.claim("school", FIRST.book):
            pass
        with catalog.claim("school", BookId("walden")), catalog.claim("other", FIRST.book):
            pass

    with catalog.claim("school", FIRST.book):
        pass


def test_a_book_is_let_go_of_when_its_holder_fails_or_is_killed(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), catalog.claim("school", FIRST.book):
        _ = 1 / 0
    hold = f"""
from chapterverse.adapters.sql_catalog import SqlCatalog
with SqlCatalog("sqlite:///{tmp_path / "catalog.db"}").claim("school", "{FIRST.book}"):
    print("held", flush=True)
    input()
"""
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BookBusy), catalog.claim("school", FIRST.book):
            pass
        holder.kill()
        holder.wait()

    with catalog.claim("school", FIRST.book):
        pass
