"""PostgreSQL with pgvector out of the wheel pgserver, started by hand: pgserver itself ends it when its last user is gone."""

import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import psycopg

from scripts.cloud_local.parts import NotStarted, Part

PROGRAMS = Path(str(getattr(find_spec("pgserver"), "origin", ""))).parent / "pginstall" / "bin"  # if it is installed
NOT_ROOT = "nobody" if os.geteuid() == 0 else None  # it refuses to run as root
ADDRESS = "postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"


def postgres(folder: Path, port: int, log: Path) -> Part:
    """A server whose data is in `folder`, made there at the first time."""
    if not (folder / "data" / "PG_VERSION").exists():
        _make_data(folder)
    options = ["-D", folder / "data", "-h", "127.0.0.1", "-p", port, "-k", folder, "-F"]
    options += ["-c", "dynamic_shared_memory_type=mmap"]  # in the folder: what is in /dev/shm stays there after a kill
    command = [str(each) for each in (PROGRAMS / "postgres", *options)]
    return Part("PostgreSQL", command, _answers(port), log, user=NOT_ROOT, ends_on=signal.SIGINT)


def _make_data(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if NOT_ROOT:
        _refuse_out_of_reach(folder)
        shutil.chown(folder, NOT_ROOT)
    options = ["-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run([PROGRAMS / "initdb", *options], check=True, capture_output=True, cwd=folder, user=NOT_ROOT)


def _refuse_out_of_reach(folder: Path) -> None:
    closed = [parent for parent in folder.resolve().parents if not parent.stat().st_mode & stat.S_IXOTH]
    if closed:
        raise NotStarted(
            f"PostgreSQL does not run as root, and as {NOT_ROOT} it cannot reach {closed[0]}: run it as another user."
        )


def _answers(port: int) -> Callable[[], bool]:
    def connect() -> bool:
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="postgres", dbname="postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    return connect
