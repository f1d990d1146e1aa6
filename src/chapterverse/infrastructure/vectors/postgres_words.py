"""Words on PostgreSQL's own full text search: a row of stems per chunk, found through one GIN index."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass

from sqlalchemy import Connection, Engine, text
from sqlalchemy import exc as sqlalchemy_errors

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Partition, WordHit
from chapterverse.core.names import fingerprint
from chapterverse.core.words import distinct_terms, rarity, terms_of

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

FORGET = text("DELETE FROM chapterverse_words.chunks WHERE partition = :partition AND version = :version")
INSERT = text("INSERT INTO chapterverse_words.chunks VALUES (:partition, :version, :id, :length, CAST(:words AS tsvector))")
SIZES = text("SELECT count(*), coalesce(avg(length), 1) FROM chapterverse_words.chunks WHERE partition = :partition")

COUNTS = text("""
SELECT term, (SELECT count(*) FROM chapterverse_words.chunks WHERE partition = :partition AND words @@ CAST(quoted AS tsquery))
FROM unnest(CAST(:terms AS text[]), CAST(:quoted AS text[])) AS asked(term, quoted)
""")

NEAREST = text("""
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
            connection.execute(FORGET, named)
            if rows:
                connection.execute(INSERT, rows)

    def remove(self, partition: Partition, version: str) -> None:
        with self._transaction() as connection:
            connection.execute(FORGET, {"partition": _name(partition), "version": version})

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        with self._transaction() as connection:
            chunks, mean_length = connection.execute(SIZES, {"partition": _name(partition)}).one()
            known = {"k": k, "closer": CLOSER * k, "k1": K1, "b": B, "mean_length": float(mean_length), "versions": list(books)}
            return [_nearest(connection, partition, distinct_terms(query), chunks, known) for query in queries]

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


def _nearest(
    connection: Connection, partition: Partition, terms: Sequence[str], chunks: int, known: Mapping[str, object]
) -> list[WordHit]:
    if not terms or not chunks:
        return []
    rarities = _rarities(connection, partition, terms, chunks)
    quoted = [_quoted(term) for term in terms]
    parameters = {"partition": _name(partition), "terms": list(terms), "quoted": quoted, "any_term": " | ".join(quoted)}
    found = connection.execute(NEAREST, parameters | {"rarities": list(rarities.values())} | dict(known))
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
