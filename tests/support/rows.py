"""A database with rows of a school in every table."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Date, Float, Integer, Table, insert

from chapterverse.infrastructure.sql import Database, MessageText, UtcTime
from chapterverse.messages import message

SCHOOL, OTHER = "leaves", "stays"  # short enough for every column
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def fill(database: Database, school: str, tables: Sequence[Table]) -> None:
    """Two rows of the school in every table, with something in every column."""
    numbers: dict[str, list[int]] = {}
    with database.engine.begin() as connection:
        for table in tables:
            for number in (1, 2):
                values = dict(row(table, school, number, numbers))
                made = connection.execute(insert(table).values(values))
                if table.autoincrement_column is not None:
                    numbers.setdefault(table.name, []).append(made.inserted_primary_key[0])


def row(table: Table, school: str, number: int, numbers: dict[str, list[int]]) -> Iterator[tuple[str, Any]]:
    for column in table.columns:
        if column.name == "school":
            yield column.name, school
        elif column.foreign_keys:
            [key] = column.foreign_keys
            of_numbered = numbers.get(key.column.table.name)
            yield column.name, of_numbered[number - 1] if of_numbered else f"{school}-{number}"
        elif column is not table.autoincrement_column:
            yield column.name, value(column.type, f"{school}-{number}", number)


def value(type_: Any, text: str, number: int) -> Any:
    """A value of that type."""
    values: dict[type, Any] = {
        Boolean: True,
        Integer: number,
        Float: 0.1 + number / 3,
        UtcTime: NOW,
        Date: date(2026, 11, number),
        JSON: {"ü": [number, None, text]},
        MessageText: message("no_such_file", name=text),
    }
    return next((value for kind, value in values.items() if isinstance(type_, kind)), text)
