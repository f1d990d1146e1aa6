"""A PostgreSQL database set up for vectors, and its errors as ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from pgvector.psycopg import register_vector
from psycopg import errors
from sqlalchemy import Engine
from sqlalchemy import exc as sqlalchemy_errors

from chapterverse.errors import DimensionMismatch, IndexUnavailable
from chapterverse.model import Partition

SCHEMA = "chapterverse_index"  # apart from the catalog's tables, so that backups of those can leave it out: it can be rebuilt
SET_UP_LOCK = 0x_C4A9_7E46  # any number that no other program takes on the same database
READY = "chapterverse_vectors"
AWAY = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    sqlalchemy_errors.OperationalError,
    sqlalchemy_errors.InterfaceError,
    sqlalchemy_errors.TimeoutError,
)


@contextmanager
def ready(engine: Engine) -> Iterator[psycopg.Connection[Any]]:
    """A connection within a transaction, whoever else uses the engine for what else; made ready for vectors when it first comes
    here."""
    with engine.connect() as connection:
        driver: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
        if READY not in connection.info:  # kept with the connection for as long as the pool keeps that
            _set_up(driver)
            connection.info[READY] = True
        with connection.begin():
            yield driver


def _set_up(connection: psycopg.Connection[Any]) -> None:
    """The extension and our schema, whoever connects first; the compiler of plans off, which takes longer than a search."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [SET_UP_LOCK])
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute("SET jit = off")
    register_vector(connection)


@contextmanager
def database_errors_as_ours(partition: Partition) -> Iterator[None]:
    """What PostgreSQL raises, as our errors. Anything else is a bug of ours and passes through."""
    try:
        yield
    except errors.UndefinedTable as error:
        raise IndexUnavailable("book_not_indexed", model=partition.model) from error
    except errors.DataException as error:  # pgvector's word for a vector of another length
        raise DimensionMismatch("index_other_dimension_of_model", model=partition.model) from error
    except (errors.FeatureNotSupported, errors.InsufficientPrivilege) as error:
        raise IndexUnavailable("pgvector_missing") from error
    except AWAY as error:
        raise IndexUnavailable("index_database_away") from error
