"""Sessions on a real Chroma: what they find is what the seed's filter finds."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import chromadb
import pytest
from chromadb import Collection

from chapterverse.core.hits import Hit
from chapterverse.infrastructure.vectors.chroma import ChromaIndex
from chapterverse.lectures.context import open_attached
from chapterverse.lectures.model import LectureSession, Window
from chapterverse.library.chunks import load_chunks
from tests.support.lectures import Campus, campus_in

WORDS = ["energy", "field", "wave", "limit", "series", "matrix", "vector", "kernel", "proof", "graph", "integral", "theorem"]
AT_ONCE = 10  # windows


def a_text(random: Random) -> bytes:
    """Ten paragraphs of two sentences."""
    sentences = (" ".join(random.choices(WORDS, k=8)).capitalize() + "." for _ in range(20))
    return b"\n".join(f"{one}|{other}".encode() for one, other in zip(sentences, sentences, strict=True))


def store_as_the_seed_does(session: LectureSession, campus: Campus, collection: Collection) -> None:
    """Each chunk once for each session, with its metadata (S3, "Chroma Query Metadata")."""
    for _, book in open_attached(session, campus.context).values():
        chunks = load_chunks(campus.context.services.bucket, book.key)
        collection.add(
            ids=[f"{session.id}/{chunk.id}" for chunk in chunks],
            embeddings=campus.town.embedder.embed_passages([chunk.text for chunk in chunks]),
            metadatas=[
                {"session_id": str(session.id), "document_id": book.key.book, "chunk_index": n} for n, _ in enumerate(chunks)
            ],
        )


def as_the_seed_asks(said: str, session: LectureSession, campus: Campus, collection: Collection) -> list[tuple[str, float]]:
    """Chunks and squared distances, nearest first."""
    found = collection.query(
        query_embeddings=campus.town.embedder.embed_passages([said]), n_results=5, where={"session_id": str(session.id)}
    )
    distances = (found["distances"] or [[]])[0]
    return [(id.partition("/")[2], distance) for id, distance in zip(found["ids"][0], distances, strict=True)]


def test_a_session_finds_what_the_seeds_filter_by_session_finds(tmp_path: Path) -> None:
    client, random = chromadb.PersistentClient(tmp_path / "chroma"), Random(0)
    campus = campus_in(tmp_path, index=ChromaIndex(lambda: client))
    with campus.town.closing:
        books = [campus.add(a_text(random), f"book-{number}") for number in range(4)]
        seeds = client.create_collection("seed", configuration={"hnsw": {"space": "l2"}}, embedding_function=None)
        sessions = [campus.begin(*books[:1]), campus.begin(*books[1:3]), campus.begin(*books)]
        for session in sessions:
            store_as_the_seed_does(session, campus, seeds)

        for said in (" ".join(random.choices(WORDS, k=12)) for _ in range(10)):
            for session in sessions:
                ours = hits_on(said, session, campus)[:5]
                theirs = as_the_seed_asks(said, session, campus, seeds)

                assert [2 - 2 * hit.score for hit in ours] == pytest.approx([distance for _, distance in theirs], abs=1e-4)
                last = theirs[-1][1] - 1e-4  # of those equally near at the end, either may be there
                assert {hit.record.id for hit in ours if 2 - 2 * hit.score < last} == {id for id, d in theirs if d < last}
    client.close()


def hits_on(said: str, session: LectureSession, campus: Campus) -> list[Hit]:
    """All that was found, before anything is left out."""
    heard: list[list[Hit]] = []

    def listen(_session: LectureSession, _windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
        heard.extend(hits)
        return hits

    campus.cite(session, said, reorder=listen)
    return heard[0]
