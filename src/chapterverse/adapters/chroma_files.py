"""The files of a Chroma that runs inside this process."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from chapterverse.errors import IndexUnavailable

DATABASE = "chroma.sqlite3"
BUSY_SECONDS = 30  # how long one writer waits for another


def remove_if_damaged(folder: Path) -> None:
    """Begin anew where the database is no database any more: what it held can be rebuilt.

    One that is merely locked, full or unreadable is left alone: it will be there again."""
    if not (folder / DATABASE).exists():
        return
    try:
        with closing(_reading(folder)) as database:
            database.execute("SELECT count(*) FROM sqlite_schema")
    except sqlite3.OperationalError:
        return
    except sqlite3.DatabaseError:
        shutil.rmtree(folder)


def remove_orphans(folder: Path) -> None:
    """The graphs of dropped collections, which Chroma 1.5.9 leaves behind, and those whose writer was killed.

    Folders are listed before the database is asked: a graph is in the database before it has a folder."""
    folders = [path for path in folder.iterdir() if path.is_dir()]
    try:
        with closing(_reading(folder)) as database:
            known = {row[0] for row in database.execute("SELECT id FROM segments")}
    except sqlite3.OperationalError:  # locked by a long write: the next to come will see to it
        return
    for orphan in (path for path in folders if path.name not in known):
        shutil.rmtree(orphan, ignore_errors=True)  # somebody else may be removing it, too


def rewrite(folder: Path) -> None:
    """The database without what was deleted from it, which SQLite leaves where it was until something is written over it.

    Raises IndexUnavailable where somebody else is reading or writing."""
    try:
        with closing(sqlite3.connect(folder / DATABASE, timeout=BUSY_SECONDS, isolation_level=None)) as database:
            database.execute("VACUUM")
            [busy, *_] = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as error:
        raise IndexUnavailable("index_files_in_use") from error
    if busy:
        raise IndexUnavailable("index_files_in_use")


def _reading(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{(folder / DATABASE).absolute().as_uri()}?mode=ro", uri=True)
