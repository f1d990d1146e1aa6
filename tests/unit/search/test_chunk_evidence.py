from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope, Vectors
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketWords
from chapterverse.library.artefacts import vectors_name
from chapterverse.library.chunks import windows
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import QUESTIONS
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL
from tests.support.shelved import document_library, key_of
from tests.support.word_embedder import WordEmbedder

RULES = b"Nobody runs in the hall.|Whoever does so is asked to walk.|Phones stay in the bag."
MENU = b"Soup is served on Monday.|Bread costs nothing.|Cake is for birthdays."


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    """Two documents, each a chunk or two."""
    with document_library(tmp_path, {"rules": RULES, "menu": MENU}, chunker=windows(120, 10)) as services:
        yield services


def ask(question: str, services: CollectionServices, *books: str, limit: int = 3) -> list[FoundChunk]:
    scope = Scope(SCHOOL, tuple(map(BookId, books)))
    return find_chunks(question, scope, services, replace(QUESTIONS, limit=limit, hits_per_query=limit))


def test_the_nearest_chunk_comes_first_with_the_sentence_that_answers(documents: CollectionServices) -> None:
    best, *_ = ask("Where do phones stay?", documents)

    assert best.book.title == "rules"
    assert best.best.text == "Phones stay in the bag."
    assert best.passage(best.best).previous is not None
    assert "Phones stay in the bag." in best.chunk.text
    for found in ask("anything at all", documents):
        assert set(found.nearest) == set(found.chunk.sentences)


def test_the_score_is_the_cosine_and_not_what_orders(documents: CollectionServices, tmp_path: Path) -> None:
    with_words = replace(documents, words=BucketWords(FolderBucket(tmp_path / "words"), Recent()))
    for name, text in (("rules", RULES), ("menu", MENU)):
        add_book(text + b".", f"{name}.pdf", SCHOOL, with_words, LIMITS, title=name)

    plain, worded = ask("phones bag", documents)[0], ask("phones bag", with_words)[0]

    assert worded.best.text.startswith(plain.best.text)
    assert worded.score == pytest.approx(plain.score, abs=1e-4)
    assert worded.score <= 1


def test_only_the_documents_named_are_looked_in_for_at_most_as_many_as_the_plan_says(documents: CollectionServices) -> None:
    assert {found.book.title for found in ask("Where do phones stay?", documents, "menu")} == {"menu"}
    assert len(ask("Where do phones stay?", documents, limit=1)) == 1
    with pytest.raises(NotFound):
        ask("Where do phones stay?", documents, "timetable")


def test_a_question_embeds_nothing_of_what_it_finds(documents: CollectionServices) -> None:
    embedded: list[str] = []

    class Counting(WordEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            embedded.extend(texts)
            return super().embed_passages(texts)

    ask("Where do phones stay?", replace(documents, embedder=Counting()))

    assert embedded == ["Where do phones stay?"]


def test_sources_whose_sentences_were_not_kept_are_answered_from_alike(documents: CollectionServices) -> None:
    kept = ask("Where do phones stay?", documents)
    for book in documents.catalog.books(SCHOOL):
        documents.bucket.delete(vectors_name(key_of(book), "sentences"))

    lacking = ask("Where do phones stay?", replace(documents, recent=Recent()))

    assert [set(one.nearest) for one in lacking] == [set(one.nearest) for one in kept]
    best = [[one.cosines[one.best.id] for one in chunks] for chunks in (lacking, kept)]
    assert best[0] == pytest.approx(best[1], abs=1e-3)
