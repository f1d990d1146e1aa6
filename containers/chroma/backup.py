"""All that this Chroma keeps, as one tar on standard output, while it goes on answering.

    python3 /opt/chroma/backup.py [/data] > index.tar

First the database, in one moment (the backup of SQLite), then the graphs that it names. A graph of ours is written whole, once,
so what the database names is complete; one dropped meanwhile is left out, and `chapterverse sources reindex` makes it."""

import sqlite3
import sys
import tarfile
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

DATABASE = "chroma.sqlite3"


def copy(data: Path, out: tarfile.TarFile) -> None:
    """Into the archive, by the names that they have below `data`."""
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
    """Everything below the folder named, else /data."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "/data")
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as out:
        copy(data, out)


if __name__ == "__main__":
    main()
