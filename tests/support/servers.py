"""Real servers as processes on loopback, stopped when the test is over."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import make_url

from chapterverse.infrastructure.sql import open_database
from scripts.cloud_local.parts import NotStarted, Part, answers_http, free_ports
from scripts.cloud_local.postgres import postgres as running

START_WITHIN = 60  # seconds; a busy machine is slow
IN_MEMORY = os.environ.get("PYTEST_DEBUG_TEMPROOT")  # where tmp_path is, which tests/conftest.py has chosen; None: on the disk
EMPTYING = """
    SELECT 'SET session_replication_role = replica; '
        || (SELECT string_agg(format('DELETE FROM %I; ', tablename), '') FROM pg_tables
            WHERE schemaname = 'public' AND tablename <> 'alembic_version')
        || (SELECT coalesce(string_agg(format('ALTER SEQUENCE %I RESTART; ', sequencename), ''), '') FROM pg_sequences)
"""  # for SQL that empties the tables of a database in any order


@contextmanager
def chroma_server(folder: Path, port: int | None = None) -> Iterator[int]:
    """A Chroma server on the port given, or on a free one; it is killed at the end."""
    port = port or free_port()
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    server = Part("Chroma", command, answers_http(f"http://127.0.0.1:{port}/api/v2/heartbeat"), Path(os.devnull))
    try:
        server.start()
        yield port
    finally:
        server.kill()


@dataclass
class Postgres:
    """A PostgreSQL server with pgvector (scripts/cloud_local/postgres.py); it can go away and come back."""

    part: Part
    port: int
    numbers: Iterator[int] = field(default_factory=count)
    unused: list[str] = field(default_factory=list)  # addresses of empty catalogs

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of a database that nobody has used."""
        name = f"test_{next(self.numbers)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    @contextmanager
    def catalog(self) -> Iterator[str]:
        """The address of a database with every table and not a row, for the block: making one takes longer than most tests."""
        url = self.unused.pop() if self.unused else self._migrated()
        yield url
        with psycopg.connect(self._address(str(make_url(url).database))) as connection:
            [emptied] = connection.execute(EMPTYING).fetchone() or [""]
            connection.execute(emptied)
        self.unused.append(url)

    def _migrated(self) -> str:
        url = self.new_database()
        open_database(url).dispose()
        return url

    def _address(self, database: str) -> str:
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"

    def start(self) -> None:
        """Until it answers. Tried again: while it was stopped, a connection of another test may have taken its port."""
        deadline = time.monotonic() + START_WITHIN
        while True:
            try:
                self.part.start()
                return
            except NotStarted:
                if time.monotonic() > deadline:
                    raise
                time.sleep(1)

    def stop(self) -> None:
        """At once: all connections are cut off. Its backends have process groups of their own and would answer for a while."""
        process = self.part.process
        backends = children_of(process.pid) if process else []
        self.part.kill()
        for pid in backends:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def children_of(parent: int) -> list[int]:
    """Ids of the processes that a process has started, and of theirs (proc(5): the fourth field of stat)."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    own = [pid for pid, of in parents.items() if of == parent]
    return [*own, *(pid for child in own for pid in children_of(child))]


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A new server in a folder of its own, both gone at the end."""
    with TemporaryDirectory(prefix="postgres-", dir=IN_MEMORY) as folder:
        Path(folder).chmod(0o755)  # it refuses to run as root, and whoever runs it then has to come in
        port = free_port()
        server = Postgres(running(Path(folder) / "state", port, Path(folder) / "log"), port)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def free_port() -> int:
    return free_ports(1)[0]
