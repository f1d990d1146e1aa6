"""Write all data of this Chroma server as a tar to standard output, while the server runs.

    python3 /opt/chroma/backup.py [/data] > index.tar

First the database, by SQLite's backup function, then the graphs that it names. A graph is written once and completely, so every
named graph is complete. A graph that is removed meanwhile is left out; `chapterverse index fill` builds it again."""

import sqlite3
import sys
import tarfile
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

DATABASE = "chroma.sqlite3"


def copy(data: Path, out: tarfile.TarFile) -> None:
    """Add database and graphs to the archive, with paths relative to `data`."""
    with TemporaryDirectory() as folder:
        aside = Path(folder) / DATABASE
        with closing(sqlite3.connect(data / DATABASE)) as live, closing(sqlite3.connect(aside)) as copied:
            live.backup(copied)
            segments = [row[0] for row in copied.execute("SELECT id FROM segments")]
        out.add(aside, DATABASE)
    for segment in segments:
        with suppress(FileNotFoundError):
            out.add(data / segment, segment)


def main() -> None:
    """Back up the folder in the first argument, else /data."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "/data")
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as out:
        copy(data, out)


if __name__ == "__main__":
    main()
