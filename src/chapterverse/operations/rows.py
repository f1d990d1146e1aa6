"""All rows of a school in the catalog's database as JSON lines, and back into another database.

A table is a file of its rows in the order of their primary keys. Numbers that a database gives to rows are replaced by 1, 2, 3
…, so that an installation that imported a school exports the same bytes. New tables and columns need no change here."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from hashlib import sha256
from itertools import islice
from typing import Any

from sqlalchemy import Column, ColumnElement, Date, RowMapping, String, Table, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from chapterverse.accounts.setup import SEALED
from chapterverse.core.errors import BadRequest
from chapterverse.infrastructure.sql.engine import CatalogTable, MessageText, SqlStore, UtcTime, one_at_a_time
from chapterverse.messages import Message, from_stored, stored

LEFT_OUT = frozenset({"lti_pending", "rates", "tickets"})  # sign-ins under way and counts of the last minute
LATER = {("books", "active_version_id"): "versions"}  # column without a foreign key, and the table that it refers to
OWNERS = {"email", "led_by", "begun_by"}  # columns with the address of the person that a row is about
AT_ONCE = 500  # rows read or inserted by one statement

Lines = Iterable[bytes]
"""The rows of a table, a line each, without line breaks."""


def tables() -> list[Table]:
    """The tables with data of schools, each after the tables it refers to."""
    return [table for table in CatalogTable.metadata.sorted_tables if table.name not in LEFT_OUT]


class SqlRows(SqlStore):
    """The rows of one school."""

    def read(self, school: str, write: Callable[[str, Lines], None]) -> None:
        """Call `write` with the name and the rows of each table, all from the same moment. Raises CatalogUnavailable."""
        with self._reading() as session:
            for name, lines in _lines_of(session, school):
                write(name, lines)

    def of_person(self, school: str, email: str) -> dict[str, bytes]:
        """The rows of the person with that address as JSON lines, by table; not the feedback on their essays, which a teacher
        may not have released. Raises CatalogUnavailable."""
        with self._reading() as session:
            found = {name: b"\n".join(lines) for name, lines in _lines_of(session, school, email)}
        return {name: lines for name, lines in found.items() if lines}

    def insert(self, school: str, digests: Mapping[str, str], read: Callable[[str], Lines]) -> bool:
        """Insert the rows of all tables, or none; whether they were inserted: False if they are there already.

        digests: by table, as digest_of; read: the lines of a table. Raises BadRequest if the school has other rows, or a row
        belongs to another school; CatalogUnavailable."""
        with self._writing() as session:
            one_at_a_time(session.connection(), school)
            if _is_there(session, school, digests):
                return False
            try:
                _insert_all(session, school, {name: read(name) for name in digests})
            except IntegrityError as error:
                raise BadRequest("archive_conflict", school=school) from error
            if _digests(session, school) != _whole(digests):
                raise BadRequest("archive_damaged", name="tables")
        return True

    def refuse_others(self, school: str, digests: Mapping[str, str]) -> None:
        """Raises BadRequest if the school has other rows than these."""
        with self._reading() as session:
            _is_there(session, school, digests)


def digest_of(lines: Lines) -> str:
    """The SHA-256 digest of a table's file."""
    digest = sha256()
    for line in lines:
        digest.update(line + b"\n")
    return digest.hexdigest()


NOTHING = digest_of(())


def _is_there(session: Session, school: str, digests: Mapping[str, str]) -> bool:
    """Whether these rows are there; False if there is none. Raises BadRequest for others."""
    found = _digests(session, school)
    if found == _whole(digests):
        return any(digest != NOTHING for digest in found.values())
    if any(digest != NOTHING for digest in found.values()):
        raise BadRequest("school_has_data", school=school)
    return False


def _digests(session: Session, school: str) -> dict[str, str]:
    return {name: digest_of(lines) for name, lines in _lines_of(session, school)}


def _whole(digests: Mapping[str, str]) -> dict[str, str]:
    """The digests of all tables: one that an older version did not have is empty."""
    return {table.name: digests.get(table.name, NOTHING) for table in tables()}


def _lines_of(session: Session, school: str, email: str | None = None) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The rows of each table; with an address, those of that person, where a table has any of persons."""
    numbers = {table.name: _numbers(session, school, table) for table in tables() if table.autoincrement_column is not None}
    for table in tables():
        mine = [] if email is None else [table.columns[name] == email for name in OWNERS & set(table.columns.keys())]
        if email is not None and not mine:
            continue
        order = [_by_bytes(session, column) for column in table.primary_key]
        wanted = select(table).where(*_of(school, table), *([or_(*mine)] if mine else [])).order_by(*order)
        rows = session.execute(wanted.execution_options(yield_per=AT_ONCE)).mappings()
        yield table.name, (_line(table, row, numbers) for row in rows)


def _numbers(session: Session, school: str, table: Table) -> dict[int, int]:
    """The numbers 1, 2, 3 … of a table's rows, by the numbers in the database."""
    [column] = table.primary_key
    ids = session.scalars(select(column).where(*_of(school, table)).order_by(column))
    return {id: number for number, id in enumerate(ids, start=1)}


def _of(school: str, table: Table) -> list[ColumnElement[bool]]:
    """The condition that a row is of the school: by its column, else by the row that it belongs to. Settings that are encrypted
    with the installation's key are of no use in another."""
    if "school" in table.columns:
        sealed = [table.columns.name.not_in(SEALED)] if table.name == "choices" else []
        return [table.columns.school == school, *sealed]
    [owner] = [key for key in table.foreign_keys if "school" in key.column.table.columns]
    mine = select(owner.column).where(owner.column.table.columns.school == school)
    return [owner.parent.in_(mine)]


def _by_bytes(session: Session, column: Column[Any]) -> ColumnElement[Any]:
    """The column, to order by: texts by their bytes, as SQLite does."""
    is_elsewhere = session.get_bind().dialect.name == "postgresql" and isinstance(column.type, String)
    return column.collate("C") if is_elsewhere else column


def _line(table: Table, row: RowMapping, numbers: Mapping[str, Mapping[int, int]]) -> bytes:
    values = {column.name: _plain(row[column.name]) for column in table.columns}
    for name, other in _references(table):
        values[name] = numbers[other].get(values[name])
    return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()


def _references(table: Table) -> Iterator[tuple[str, str]]:
    """Columns with numbers that a database gave, and whose rows' numbers these are."""
    if table.autoincrement_column is not None:
        yield table.autoincrement_column.name, table.name
    for key in table.foreign_keys:
        if key.column.table.autoincrement_column is not None:
            yield key.parent.name, key.column.table.name
    yield from _later(table)


def _plain(value: Any) -> Any:
    match value:
        case date():  # also a time
            return value.isoformat()
        case Message():
            return stored(value)
    return value


def _typed(value: Any, column: Column[Any]) -> Any:
    if value is None:
        return None
    match column.type:
        case UtcTime():
            return datetime.fromisoformat(value)
        case Date():
            return date.fromisoformat(value)
        case MessageText():
            return from_stored(value)
    return value


def _insert_all(session: Session, school: str, files: Mapping[str, Lines]) -> None:
    """Insert the rows of all tables; those that the database numbers one by one, to learn their numbers."""
    ids: dict[str, dict[int, int]] = {}
    later: list[tuple[Table, int, str, int]] = []
    for table in tables():
        number = table.autoincrement_column
        rows = (_values(table, line, school, ids) for line in files.get(table.name, ()))
        if number is None:
            while some := list(islice(rows, AT_ONCE)):
                session.execute(insert(table), some)
            continue
        ids[table.name] = {}
        for row in rows:
            exported = row.pop(number.name)
            for column, _ in _later(table):
                later += [(table, exported, column, row[column])] if row[column] else []
                row[column] = None
            ids[table.name][exported] = session.execute(insert(table).values(row).returning(number)).scalar_one()
    for table, exported, column, value in later:
        [number] = table.primary_key
        of_others = ids[LATER[table.name, column]]
        session.execute(update(table).where(number == ids[table.name][exported]).values({column: of_others[value]}))


def _later(table: Table) -> Iterator[tuple[str, str]]:
    return ((column, other) for (name, column), other in LATER.items() if name == table.name)


def _values(table: Table, line: bytes, school: str, ids: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    """The row of a line, with numbers of this database. Raises BadRequest if it is damaged or of another school."""
    try:
        row = json.loads(line)
        if row.get("school", school) != school:
            raise BadRequest("archive_damaged", name=table.name)
        values = {name: _typed(value, table.columns[name]) for name, value in row.items()}
        for key in table.foreign_keys:
            if (of := ids.get(key.column.table.name)) is not None:
                values[key.parent.name] = of[values[key.parent.name]]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise BadRequest("archive_damaged", name=table.name) from error
    return values
