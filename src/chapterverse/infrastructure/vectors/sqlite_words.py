"""Words on SQLite's own full text search (FTS5): a file for each partition, stems in a table."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from math import log
from pathlib import Path

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Partition, WordHit
from chapterverse.core.names import fingerprint
from chapterverse.core.words import distinct_terms, rarity, terms_of
from chapterverse.infrastructure.sql.engine import BUSY_SECONDS, use_wal

MAX_FACTOR = 2.2  # maximum factor of a term's rarity in FTS5's bm25(), for any number of occurrences (k1 + 1)
MIN_RARITY = 1e-6  # FTS5's rarity of a term in more than half of all chunks

TABLES = """
CREATE VIRTUAL TABLE IF NOT EXISTS chunks USING fts5(id UNINDEXED, version, words, tokenize = 'unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE IF NOT EXISTS counts USING fts5vocab(chunks, row);
"""

FORGET = "DELETE FROM chunks WHERE chunks MATCH ?"
REWRITE = "INSERT INTO chunks(chunks) VALUES ('rebuild'); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"  # no word stays in the file
COUNT = "SELECT term, doc FROM counts WHERE term IN (SELECT value FROM json_each(?))"

NEAREST = """
SELECT id, version, -bm25(chunks, 0.0, 0.0, 1.0) AS score FROM chunks WHERE chunks MATCH ? ORDER BY score DESC, rowid LIMIT ?
"""


@dataclass(frozen=True)
class SqliteWords:
    """LexicalIndex in a folder. The version is an additional word of each chunk, without influence on scores.

    Scores are FTS5's bm25() (k1 1.2, b 0.75; sqlite.org/fts5.html, 5.1.1) divided by the maximum for the query's terms."""

    folder: Path

    def write(self, partition: Partition, version: str, texts: Sequence[tuple[SentenceId, str]]) -> None:
        word = _word_of(version)
        rows = [(id, word, " ".join(terms_of(text))) for id, text in texts]
        self.folder.mkdir(parents=True, exist_ok=True)
        with _opened(self._file(partition)) as database:
            use_wal(database)
            database.executescript(TABLES)
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(FORGET, [f"version:{word}"])
                database.executemany("INSERT INTO chunks VALUES (?, ?, ?)", rows)

    def remove(self, partition: Partition, version: str) -> None:
        if self._file(partition).exists():
            with _opened(self._file(partition)) as database:
                database.execute(FORGET, [f"version:{_word_of(version)}"])
                if not _counts(database, ())[1]:
                    database.executescript(REWRITE)

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        if not books or not self._file(partition).exists():
            return [[] for _ in queries]
        with _opened(self._file(partition)) as database:
            return [list(_nearest(database, distinct_terms(query), k, books)) for query in queries]

    def rarities(self, partition: Partition, terms: Sequence[str]) -> Mapping[str, float]:
        counted, chunks = dict[str, int](), 0
        if self._file(partition).exists():
            with _opened(self._file(partition)) as database:
                counted, chunks = _counts(database, terms)
        return {term: rarity(counted.get(term, 0), chunks) for term in terms}

    def _file(self, partition: Partition) -> Path:
        return self.folder / f"{fingerprint(*astuple(partition), digits=32)}.db"


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as database:
            yield database
    except sqlite3.DatabaseError as error:
        raise IndexUnavailable("word_index_unreadable", file=file) from error


def _nearest(database: sqlite3.Connection, terms: Sequence[str], k: int, books: Sequence[str]) -> Iterator[WordHit]:
    """Chunks with any of the terms, best first; of equal ones the one written first."""
    if not terms:
        return
    counted, chunks = _counts(database, terms)
    greatest = MAX_FACTOR * sum(_weight(counted.get(term, 0), chunks) for term in terms)
    versions = {_word_of(version): version for version in books}
    any_term = " OR ".join(f'"{term}"' for term in terms)
    expression = f"words:({any_term}) AND version:({' OR '.join(versions)})"
    for id, word, score in database.execute(NEAREST, [expression, k]):
        yield WordHit(SentenceId(id), versions[word], min(score / greatest, 1.0))


def _counts(database: sqlite3.Connection, terms: Sequence[str]) -> tuple[dict[str, int], int]:
    """Number of chunks with each term, and number of all chunks."""
    [chunks] = database.execute("SELECT count(*) FROM chunks_docsize").fetchone()
    return dict(database.execute(COUNT, [json.dumps(list(terms))])), chunks


def _weight(chunks_with_it: int, chunks: int) -> float:
    """FTS5's inverse document frequency."""
    return max(MIN_RARITY, log((chunks - chunks_with_it + 0.5) / (chunks_with_it + 0.5)))


def _word_of(version: str) -> str:
    return f"v{fingerprint(version, digits=32)}"
