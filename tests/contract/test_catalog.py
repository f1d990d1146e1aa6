"""What every SqlCatalog must do."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest

from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BookBusy, NotFound, TooLarge
from chapterverse.library.model import BookVersion, Corrections, VersionKey
from chapterverse.library.store import SqlCatalog
from chapterverse.messages import plain
from tests.contract.conftest import NOON, opens
from tests.support.books import report
from tests.support.serving import eventually

FIRST = VersionKey("school", BookId("on-liberty"), "v1", "MiniLM")
SECOND = replace(FIRST, version="v2")
WINDOWS = replace(FIRST, unit="window-500-50", collection=Collection.DOCUMENTS)
LECTURES = replace(FIRST, unit="paragraph-24-254", collection=Collection.LECTURES)
ADJACENT = replace(LECTURES, collection=Collection.BOOKS)


def clock() -> Callable[[], datetime]:
    """A second passes each time it is looked at."""
    seconds = count()
    return lambda: NOON + timedelta(seconds=next(seconds))


catalog = opens(lambda url: SqlCatalog(url, now=clock()))


def make_ready(catalog: SqlCatalog, key: VersionKey, title: str = "On Liberty") -> None:
    catalog.begin(key, "On Liberty.pdf")
    catalog.parsed(key, report(), sentences=3)
    catalog.activate(key, title, ("J. S. Mill",))


def newest(catalog: SqlCatalog) -> BookVersion:
    return catalog.book("school", FIRST.book).newest


def test_each_batch_of_a_version_being_indexed_counts_once_and_of_one_begun_again_none(catalog: SqlCatalog) -> None:
    catalog.begin(FIRST, "a.pdf")
    begun = catalog.version(FIRST)
    assert catalog.batch_done(FIRST, 0) == begun
    catalog.parsed(FIRST, report(), sentences=3, batches=3)

    told = [catalog.batch_done(FIRST, batch).batches_done for batch in (2, 0, 2, 1, 7)]

    assert told == [1, 2, 2, 3, 3]
    assert catalog.version(FIRST).batches_done == 3
    catalog.begin(FIRST, "a.pdf")
    assert (catalog.version(FIRST).batches, catalog.version(FIRST).batches_done) == (0, 0)
    make_ready(catalog, FIRST)
    ready = catalog.version(FIRST)
    assert catalog.batch_done(FIRST, 0) == ready


def test_of_batches_done_at_once_one_is_told_that_all_are(catalog: SqlCatalog) -> None:
    catalog.begin(FIRST, "a.pdf")
    catalog.parsed(FIRST, report(), sentences=100, batches=24)

    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(lambda batch: catalog.batch_done(FIRST, batch).batches_done, range(24)))

    assert sorted(told) == list(range(1, 25))


def test_a_teachers_corrections_stay_when_the_book_is_replaced_and_go_with_it(catalog: SqlCatalog) -> None:
    corrections = Corrections("Über die Freiheit", ("Mill",), {0: "Einleitung", -1: "Vorwort"}, {12: "xii"})
    make_ready(catalog, FIRST)
    assert catalog.book("school", FIRST.book).corrections == Corrections()

    catalog.correct("school", FIRST.book, corrections)
    make_ready(catalog, SECOND)
    replaced = catalog.book("school", FIRST.book)
    catalog.remove("school", FIRST.book)
    make_ready(catalog, FIRST)

    assert replaced.corrections == corrections
    assert catalog.book("school", FIRST.book).corrections == Corrections()


def test_a_version_that_failed_says_why_leaves_the_old_one_and_cannot_become_active(catalog: SqlCatalog) -> None:
    make_ready(catalog, FIRST)
    catalog.begin(SECOND, "a.pdf")

    catalog.failed(SECOND, "no_text", plain("The pages are pictures."))

    book, version = catalog.book("school", FIRST.book), newest(catalog)
    assert (version.state, version.reason, version.message) == ("failed", "no_text", plain("The pages are pictures."))
    assert book.active.key == FIRST
    for change in (
        lambda: catalog.activate(SECOND, "Title", ()),
        lambda: catalog.parsing(SECOND),
        lambda: catalog.batch_done(SECOND, 0),
    ):
        with pytest.raises(NotFound):
            change()
    catalog.begin(SECOND, "a.pdf")
    catalog.retire("school", FIRST.book)  # it is not searched
    book = catalog.book("school", FIRST.book)
    assert book.active is None
    assert {version.reason for version in book.versions} == {"removed"}
    with pytest.raises(NotFound):
        catalog.activate(SECOND, "Title", ())


def test_what_comes_late_for_the_active_version_or_one_overtaken_changes_nothing(catalog: SqlCatalog) -> None:
    catalog.begin(SECOND, "a.pdf")
    make_ready(catalog, FIRST)
    before = catalog.book("school", FIRST.book)

    catalog.begin(FIRST, "other.pdf")
    catalog.parsed(FIRST, report(), 99)
    catalog.failed(FIRST, "too_slow", plain("Split it."))
    catalog.activate(FIRST, "Another Title", ())
    with pytest.raises(NotFound):
        catalog.activate(SECOND, "Old", ())

    assert catalog.book("school", FIRST.book) == before
    assert before.title == "On Liberty"


def test_an_old_version_begun_again_is_the_newest_and_only_others_are_forgotten(catalog: SqlCatalog) -> None:
    for key in (FIRST, SECOND, FIRST):
        make_ready(catalog, key)
    book = catalog.book("school", FIRST.book)
    assert [version.key for version in book.versions] == [FIRST, SECOND]
    assert book.active == book.newest

    for _ in range(2):
        catalog.forget(FIRST)
        catalog.forget(SECOND)

    assert [version.key for version in catalog.book("school", FIRST.book).versions] == [FIRST]


def test_a_removed_book_is_gone_with_its_versions(catalog: SqlCatalog) -> None:
    make_ready(catalog, FIRST)

    for _ in range(2):
        catalog.remove("school", FIRST.book)

    assert catalog.books("school") == []
    for change in (
        lambda: catalog.version(FIRST),
        lambda: catalog.parsing(FIRST),
        lambda: catalog.parsed(FIRST, report(), 3),
        lambda: catalog.batch_done(FIRST, 0),
        lambda: catalog.correct("school", FIRST.book, Corrections()),
        lambda: catalog.failed(FIRST, "too_slow", plain("Split it.")),
        lambda: catalog.activate(FIRST, "Title", ()),
        lambda: catalog.describe("school", FIRST.book, "Title", ()),
        lambda: catalog.retire("school", FIRST.book),
        lambda: catalog.book("school", BookId("on\0liberty")),  # a name that no database takes
    ):
        with pytest.raises(NotFound):
            change()


def test_books_are_listed_by_title_and_only_the_schools_own(catalog: SqlCatalog, documents: SqlCatalog) -> None:
    for title in ("walden", "Emma", "Émile"):
        make_ready(catalog, replace(FIRST, book=BookId(title), version=title), title=title)
    make_ready(catalog, replace(FIRST, school="other"), title="Theirs")

    assert [book.title for book in catalog.books("school")] == ["Emma", "walden", "Émile"]
    assert [book.title for book in catalog.books("other")] == ["Theirs"]
    assert (catalog.schools(), documents.schools()) == (["other", "school"], [])


def test_the_limit_counts_neither_failed_books_nor_those_of_other_schools_nor_the_book_itself(catalog: SqlCatalog) -> None:
    make_ready(catalog, replace(FIRST, school="other"))
    catalog.begin(replace(FIRST, book=BookId("walden"), version="w"), "walden.pdf")
    catalog.failed(replace(FIRST, book=BookId("walden"), version="w"), "no_text", plain("The pages are pictures."))
    make_ready(catalog, FIRST)

    catalog.begin(SECOND, "a.pdf", max_books=1)

    assert newest(catalog).key == SECOND


def test_however_many_begin_at_once_no_more_than_the_limit_succeed(catalog: SqlCatalog) -> None:
    def begin(number: int) -> bool:
        try:
            catalog.begin(VersionKey("school", BookId(f"book-{number}"), f"v{number}", "m"), "a.pdf", max_books=3)
        except TooLarge:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        begun = list(threads.map(begin, range(16)))

    assert sum(begun) == len(catalog.books("school")) == 3


def test_copies_take_one_place_together_until_one_becomes_another_book(catalog: SqlCatalog) -> None:
    copy, another = replace(FIRST, book=BookId("copy")), VersionKey("school", BookId("walden"), "w", "MiniLM")
    make_ready(catalog, FIRST)
    catalog.begin(copy, "copy.pdf", max_books=1)

    with pytest.raises(TooLarge, match="books already contains 1 sources, and the limit is 1"):
        catalog.begin(another, "walden.pdf", max_books=1)
    catalog.begin(another, "walden.pdf", max_books=2)
    catalog.remove("school", another.book)
    make_ready(catalog, copy)
    with pytest.raises(TooLarge):
        catalog.begin(replace(copy, version="w"), "copy.pdf", max_books=1)
    catalog.begin(replace(FIRST, version="w"), "a.pdf")
    catalog.begin(replace(copy, version="w"), "copy.pdf", max_books=1)


def test_a_book_is_held_by_one_at_a_time(catalog: SqlCatalog) -> None:
    with catalog.claim("school", FIRST.book):
        with pytest.raises(BookBusy, match="Wait"), catalog.claim("school", FIRST.book):
            pass
        with catalog.claim("school", BookId("walden")), catalog.claim("other", FIRST.book):
            pass

    with catalog.claim("school", FIRST.book):
        pass


def test_a_book_is_let_go_of_when_its_holder_fails_or_is_killed(catalog: SqlCatalog, url: str) -> None:
    with pytest.raises(ZeroDivisionError), catalog.claim("school", FIRST.book):
        _ = 1 / 0
    hold = f"""
from chapterverse.library.store import SqlCatalog
with SqlCatalog("{url}").claim("school", "{FIRST.book}"):
    print("held", flush=True)
    input()
"""
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BookBusy), catalog.claim("school", FIRST.book):
            pass
        holder.kill()
        holder.wait()

    def is_free() -> bool:
        with suppress(BookBusy), catalog.claim("school", FIRST.book):
            return True
        return False

    eventually(is_free)  # a database server notices a moment later that somebody is gone


def test_as_many_as_like_may_work_and_hold_books_at_once(catalog: SqlCatalog) -> None:
    def work(number: int) -> None:
        key = VersionKey("school", BookId(f"book-{number}"), f"v{number}", "m")
        with catalog.claim("school", key.book):
            make_ready(catalog, key, title=f"{number:02}")

    with ThreadPoolExecutor(24) as threads:
        list(threads.map(work, range(24)))

    assert [book.title for book in catalog.books("school")] == [f"{number:02}" for number in range(24)]


def test_readers_never_see_a_moment_without_an_active_version(catalog: SqlCatalog) -> None:
    make_ready(catalog, FIRST)

    def replace_again_and_again() -> None:
        for number in range(20):
            old = catalog.book("school", FIRST.book).active
            make_ready(catalog, replace(FIRST, version=f"v{number + 2}"))
            catalog.forget(old.key)

    with ThreadPoolExecutor(1) as thread:
        replacing = thread.submit(replace_again_and_again)
        while not replacing.done():
            assert all(book.active for book in catalog.books("school"))

    replacing.result()


documents = opens(lambda url: SqlCatalog(url, now=clock(), collection=Collection.DOCUMENTS))  # of the same database


def test_the_same_file_may_be_in_two_collections_and_neither_sees_the_other(catalog: SqlCatalog, documents: SqlCatalog) -> None:
    make_ready(catalog, FIRST)
    make_ready(documents, WINDOWS, "Liberty in windows")

    documents.describe("school", FIRST.book, "Another title", ("Mill", "Taylor"))
    catalog.remove("school", FIRST.book)

    [kept] = documents.books("school")
    assert (kept.title, kept.authors, kept.active and kept.active.key) == ("Another title", ("Mill", "Taylor"), WINDOWS)
    assert catalog.books("school") == []


def test_each_collection_has_its_own_number_of_books(catalog: SqlCatalog, documents: SqlCatalog) -> None:
    catalog.begin(FIRST, "a.pdf", max_books=1)

    documents.begin(replace(WINDOWS, book=BookId("other"), version="v2"), "b.pdf", max_books=1)

    with pytest.raises(TooLarge):
        documents.begin(WINDOWS, "c.pdf", max_books=1)


def test_the_same_bytes_cut_otherwise_are_another_version(documents: SqlCatalog) -> None:
    wider = replace(WINDOWS, unit="window-1000-100")
    make_ready(documents, WINDOWS)

    documents.begin(wider, "On Liberty.pdf")
    before = documents.book("school", FIRST.book).active
    documents.activate(wider, "On Liberty", ())

    after = documents.book("school", FIRST.book)
    assert (before and before.key, after.active and after.active.key) == (WINDOWS, wider)
    assert [version.key.unit for version in after.versions] == ["window-1000-100", "window-500-50"]


def test_vectors_are_shared_by_books_of_any_collection_that_are_ready_with_them(catalog: SqlCatalog, url: str) -> None:
    lectures = SqlCatalog(url, now=clock(), collection=Collection.LECTURES)
    make_ready(catalog, FIRST)
    lectures.begin(LECTURES, "liberty.pdf")
    assert not catalog.shared(ADJACENT)

    make_ready(lectures, LECTURES)

    assert catalog.shared(ADJACENT)
    assert not catalog.shared(FIRST)
    assert not catalog.shared(replace(ADJACENT, school="other"))
    assert not lectures.shared(LECTURES)  # by itself alone
    make_ready(lectures, replace(LECTURES, book=BookId("copy")))
    assert lectures.shared(LECTURES)
    lectures.close()


def test_who_waits_for_a_claim_gets_it_when_it_is_free(catalog: SqlCatalog) -> None:
    def claimed() -> bool:
        with catalog.claim("school", "liberty", 30.0):
            return True

    with ThreadPoolExecutor(1) as pool:
        with catalog.claim("school", "liberty"):
            waiting = pool.submit(claimed)
        assert waiting.result(30.0)


def test_vectors_are_claimed_in_all_collections_at_once(catalog: SqlCatalog, documents: SqlCatalog) -> None:
    with catalog.claim_vectors(FIRST):
        with pytest.raises(BookBusy), documents.claim_vectors(WINDOWS):
            pass
        with documents.claim_vectors(replace(WINDOWS, version="v2")):
            pass
    with documents.claim_vectors(WINDOWS):
        pass
