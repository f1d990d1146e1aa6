"""A PostgreSQL database set up for vectors, and its errors as ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from pgvector.psycopg import register_vector
from psycopg import errors
from sqlalchemy import Engine, create_engine, event
from sqlalchemy import exc as sqlalchemy_errors

from chapterverse.errors import DimensionMismatch, IndexUnavailable
from chapterverse.model import Partition

SCHEMA = "chapterverse_index"  # apart from the catalog's tables, so that backups of those can leave it out: it can be rebuilt
SET_UP_LOCK = 0x_C4A9_7E46  # any number that no other program takes on the same database
CONNECT_WITHIN = 5  # seconds
AWAY = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    sqlalchemy_errors.OperationalError,
    sqlalchemy_errors.InterfaceError,
    sqlalchemy_errors.TimeoutError,
)


def open_index_database(url: str) -> Engine:
    """Connections to postgresql+psycopg://…, opened when they are needed and again when the server was away."""
    engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": CONNECT_WITHIN})
    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: psycopg.Connection[Any], _: object) -> None:
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
        raise IndexUnavailable(
            f"A book is not in the index for {partition.model}. Run `chapterverse books reindex`."
        ) from error
    except errors.DataException as error:  # pgvector's word for a vector of another length
        raise DimensionMismatch(f"The index for {partition.model} was made with vectors of another length.") from error
    except (errors.FeatureNotSupported, errors.InsufficientPrivilege) as error:
        raise IndexUnavailable(
            "The database has no extension `vector`: let an administrator install pgvector and CREATE EXTENSION vector."
        ) from error
    except AWAY as error:
        raise IndexUnavailable("The database of the vector index does not answer. Start it, then try again.") from error
