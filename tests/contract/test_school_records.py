"""What SqlRows.remove must do. It is tried on all tables that there are, whoever added them."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, String, Table, select

from chapterverse.infrastructure.sql import Database, all_tables
from chapterverse.operations.archive import SqlRows
from tests.contract.conftest import opens
from tests.support.rows import OTHER, SCHOOL, fill

ALL = all_tables()  # those that others refer to come first
OF_SCHOOLS = [table for table in ALL if table.name != "rates"]
database = opens(Database)


@pytest.fixture
def filled(database: Database) -> Database:
    """With rows of either school in each table."""
    for school in (SCHOOL, OTHER):
        fill(database, school, OF_SCHOOLS)
    return database


def held(engine: Engine) -> dict[str, str]:
    """All that is in a table, by its name."""
    with engine.connect() as connection:
        return {table.name: str([tuple(row) for row in connection.execute(select(table))]) for table in ALL}


def test_nothing_of_the_school_is_left_in_any_table_and_all_of_another_is(filled: Database) -> None:
    removed = SqlRows(filled).remove(SCHOOL)

    after = held(filled.engine)
    of_numbers = {table.name for table in ALL if not any(isinstance(column.type, String) for column in table.columns)}
    assert [name for name, rows in after.items() if SCHOOL in rows] == []
    assert [name for name, rows in after.items() if rows.count(OTHER) == 0 and name not in of_numbers] == []
    assert removed == {table.name: 2 for table in ALL if "school" in table.columns}
    assert SqlRows(filled).remove(SCHOOL) == SqlRows(filled).remove("") == {}


def test_nothing_is_left_in_a_file_of_sqlite(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'catalog.db'}")
    fill(database, SCHOOL, OF_SCHOOLS)

    SqlRows(database).remove(SCHOOL)

    assert [path.name for path in tmp_path.rglob("*") if path.is_file() and SCHOOL.encode() in path.read_bytes()] == []
    database.close()


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.name)
def test_rows_of_every_table_go_with_their_school(table: Table) -> None:
    """A new table names its school, or goes with one that does; counters of rates hold digests and name nobody."""
    if table.name == "rates":
        assert set(table.columns.keys()) == {"bucket", "full_at"}
        return
    above = [key.column.table for key in table.foreign_keys if key.ondelete == "CASCADE"]

    assert "school" in table.columns or any("school" in each.columns for each in above)
