"""Real servers as processes on loopback, stopped when the test is over."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx
import psycopg

START_WITHIN = 60  # seconds; a busy machine is slow
POSTGRES = Path(find_spec("pgserver").origin).parent / "pginstall" / "bin"  # type: ignore[union-attr,arg-type]
AS_ANOTHER_USER: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}


@contextmanager
def chroma_server(folder: Path, port: int | None = None) -> Iterator[int]:
    """A Chroma server on the port given, or on a free one; it is killed at the end."""
    port = port or free_port()
    command = [
        str(Path(sys.executable).with_name("chroma")),
        "run",
        "--path",
        str(folder),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}/api/v2/heartbeat", process)
            yield port
        finally:
            process.kill()


@dataclass
class Postgres:
    """A PostgreSQL server with pgvector, a child of this process; it can go away and come back."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None
    numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of a database that nobody has used."""
        name = f"test_{next(self.numbers)}"
        with self._connection() as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]  # not from outside
        return self.url(name)

    def start(self) -> None:
        """Until it answers."""
        options = ["-h", "127.0.0.1", "-p", str(self.port), "-k", str(self.folder), "-F"]
        command = [POSTGRES / "postgres", "-D", self.folder / "data", *options]
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, **AS_ANOTHER_USER)
        deadline = time.monotonic() + START_WITHIN
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                self._connection().close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self) -> None:
        """At once: whoever is connected is cut off."""
        if self.process:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(START_WITHIN)

    def _connection(self) -> psycopg.Connection:
        return psycopg.connect(host="127.0.0.1", port=self.port, user="postgres", dbname="postgres", autocommit=True)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A new server in a folder of its own, both gone at the end. It refuses to run as root, so root lets nobody run it."""
    folder = Path(mkdtemp(prefix="postgres-"))
    try:
        if AS_ANOTHER_USER:
            shutil.chown(folder, "nobody")
        command = [POSTGRES / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, **AS_ANOTHER_USER)
        server = Postgres(folder, free_port())
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Until it answers; a server that ended or does not come fails the test."""
    deadline = time.monotonic() + START_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(url).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError("The server did not start.")
