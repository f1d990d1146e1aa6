"""What looking by words adds to looking by meaning among many chunks: p50 and p95 of one question, and what the words take.

    python -m scripts.bench.hybrid [--chunks 150000] [--questions 200] [--postgres] [--sections 120]

Chunks are made: 75 words a chunk, drawn from 20,000 as often as Zipf's law has them, vectors at random; time depends on
numbers, not on sense. Vectors are compared as on one machine (infrastructure/vectors/bucket.py).

Last, a whole question to a textbook of so many made sections: with the vectors of their sentences kept, and without, as of a
textbook that an older release added."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from chapterverse import composition
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.hits import Partition, Query, QueryKind, Record, Scope, Vectors
from chapterverse.core.ports import LexicalIndex
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.sql.engine import open_postgresql
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.infrastructure.vectors.postgres_words import PostgresWords
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.library.artefacts import vectors_name
from chapterverse.library.chunks import sentences_name
from chapterverse.library.intake import add_book
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DOCUMENT_QA, TEXTBOOK_CHAT, EmbeddedQueries
from chapterverse.search.words import hybrid_candidates
from chapterverse.settings import read_settings
from tests.support.sites import folder

PARTITION = Partition("bench", "window-500-50", "made")
VOCABULARY, WORDS, DIMENSIONS, VERSIONS = 20_000, 75, 384, 20
QUESTION = 9  # words, of which some say nothing in a real one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=150_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--postgres", action="store_true", help="also PostgreSQL, started here")
    parser.add_argument("--sections", type=int, default=120, help="of the textbook, each of 25 sentences; 0: none")
    given = parser.parse_args()
    random = np.random.default_rng(0)
    with TemporaryDirectory() as folder:
        index = BucketIndex(FolderBucket(Path(folder) / "vectors"), Recent(2**31))
        texts = fill_vectors(index, given.chunks, random)
        queries = EmbeddedQueries(
            tuple(Query(text, QueryKind.PARAGRAPH, 0) for text in texts_of(given.questions, QUESTION, random)),
            unit(random, given.questions),
        )
        measure("meaning alone", index, None, queries)
        for name, words in kinds(Path(folder), postgres=given.postgres):
            with words as of:
                fill_words(name, of, texts)
                measure(f"meaning and words, {name}", index, of, queries)
        sizes = sum(file.stat().st_size for file in (Path(folder) / "words").iterdir())
        print(f"SQLite's files: {sizes / 2**20:.0f} MiB, {sizes / given.chunks:.0f} bytes a chunk")
    if given.sections:
        measure_sentences(given.sections, random)


def measure_sentences(sections: int, random: np.random.Generator) -> None:
    """Questions to a textbook, one after the other, with MiniLM, or the embedding model of the settings."""
    with TemporaryDirectory() as home:
        settings = read_settings().model_copy(update={"home": Path(home), "school": "bench"})
        services = composition.compose(settings, collection=Collection.TEXTBOOK)
        pages = made_pages(sections, random)
        added = add_book(pages, "made.zip", "bench", services, composition.limits(settings, Collection.TEXTBOOK)).book.active
        assert added
        kept, vectors = (len(services.bucket.read(of(added.key))) for of in (sentences_name, vectors_name))
        print(f"{added.sentences} sections: sentences' vectors {kept / 2**20:.2f} MiB, sections' {vectors / 2**20:.2f} MiB")
        asked = texts_of(30, QUESTION, random)
        for name in ("sentences' vectors kept", "sentences embedded at each question"):
            services.recent.forget(("sentences", added.key))
            timed_questions(name, [partial(find_chunks, one, Scope("bench"), services, TEXTBOOK_CHAT) for one in asked])
            services.bucket.delete(sentences_name(added.key))


def made_pages(sections: int, random: np.random.Generator) -> bytes:
    sentences = [f"{text.capitalize()}." for text in texts_of(sections * 25, 15, random)]
    parts = [f"## Section {number}\n\n{' '.join(sentences[number * 25 : number * 25 + 25])}" for number in range(sections)]
    return folder({"made.md": "\n\n".join(["# Made", *parts])})


def kinds(folder: Path, *, postgres: bool) -> Iterator[tuple[str, object]]:
    yield "SQLite", _as_it_is(SqliteWords(folder / "words"))
    if postgres:
        yield "PostgreSQL", _server()


@contextmanager
def _as_it_is(words: LexicalIndex) -> Iterator[LexicalIndex]:
    yield words


@contextmanager
def _server() -> Iterator[LexicalIndex]:
    from tests.support.servers import postgres

    with postgres() as server:
        engine = open_postgresql(server.new_database())
        yield PostgresWords(engine)
        engine.dispose()


def fill_vectors(index: BucketIndex, chunks: int, random: np.random.Generator) -> dict[str, list[tuple[SentenceId, str]]]:
    texts: dict[str, list[tuple[SentenceId, str]]] = {}
    for number in range(VERSIONS):
        version, size = f"v{number}", chunks // VERSIONS
        ids = [SentenceId(f"{version}-{row}") for row in range(size)]
        records = [Record(id, BookId(version), version, "I", "1", "p", None, None) for id in ids]
        index.write(PARTITION, version, records, unit(random, size))
        texts[version] = list(zip(ids, texts_of(size, WORDS, random), strict=True))
    return texts


def fill_words(name: str, words: LexicalIndex, texts: dict[str, list[tuple[SentenceId, str]]]) -> None:
    began = perf_counter()
    for version, of_version in texts.items():
        words.write(PARTITION, version, of_version)
    print(f"{name}: written in {perf_counter() - began:.0f} s", flush=True)


def measure(name: str, index: BucketIndex, words: LexicalIndex | None, queries: EmbeddedQueries) -> None:
    """One question after the other, by the clock and by the processor."""
    versions = tuple(f"v{number}" for number in range(VERSIONS))
    ones = [
        replace(queries, queries=(query,), vectors=queries.vectors[number : number + 1])
        for number, query in enumerate(queries.queries)
    ]
    timed_questions(
        name, [partial(hybrid_candidates, one, PARTITION, versions, DOCUMENT_QA, index, words=words) for one in ones]
    )


def timed_questions(name: str, calls: Sequence[Callable[[], object]]) -> None:
    """The first three, which read what is not in memory yet, do not count."""
    seconds = [timed(call) for call in calls]
    [(p50, cpu50), (p95, cpu95)] = np.percentile(np.array(seconds[3:]) * 1000, [50, 95], axis=0)
    print(f"| {name} | {p50:.0f} ms | {p95:.0f} ms | {cpu50:.0f} ms | {cpu95:.0f} ms |", flush=True)


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of this process's processor time (a server's own is not in it)."""
    began, cpu = perf_counter(), process_time()
    call()
    return perf_counter() - began, process_time() - cpu


def texts_of(number: int, words: int, random: np.random.Generator) -> Sequence[str]:
    """Word n comes 1/n as often as the first: about as frequent as the hundred words that are left out would be, skipped."""
    ranks = np.arange(100, VOCABULARY + 100)
    drawn = random.choice(VOCABULARY, (number, words), p=(1 / ranks) / (1 / ranks).sum())
    return [" ".join(f"w{word}x" for word in row) for row in drawn]


def unit(random: np.random.Generator, rows: int) -> Vectors:
    vectors = random.normal(size=(rows, DIMENSIONS)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


if __name__ == "__main__":
    main()
