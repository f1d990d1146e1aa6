"""Words on a database's own full text search. PostgreSQL: a row of stems per chunk, found through one GIN index. SQLite
(FTS5): a file for each partition, stems in a table."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from math import log
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy import exc as sqlalchemy_errors

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Partition, WordHit
from chapterverse.core.names import fingerprint
from chapterverse.core.words import distinct_terms, rarity, terms_of
from chapterverse.infrastructure.sql.engine import BUSY_SECONDS, use_wal

READY = "chapterverse_words"
SET_UP_LOCK = 0x_C4A9_7E47  # a number that no other program uses on the same database
K1, B = 1.2, 0.75  # of BM25, as in SQLite's FTS5
POSITIONS = 256  # of a word, that a tsvector keeps
CLOSER = 4  # times k: candidates by their words, whose occurrences are then counted

TABLE = """
CREATE SCHEMA IF NOT EXISTS chapterverse_words;
CREATE TABLE IF NOT EXISTS chapterverse_words.chunks
  (partition text NOT NULL, version text NOT NULL, id text NOT NULL, length integer NOT NULL, words tsvector NOT NULL);
CREATE INDEX IF NOT EXISTS chunks_version ON chapterverse_words.chunks (partition, version) INCLUDE (length);
CREATE INDEX IF NOT EXISTS chunks_words ON chapterverse_words.chunks USING gin (words);
"""

FORGET_ROWS = text("DELETE FROM chapterverse_words.chunks WHERE partition = :partition AND version = :version")
INSERT = text("INSERT INTO chapterverse_words.chunks VALUES (:partition, :version, :id, :length, CAST(:words AS tsvector))")
SIZES = text("SELECT count(*), coalesce(avg(length), 1) FROM chapterverse_words.chunks WHERE partition = :partition")

COUNTS = text("""
SELECT term, (SELECT count(*) FROM chapterverse_words.chunks WHERE partition = :partition AND words @@ CAST(quoted AS tsquery))
FROM unnest(CAST(:terms AS text[]), CAST(:quoted AS text[])) AS asked(term, quoted)
""")

NEAREST_ROWS = text("""
WITH asked AS (
  SELECT * FROM unnest(CAST(:terms AS text[]), CAST(:quoted AS text[]), CAST(:rarities AS float8[])) AS a(term, quoted, rare)),
candidates AS (
  SELECT id, version, length, words, (SELECT sum(rare) FROM asked WHERE words @@ CAST(quoted AS tsquery)) AS said
  FROM chapterverse_words.chunks
  WHERE partition = :partition AND version = ANY(:versions) AND words @@ CAST(:any_term AS tsquery)
  ORDER BY said DESC, length LIMIT :closer)
SELECT id, version, sum(rare * times / (times + :k1 * (1 - :b + :b * length / :mean_length))) AS score
FROM candidates, LATERAL (SELECT lexeme, cardinality(positions) AS times FROM unnest(words)) AS word
JOIN asked ON asked.term = word.lexeme
GROUP BY id, version ORDER BY score DESC, id LIMIT :k
""")


@dataclass(frozen=True)
class PostgresWords:
    """LexicalIndex on PostgreSQL 14 or later, without an extension; texts are stored as stems with their counts.

    PostgreSQL's ranking ignores rarity, so the score is BM25 (Robertson & Zaragoza 2009, formula 3.15), divided by the maximum
    for the query's terms. engine: of the catalog's database, whose connections it shares."""

    engine: Engine

    def write(self, partition: Partition, version: str, texts: Sequence[tuple[SentenceId, str]]) -> None:
        named = {"partition": _name(partition), "version": version}
        rows = [named | {"id": id, **_counted(terms_of(text_))} for id, text_ in texts]
        with self._transaction() as connection:
            connection.execute(FORGET_ROWS, named)
            if rows:
                connection.execute(INSERT, rows)

    def remove(self, partition: Partition, version: str) -> None:
        with self._transaction() as connection:
            connection.execute(FORGET_ROWS, {"partition": _name(partition), "version": version})

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        with self._transaction() as connection:
            chunks, mean_length = connection.execute(SIZES, {"partition": _name(partition)}).one()
            known = {"k": k, "closer": CLOSER * k, "k1": K1, "b": B, "mean_length": float(mean_length), "versions": list(books)}
            return [_nearest_in_postgres(connection, partition, distinct_terms(query), chunks, known) for query in queries]

    def rarities(self, partition: Partition, terms: Sequence[str]) -> Mapping[str, float]:
        with self._transaction() as connection:
            chunks, _ = connection.execute(SIZES, {"partition": _name(partition)}).one()
            return _rarities(connection, partition, terms, chunks)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                if READY not in connection.info:  # stored with the connection in the pool
                    _set_up(connection)
                    connection.info[READY] = True
                with connection.begin():
                    yield connection
        except (sqlalchemy_errors.OperationalError, sqlalchemy_errors.InterfaceError, sqlalchemy_errors.TimeoutError) as error:
            raise IndexUnavailable("word_database_away") from error


def _set_up(connection: Connection) -> None:
    """Create the table if missing; turn off JIT compilation, which takes longer than a search."""
    with connection.begin():
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SET_UP_LOCK})
        connection.execute(text(TABLE))
    with connection.begin():
        connection.execute(text("SET SESSION jit = off"))


def _nearest_in_postgres(
    connection: Connection, partition: Partition, terms: Sequence[str], chunks: int, known: Mapping[str, object]
) -> list[WordHit]:
    if not terms or not chunks:
        return []
    rarities = _rarities(connection, partition, terms, chunks)
    quoted = [_quoted(term) for term in terms]
    parameters = {"partition": _name(partition), "terms": list(terms), "quoted": quoted, "any_term": " | ".join(quoted)}
    found = connection.execute(NEAREST_ROWS, parameters | {"rarities": list(rarities.values())} | dict(known))
    greatest = sum(rarities.values())
    return [WordHit(SentenceId(id), version, score / greatest) for id, version, score in found]


def _rarities(connection: Connection, partition: Partition, terms: Sequence[str], chunks: int) -> dict[str, float]:
    parameters = {"partition": _name(partition), "terms": list(terms), "quoted": [_quoted(term) for term in terms]}
    counted: dict[str, int] = dict(connection.execute(COUNTS, parameters).tuples().all())
    return {term: rarity(counted[term], chunks) for term in terms}


def _counted(terms: Sequence[str]) -> dict[str, object]:
    """A text as a tsvector, with as many positions for a term as it has occurrences."""
    places: dict[str, list[str]] = {}
    for term in terms:
        of_term = places.setdefault(term, [])
        of_term.append(str(min(len(of_term) + 1, POSITIONS)))
    return {"length": len(terms), "words": " ".join(f"{_quoted(term)}:{','.join(at)}" for term, at in places.items())}


def _quoted(term: str) -> str:
    """Terms have letters and digits only."""
    return f"'{term}'"


def _name(partition: Partition) -> str:
    return fingerprint(*astuple(partition), digits=32)


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
