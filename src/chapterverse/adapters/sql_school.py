"""All that the catalog's database keeps of a school."""

from collections.abc import Iterator

from sqlalchemy import Table as SqlTable
from sqlalchemy import delete, literal, text
from sqlalchemy.sql.dml import ReturningDelete

from chapterverse.adapters.sql_engine import leave_no_trace
from chapterverse.adapters.sql_store import SqlStore
from chapterverse.adapters.sql_tables import Table


def tables_of_schools() -> Iterator[SqlTable]:
    """Those whose rows name their school, each before those that it refers to, with whose rows its own would go uncounted; rows
    of all others go with one of these."""
    return (table for table in reversed(Table.metadata.sorted_tables) if "school" in table.columns)


class SqlSchool(SqlStore):
    """SchoolRecords on any database that SQLAlchemy speaks: a table that is added later needs no word here."""

    def remove(self, school: str) -> dict[str, int]:
        with self._writing() as session:
            gone = {table.name: len(session.scalars(_rows_of(school, table)).all()) for table in tables_of_schools()}
        leave_no_trace(self._database.engine)
        self._rewrite()
        return {name: rows for name, rows in gone.items() if rows}

    def _rewrite(self) -> None:
        """PostgreSQL keeps what was deleted in its files until something is written over it: these tables are written anew."""
        engine = self._database.engine
        if engine.dialect.name != "postgresql":
            return
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in Table.metadata.sorted_tables:
                connection.execute(text(f'VACUUM (FULL) "{table.name}"'))


def _rows_of(school: str, table: SqlTable) -> ReturningDelete[tuple[int]]:
    return delete(table).where(table.columns.school == school).returning(literal(1))
