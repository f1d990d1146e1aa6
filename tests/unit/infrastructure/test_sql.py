"""The catalog's tables come to be, on any database, whoever opens it first."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from time import monotonic

import pytest
from sqlalchemy import inspect, text

from chapterverse.composition import ports
from chapterverse.core.book import BookId
from chapterverse.core.errors import CatalogOutdated, CatalogUnavailable
from chapterverse.infrastructure.sql import CatalogTable, open_database, reading, use_wal, writing
from chapterverse.library.model import VersionKey
from chapterverse.library.store import SqlCatalog
from tests.support.refusals import refused
from tests.support.servers import Postgres


def begin_book(url: str, number: int) -> int:
    """Opens the database and writes a book, as another process would."""
    catalog = SqlCatalog(url)
    catalog.begin(VersionKey("school", BookId(f"book-{number}"), f"v{number}", "model"), "a.pdf")
    catalog.close()
    return number


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'new folder' / 'catalog.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def any_url(request: pytest.FixtureRequest, url: str) -> str:
    return url if request.param == "sqlite" else str(request.getfixturevalue("postgres").new_database())


def test_a_database_that_is_up_to_date_is_opened_without_loading_every_store(url: str) -> None:
    open_database(url).dispose()
    opening = f"import sys; from chapterverse.infrastructure.sql import open_database; open_database({url!r})"
    loaded = "print('chapterverse.library.store' in sys.modules)"

    said = subprocess.run([sys.executable, "-c", f"{opening}; {loaded}"], capture_output=True, text=True, check=True)

    assert said.stdout == "False\n"


def of_the_release_before(url: str, *changes: str) -> None:
    """Makes the tables, and then what they were before a release that adds to them."""
    engine = open_database(url)
    with writing(engine).begin() as connection:
        for change in (*changes, "UPDATE alembic_version SET version_num = '0000'"):
            connection.exec_driver_sql(change)
    engine.dispose()


def test_tables_of_the_release_before_get_what_is_new_and_keep_what_they_have(any_url: str) -> None:
    begin_book(any_url, 1)
    dropped = ("TABLE lecture_windows", "INDEX ix_lecture_sessions_created")
    of_the_release_before(any_url, "ALTER TABLE versions DROP COLUMN batches", *(f"DROP {each}" for each in dropped))

    begin_book(any_url, 2)

    there = inspect(open_database(any_url))
    assert set(there.get_table_names()) >= set(CatalogTable.metadata.tables)
    assert "batches" in {column["name"] for column in there.get_columns("versions")}
    assert there.has_index("lecture_sessions", "ix_lecture_sessions_created")
    assert len(SqlCatalog(any_url).books("school")) == 2


def test_tables_to_which_this_release_cannot_be_added_are_refused_with_what_to_do(any_url: str) -> None:
    of_the_release_before(any_url, "ALTER TABLE versions DROP COLUMN state")

    with pytest.raises(CatalogOutdated) as raised:
        open_database(any_url)

    assert (raised.value.id, raised.value.values) == ("catalog_outdated", {"revision": "0000"})


def test_this_release_works_on_the_tables_of_the_next_one_which_only_adds_to_them(any_url: str) -> None:
    engine = open_database(any_url)
    with writing(engine).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.exec_driver_sql("ALTER TABLE books ADD COLUMN of_the_next_release TEXT")
        connection.exec_driver_sql("CREATE TABLE of_the_next_release (id INTEGER PRIMARY KEY)")
    engine.dispose()

    begin_book(any_url, 1)

    catalog = SqlCatalog(any_url)
    assert [book.id for book in catalog.books("school")] == ["book-1"]
    catalog.close()


def test_many_processes_may_open_a_new_database_at_once(any_url: str) -> None:
    with get_context("spawn").Pool(2) as processes:
        done = processes.starmap(begin_book, [(any_url, number) for number in range(4)])

    assert done == list(range(4))
    assert len(SqlCatalog(any_url).books("school")) == 4


def test_many_may_switch_a_new_sqlite_file_to_the_write_ahead_log_at_once(tmp_path: Path) -> None:
    def switch(file: Path, together: Barrier) -> None:
        with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as database:
            together.wait()
            use_wal(database)

    with ThreadPoolExecutor(4) as threads:
        for number in range(100):  # SQLite alone refuses in one of ten
            together = Barrier(4)
            list(threads.map(switch, [tmp_path / f"{number}.db"] * 4, [together] * 4))


def test_sqlite_checks_references_and_a_reader_does_not_wait_for_a_writer(url: str) -> None:
    begin_book(url, 1)
    with open_database(url).connect() as connection:
        settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "foreign_keys")]
    assert settings == ["wal", 1]

    with writing(open_database(url)).begin() as connection:
        connection.exec_driver_sql("DELETE FROM versions")
        [book] = SqlCatalog(url).books("school")

    assert len(book.versions) == 1


def test_whatever_a_reader_reads_is_of_one_moment(any_url: str) -> None:
    begin_book(any_url, 1)
    engine = open_database(any_url)
    count = text("SELECT count(*) FROM books")

    with reading(engine).connect() as reader:
        before = reader.scalar(count)
        begin_book(any_url, 2)
        meanwhile = reader.scalar(count)

    with reading(engine).connect() as reader:
        assert (before, meanwhile, reader.scalar(count)) == (1, 1, 2)
    engine.dispose()


def test_a_database_that_goes_away_is_said_so_soon_and_used_again_when_it_is_back(postgres: Postgres) -> None:
    url = postgres.new_database()
    begin_book(url, 1)
    catalog, late = SqlCatalog(url), SqlCatalog(url)
    catalog.books("school")

    with catalog.claim("school", BookId("book-1")):  # which its end must survive
        postgres.stop()
        began = monotonic()
        for call in (
            lambda: catalog.books("school"),
            lambda: catalog.retire("school", BookId("book-1")),
            lambda: catalog.claim("school", BookId("book-2")).__enter__(),
            lambda: late.books("school"),
        ):
            with refused(CatalogUnavailable, "catalog_away"):
                call()
        waited = monotonic() - began
    postgres.start()

    assert waited < 10
    assert [book.id for book in catalog.books("school")] == [book.id for book in late.books("school")] == ["book-1"]
    with catalog.claim("school", BookId("book-1")):
        pass
    catalog.close()
    late.close()


def test_a_job_waits_for_a_database_that_is_reached_late(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new instance's way into the network may need a minute, and PostgreSQL's driver waits three seconds."""
    address = postgres.new_database()
    service = ports.database_at.__wrapped__(address)
    monkeypatch.setenv("CLOUD_RUN_JOB", "cv-school-admin")
    job = ports.database_at.__wrapped__(address)
    postgres.stop()

    with pytest.raises(CatalogUnavailable):
        service.engine  # noqa: B018  # opening is what is tried
    with ThreadPoolExecutor(1) as threads:
        opened = threads.submit(lambda: job.engine)
        postgres.start()

        assert opened.result().dialect.name == "postgresql"
    job.close()


def test_a_file_that_is_no_database_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "catalog.db").mkdir()

    with refused(CatalogUnavailable, "catalog_file_unusable"):
        open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    with refused(CatalogUnavailable, "catalog_address_invalid"):
        open_database("postgresql+psycopg://me:secret@host:port/catalog")
