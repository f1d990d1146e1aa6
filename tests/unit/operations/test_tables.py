"""What each release added to the tables, and that the release before it works on them all the same: both ways, because both
answer at once, and after a way back."""

import json
from pathlib import Path

from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import AddConstraint, CreateColumn, CreateIndex, Table

from chapterverse.infrastructure.sql import NEWEST, all_tables

FIXTURE = Path(__file__).parents[2] / "fixtures" / "tables.json"
REVISIONS: dict[str, dict[str, list[str]]] = json.loads(FIXTURE.read_text("utf-8"))
"""By revision and table the columns, keys and unique indexes that it added, as PostgreSQL's SQL. Only ever added to."""


def described(table: Table) -> list[str]:
    """All that another program may stumble over: not the indexes that only make it faster."""
    parts = [CreateColumn(column) for column in table.columns]
    parts += [AddConstraint(each, isolate_from_table=False) for each in table.constraints]
    parts += [CreateIndex(each) for each in table.indexes if each.unique]
    return sorted(" ".join(str(part.compile(dialect=postgresql.dialect())).split()) for part in parts)


def may_be_unknown(part: str) -> bool:
    """Whether a program adds rows without knowing the part."""
    is_column = not part.startswith(("ALTER TABLE", "CREATE UNIQUE"))
    return is_column and (not part.endswith(" NOT NULL") or " DEFAULT " in part)


def test_what_the_code_declares_is_what_the_revisions_added() -> None:
    """Where this fails, NEWEST becomes the next revision, and the file says what that one added."""
    declared = {(table.name, part) for table in all_tables() for part in described(table)}
    added = {(name, part) for tables in REVISIONS.values() for name, parts in tables.items() for part in parts}

    assert (declared - added, [*REVISIONS][-1]) == (set(), NEWEST)
    assert [part for part in added - declared if not may_be_unknown(part[1])] == []  # its rows could not be added any more


def test_a_release_adds_to_a_table_only_what_the_release_before_need_not_know() -> None:
    there, stumbled = set[str](), list[str]()
    for tables in REVISIONS.values():
        stumbled += [part for name, parts in tables.items() if name in there for part in parts if not may_be_unknown(part)]
        there |= set(tables)

    assert stumbled == []
