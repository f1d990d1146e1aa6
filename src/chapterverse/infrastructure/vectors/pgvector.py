"""PostgreSQL with pgvector as the vector index: a table per book version, all searched in one statement."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg import Cursor, errors, sql
from sqlalchemy import Engine, exc

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import DimensionMismatch, IndexUnavailable
from chapterverse.core.hits import Hit, Partition, Record, Vectors
from chapterverse.core.names import fingerprint

SCHEMA = "chapterverse_index"  # separate from the catalog's tables, so that backups can omit it: it can be rebuilt
SET_UP_LOCK = 0x_C4A9_7E46  # a number that no other program uses on the same database
READY = "chapterverse_vectors"

AWAY = (psycopg.OperationalError, psycopg.InterfaceError, exc.OperationalError, exc.InterfaceError, exc.TimeoutError)


@contextmanager
def ready(engine: Engine) -> Iterator[psycopg.Connection[Any]]:
    """A connection in a transaction. Its first use here makes extension and schema if they are missing, and turns off JIT
    compilation, which takes longer than a search."""
    with engine.connect() as connection:
        driver: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        if READY not in connection.info:  # stored with the connection in the pool
            with driver.transaction():
                driver.execute("SELECT pg_advisory_xact_lock(%s)", [SET_UP_LOCK])
                driver.execute("CREATE EXTENSION IF NOT EXISTS vector")
                driver.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
                driver.execute("SET jit = off")
            register_vector(driver)
            connection.info[READY] = True
        with connection.begin():
            yield driver


@contextmanager
def database_errors_as_ours(partition: Partition) -> Iterator[None]:
    """Turn errors of PostgreSQL into ours. Other errors are bugs of ours and pass."""
    try:
        yield
    except errors.UndefinedTable as error:
        raise IndexUnavailable("book_not_indexed", model=partition.model) from error
    except errors.DataException as error:  # pgvector: a vector of another length
        raise DimensionMismatch("index_other_dimension_of_model", model=partition.model) from error
    except (errors.FeatureNotSupported, errors.InsufficientPrivilege) as error:
        raise IndexUnavailable("pgvector_missing") from error
    except AWAY as error:
        raise IndexUnavailable("index_database_away") from error


COLUMNS = tuple(Record.__dataclass_fields__)  # all text; chapter and neighbours may be null
EXACT_BELOW = 2_000  # rows; comparing all of them takes no longer than a graph
MAX_GRAPH_DIMENSIONS = 2_000  # limit of pgvector 0.6
NEIGHBOURS, EF_CONSTRUCTION = 16, 128  # of the graph (m, ef_construction); these and WIDTH: measured
WIDTH = 400  # candidates during the walk through the graphs of all tables together; each gets at least MIN_WIDTH
MIN_WIDTH, MAX_WIDTH = 40, 1_000  # of hnsw.ef_search, which is also the maximum number of results


@dataclass(frozen=True, slots=True)
class PgvectorIndex:
    """VectorIndex on PostgreSQL 14 or later with pgvector 0.6 or later, by cosine.

    engine: of the catalog's database, whose connections it shares. A version is replaced in one transaction, so a writer that
    dies leaves nothing behind (docs/adr/0011-one-index-collection-per-version.md)."""

    engine: Engine

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        name = table_name(partition, version)
        table, unfinished = sql.Identifier(SCHEMA, name), sql.Identifier(SCHEMA, f"{name}_unfinished")
        with self._transaction(partition) as cursor:
            _create(cursor, unfinished, vectors.shape[1], "/".join((partition.school, partition.model, version)))
            _fill(cursor, unfinished, records, vectors)
            _index(cursor, unfinished, *vectors.shape)
            cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))  # searches wait from here to the commit
            cursor.execute(sql.SQL("ALTER TABLE {} RENAME TO {}").format(unfinished, sql.Identifier(name)))

    def remove(self, partition: Partition, version: str) -> None:
        with self._transaction(partition) as cursor:
            cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(_table(partition, version)))

    def count(self, partition: Partition, version: str) -> int:
        name = table_name(partition, version)
        with self._transaction(partition) as cursor:
            if cursor.execute("SELECT to_regclass(%s)::text", [f"{SCHEMA}.{name}"]).fetchone() == (None,):
                return 0
            rows = cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(SCHEMA, name))).fetchall()
            return int(rows[0][0])

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        columns = sql.SQL(", ").join(map(sql.Identifier, COLUMNS))
        statement = sql.SQL("SELECT vector, {} FROM {} WHERE id = ANY(%s)").format(columns, _table(partition, version))
        with self._transaction(partition) as cursor:
            rows = cursor.execute(statement, [list(ids)]).fetchall()
        return [Hit(Record(*fields), 1.0, vector.to_numpy()) for vector, *fields in rows]

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        hits: list[list[Hit]] = [[] for _ in queries]
        if not hits or not books:
            return hits
        with self._transaction(partition) as cursor:
            _plan_for(cursor, max(k, WIDTH // len(books)))
            statement = nearest_of([_table(partition, version) for version in books])
            cursor.execute(statement, {"queries": list(queries), "k": k})
            for number, distance, vector, *fields in cursor:
                score = float(np.clip(1.0 - distance, -1.0, 1.0))
                hits[number - 1].append(Hit(Record(*fields), score, vector.to_numpy()))
        return hits

    @contextmanager
    def _transaction(self, partition: Partition) -> Iterator[Cursor[Any]]:
        with database_errors_as_ours(partition), ready(self.engine) as connection, connection.cursor(binary=True) as cursor:
            yield cursor


def table_name(partition: Partition, version: str) -> str:
    """Unique name of a version's table. PostgreSQL cuts names at 63 bytes, so the readable name is in the table's comment."""
    return "v_" + fingerprint(partition.school, partition.unit, partition.model, version, digits=32)


def nearest_of(tables: Sequence[sql.Identifier]) -> sql.Composed:
    """Statement for the k nearest records of all tables for each query, numbered from 1, best first."""
    columns = sql.SQL(", ").join(map(sql.Identifier, COLUMNS))
    of_each = sql.SQL("(SELECT vector <=> asked AS distance, vector, {} FROM {} ORDER BY vector <=> asked LIMIT %(k)s)")
    return sql.SQL(
        "SELECT number, near.* FROM unnest(%(queries)s) WITH ORDINALITY AS query(asked, number), LATERAL "
        "(SELECT * FROM ({}) AS of_any ORDER BY distance LIMIT %(k)s) AS near ORDER BY number, distance"
    ).format(sql.SQL(" UNION ALL ").join(of_each.format(columns, table) for table in tables))


def _table(partition: Partition, version: str) -> sql.Identifier:
    return sql.Identifier(SCHEMA, table_name(partition, version))


def _create(cursor: Cursor[Any], table: sql.Identifier, dimensions: int, comment: str) -> None:
    columns = sql.SQL(", ").join(sql.SQL("{} text").format(sql.Identifier(name)) for name in COLUMNS)
    cursor.execute(sql.SQL("CREATE TABLE {} ({}, vector vector({}))").format(table, columns, sql.Literal(dimensions)))
    cursor.execute(sql.SQL("COMMENT ON TABLE {} IS {}").format(table, sql.Literal(comment)))


def _fill(cursor: Cursor[Any], table: sql.Identifier, records: Sequence[Record], vectors: Vectors) -> None:
    fields: Callable[[Record], tuple[str | None, ...]] = attrgetter(*COLUMNS)
    with cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)) as copy:
        copy.set_types(["text"] * len(COLUMNS) + ["vector"])
        for record, vector in zip(records, vectors, strict=True):
            copy.write_row((*fields(record), vector))


def _index(cursor: Cursor[Any], table: sql.Identifier, rows: int, dimensions: int) -> None:
    """Build the graph. Small tables and long vectors get none and are compared exactly."""
    if rows < EXACT_BELOW or dimensions > MAX_GRAPH_DIMENSIONS:
        return
    cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")  # a graph that does not fit takes far longer
    options = sql.SQL("m = {}, ef_construction = {}").format(sql.Literal(NEIGHBOURS), sql.Literal(EF_CONSTRUCTION))
    cursor.execute(sql.SQL("CREATE INDEX ON {} USING hnsw (vector vector_cosine_ops) WITH ({})").format(table, options))


def _plan_for(cursor: Cursor[Any], width: int) -> None:
    """Make this transaction use the HNSW graph; the planner would scan tables of 10,000 rows.

    width: rows wanted. Above MAX_WIDTH the graph would find too few, so all rows are compared."""
    by_graph = width <= MAX_WIDTH
    settings = {
        "hnsw.ef_search": str(min(max(width, MIN_WIDTH), MAX_WIDTH)),
        "enable_seqscan": "off" if by_graph else "on",
        "enable_indexscan": "on" if by_graph else "off",
    }
    each = sql.SQL(", ").join(sql.SQL("set_config({}, {}, true)").format(*map(sql.Literal, item)) for item in settings.items())
    cursor.execute(sql.SQL("SELECT {}").format(each))
