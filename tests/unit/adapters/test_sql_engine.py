"""The catalog's tables come to be, on any database, whoever opens it first."""

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from chapterverse.adapters.sql_catalog import SqlCatalog
from chapterverse.adapters.sql_engine import migrations, open_database, writing
from chapterverse.adapters.sql_tables import Table
from chapterverse.errors import CatalogUnavailable
from chapterverse.model import BookId, VersionKey


def begin_book(url: str, number: int) -> int:
    """Opens the database and writes a book, as another process would."""
    catalog = SqlCatalog(url)
    catalog.begin(VersionKey("school", BookId(f"book-{number}"), f"v{number}", "model"), "a.pdf", "1")
    catalog.close()
    return number


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'new folder' / 'catalog.db'}"


def test_the_migrations_make_exactly_the_tables_that_the_code_describes(url: str) -> None:
    with open_database(url).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []


def test_opening_again_changes_nothing(url: str) -> None:
    begin_book(url, 1)

    catalog = SqlCatalog(url)

    assert [book.id for book in catalog.books("school")] == ["book-1"]
    catalog.close()


def test_the_migrations_can_be_taken_back(url: str) -> None:
    engine = open_database(url)

    with writing(engine).begin() as connection:
        command.downgrade(migrations(connection), "base")

    assert inspect(engine).get_table_names() == ["alembic_version"]


def test_many_processes_may_open_a_new_database_at_once(url: str) -> None:
    with get_context("spawn").Pool(4) as processes:
        done = processes.starmap(begin_book, [(url, number) for number in range(8)])

    assert done == list(range(8))
    assert len(SqlCatalog(url).books("school")) == 8


def test_many_threads_may_write_at_once(url: str) -> None:
    catalog = SqlCatalog(url)
    keys = [VersionKey("school", BookId(f"book-{number}"), f"v{number}", "model") for number in range(40)]

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda key: catalog.begin(key, "a.pdf", "1"), keys))

    assert len(catalog.books("school")) == 40


def test_a_reader_does_not_wait_for_a_writer(url: str) -> None:
    catalog = SqlCatalog(url)
    begin_book(url, 1)

    with writing(open_database(url)).begin() as connection:
        connection.exec_driver_sql("DELETE FROM versions")
        [book] = catalog.books("school")

    assert len(book.versions) == 1


def test_sqlite_is_set_up_for_many_writers_and_checks_references(url: str) -> None:
    with open_database(url).connect() as connection:
        settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "foreign_keys")]

    assert settings == ["wal", 1]


def test_a_file_that_is_no_database_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "catalog.db").mkdir()

    with pytest.raises(CatalogUnavailable):
        open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
