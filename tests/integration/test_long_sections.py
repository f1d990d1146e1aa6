"""Nothing is cut at the embedder's limit: what stands last in a long section is found, cited and read there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.source import version_of
from chapterverse.core.book import Book, BookId, Collection
from chapterverse.core.hits import Scope
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.library.chunks import load_chunks, sections
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import TEXTBOOK_CHAT
from tests.support.books import LIMITS, a_book
from tests.support.chunked import in_sections
from tests.support.intake import SCHOOL, Town

FACT = "A bee finds its way back to the hive by the angle of the sun."
TOPICS = ("the harbour", "the printing press", "volcanic ash")


def ramble(topic: str, sentences: int) -> list[str]:
    """About twenty tokens a sentence."""
    say = "say once more what they had said on the day before of"
    return [f"On day {n} the notes on {topic} {say} {topic}." for n in range(sentences)]


def textbook(data: bytes, book: BookId, *_: object) -> Book:
    """Three sections of 1,100 to 1,500 tokens; the fact is the last sentence of the first."""
    paragraphs = [ramble(topic, 50) for topic in TOPICS]
    paragraphs[0].append(FACT)
    return in_sections(a_book(*paragraphs, book=book, version=version_of(data)), [("Notes", topic) for topic in TOPICS])


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    town = Town(tmp_path)
    catalog = SqlCatalog(f"sqlite:///{tmp_path / 'catalog.db'}", collection=Collection.TEXTBOOK)
    town.closing.callback(catalog.close)
    embedder = OnnxEmbedder("all-MiniLM-L6-v2", tmp_path / "models")
    with town.closing:
        yield replace(
            town.intake.services,
            catalog=catalog,
            embedder=embedder,
            parser=textbook,
            collection=Collection.TEXTBOOK,
            chunker=sections(embedder.count_tokens),
        )


def test_a_fact_at_the_end_of_a_long_section_is_found_and_its_sentence_cited(services: CollectionServices) -> None:
    active = add_book(b"notes", "notes.pdf", SCHOOL, services, LIMITS).book.active
    assert active
    chunks = load_chunks(services.bucket, active.key)
    lengths = services.embedder.count_tokens([chunk.text for chunk in chunks])

    best, *_ = find_chunks("How do bees navigate home?", Scope(SCHOOL), services, TEXTBOOK_CHAT)

    assert len(chunks) == len(TOPICS)
    assert 1100 < lengths[0] <= 1500
    assert chunks[0].text.endswith(FACT)
    assert best.chunk == chunks[0]
    assert best.best.text == FACT
