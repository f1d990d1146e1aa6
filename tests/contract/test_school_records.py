"""What SqlRows.remove must do. It is tried on all tables that there are, whoever added them."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Date, Engine, Float, Integer, String, Table, insert, select

from chapterverse.infrastructure.sql import Database, UtcTime, all_tables
from chapterverse.operations.archive import SqlRows
from tests.contract.conftest import NOON, opens

ALL = all_tables()  # those that others refer to come first
LEAVES, STAYS = "oak-street", "elm-street"
database = opens(Database)


@pytest.fixture
def filled(database: Database) -> Database:
    """With a row of either school in each table."""
    with database.engine.begin() as connection:
        for number, school in enumerate((LEAVES, STAYS), start=1):
            for table in ALL:
                connection.execute(insert(table).values({c.name: a_value(c, school, number) for c in table.columns}))
    return database


def a_value(column: Column[Any], school: str, number: int) -> Any:
    """Something that fits; texts say whose they are."""
    said = f"{school}'s"
    if column.name == "school":
        return school
    if isinstance(column.type, String):  # a text is one, too
        return said[: column.type.length]
    of_kind = {JSON: [said], UtcTime: NOON, Date: NOON.date(), Integer: number, Float: number, Boolean: False}
    return next((value for kind, value in of_kind.items() if isinstance(column.type, kind)), None)


def held(engine: Engine) -> dict[str, str]:
    """All that is in a table, by its name."""
    with engine.connect() as connection:
        return {table.name: str([tuple(row) for row in connection.execute(select(table))]) for table in ALL}


def test_nothing_of_the_school_is_left_in_any_table_and_all_of_another_is(filled: Database) -> None:
    removed = SqlRows(filled).remove(LEAVES)

    after = held(filled.engine)
    assert [name for name, rows in after.items() if LEAVES in rows] == []
    assert [name for name, rows in after.items() if rows.count(STAYS) == 0 and name not in numbers_only()] == []
    assert removed == {table.name: 1 for table in ALL if "school" in table.columns}
    assert SqlRows(filled).remove(LEAVES) == SqlRows(filled).remove("") == {}


def numbers_only() -> set[str]:
    """Tables with nothing in them that could say whose they are."""
    return {table.name for table in ALL if not any(isinstance(column.type, String) for column in table.columns)}


def test_nothing_is_left_in_a_file_of_sqlite(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'catalog.db'}")
    with database.engine.begin() as connection:
        for table in ALL:
            connection.execute(insert(table).values({c.name: a_value(c, LEAVES, 1) for c in table.columns}))

    SqlRows(database).remove(LEAVES)

    assert [path.name for path in tmp_path.rglob("*") if path.is_file() and LEAVES.encode() in path.read_bytes()] == []
    database.close()


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.name)
def test_rows_of_every_table_go_with_their_school(table: Table) -> None:
    """A new table names its school, or goes with one that does; counters of rates hold digests and name nobody."""
    if table.name == "rates":
        assert set(table.columns.keys()) == {"bucket", "full_at"}
        return
    above = [key.column.table for key in table.foreign_keys if key.ondelete == "CASCADE"]

    assert "school" in table.columns or any("school" in each.columns for each in above)
