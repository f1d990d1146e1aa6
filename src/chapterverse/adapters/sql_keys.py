"""API keys in the catalog's database."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_store import SqlStore
from chapterverse.adapters.sql_tables import KeyRow
from chapterverse.errors import NotFound
from chapterverse.model import ApiKey, KeyScope


class SqlKeys(SqlStore):
    """KeyStore on any database that SQLAlchemy speaks."""

    def add(self, key: ApiKey, digest: str) -> None:
        with self._writing() as session:
            session.add(_row_of(key, digest))

    def find(self, id: str) -> tuple[ApiKey, str]:
        with self._reading() as session:
            row = _found(session, id)
            return _key_of(row), row.digest

    def of_school(self, school: str) -> list[ApiKey]:
        wanted = select(KeyRow).where(KeyRow.school == school).order_by(KeyRow.created, KeyRow.id)
        with self._reading() as session:
            return [_key_of(row) for row in session.scalars(wanted)]

    def change(self, key: ApiKey, digest: str) -> None:
        with self._writing() as session:
            _found(session, key.id)
            session.merge(_row_of(key, digest))


def _found(session: Session, id: str) -> KeyRow:
    if id.isprintable() and (row := session.get(KeyRow, id)):  # no database takes a NUL or half a character
        return row
    raise NotFound("no_such_key")


def _row_of(key: ApiKey, digest: str) -> KeyRow:
    return KeyRow(
        id=key.id,
        school=key.school,
        scope=key.scope,
        note=key.note,
        digest=digest,
        created=key.created,
        expires=key.expires,
        revoked=key.revoked,
    )


def _key_of(row: KeyRow) -> ApiKey:
    return ApiKey(row.id, row.school, KeyScope(row.scope), row.note, row.created, row.expires, row.revoked)
