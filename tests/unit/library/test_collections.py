"""Sources in chunks take the same way as books: at once, and file by file, task by task."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from bookreader.source import version_of
from chapterverse.core.book import BookId, Chunk, ChunkId, Collection, SentenceId
from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Partition
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.artefacts import WORDS, blended, load_vectors, opening, vectors_name
from chapterverse.library.chunks import (
    NO_SENTENCE_VECTORS,
    chunks_name,
    load_chunks,
    load_sentence_vectors,
    means_of,
    save_sentence_vectors,
    windows,
)
from chapterverse.library.intake import Outcome, add_book, receive_file, resume
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.library.versions import make_whole, remove_book
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL, Town
from tests.support.made import unit
from tests.support.shelved import key_of

RULES = b"Nobody runs in the hall.|Whoever does so is asked to walk.\nPhones stay in the bag.|They are silent."
SHORT, LONG = windows(60, 10), windows(2000, 10)
KEY = VersionKey("school", BookId("rules"), "v1", "model", "window-60-10", Collection.DOCUMENTS)
IDS = [SentenceId(id) for id in ("v1-s2", "v1-s10", "v1-s1")]
VECTORS = np.eye(3, 4, dtype=np.float32)


@pytest.fixture
def documents(town: Town) -> Iterator[CollectionServices]:
    """The services of another collection, which the town's intake knows."""
    catalog = SqlCatalog(f"sqlite:///{town.folder / 'catalog.db'}", collection=Collection.DOCUMENTS)
    services = replace(town.intake.services, catalog=catalog, collection=Collection.DOCUMENTS, chunker=SHORT)
    town.intake = replace(town.intake, collections={Collection.BOOKS: town.intake.services, Collection.DOCUMENTS: services})
    yield services
    catalog.close()


def the_one(services: CollectionServices) -> CatalogBook:
    [book] = services.catalog.books(SCHOOL)
    return book


def indexed(services: CollectionServices) -> list[str]:
    key = key_of(the_one(services))
    wanted = [chunk.id for chunk in load_chunks(services.bucket, key)]
    return sorted(hit.record.id for hit in services.index.stored(key.partition, key.version, wanted))


def test_a_document_is_indexed_in_its_chunks_and_in_others_as_another_version(documents: CollectionServices) -> None:
    added = add_book(RULES, "rules.pdf", SCHOOL, documents, LIMITS)

    active = added.book.active
    chunks = load_chunks(documents.bucket, active.key)
    assert [chunk.id for chunk in chunks] == indexed(documents)
    assert active.sentences == len(chunks) == 3
    assert active.key.partition == Partition(SCHOOL, "window-60-10", "words")
    assert documents.chunks_of(active.key).chunk(chunks[2].id) == chunks[2]
    make_whole(added.book, documents, anew=True)
    assert not [name for name in documents.bucket.names("") if "context" in name]
    wider = replace(documents, chunker=LONG)
    assert add_book(RULES, "rules.pdf", SCHOOL, wider, LIMITS).outcome is Outcome.REPLACED
    assert len(indexed(wider)) == 1
    assert documents.index.count(active.key.partition, active.key.version) == 0
    assert not documents.bucket.names(chunks_name(active.key))


def test_parts_of_one_long_sentence_have_vectors_of_their_own_either_way(town: Town, documents: CollectionServices) -> None:
    speech = b"so we went down to the harbour and counted boats and after that the keeper wrote numbers in books of sand"

    add_book(speech, "speech.pdf", SCHOOL, documents, LIMITS)

    at_once, key = town.contents()["index"], the_one(documents).active.key
    vectors = load_vectors(documents.bucket, key)
    texts = [chunk.text for chunk in load_chunks(documents.bucket, key)]
    assert vectors == pytest.approx(documents.embedder.embed_passages(texts))
    assert len(np.unique(vectors, axis=0)) == len(texts) > 1
    remove_book(SCHOOL, the_one(documents).id, documents)
    receive_file(town.put(speech, "documents/speech.pdf"), town.intake.of(Collection.DOCUMENTS))
    town.do_all()
    assert town.contents()["index"] == at_once


def test_what_was_left_undone_is_resumed_for_its_own_collection_only(town: Town, documents: CollectionServices) -> None:
    town.put(RULES, "documents/rules.pdf")

    resume(SCHOOL, town.intake)
    of_books = list(town.queue.waiting)
    resume(SCHOOL, town.intake.of(Collection.DOCUMENTS))
    town.do_all()

    assert of_books == []
    assert len(indexed(documents)) == 3
    with pytest.raises(BadRequest, match="textbook"):  # which is not kept here
        town.intake.of(Collection.TEXTBOOK)


@pytest.mark.parametrize("next_one", [0, -1])  # the use's older tasks come first, or late
def test_the_file_of_before_is_searched_in_every_use(town: Town, documents: CollectionServices, next_one: int) -> None:
    town.receive(RULES)
    town.do_all()
    town.receive(b"Everybody runs.|Nobody walks.")
    while of_books := [task for task in town.queue.waiting if task.body["collection"] == "books"]:
        town.queue.do(of_books[0], town.intake)

    town.receive(RULES)
    while town.queue.waiting:
        town.queue.do(town.queue.waiting[next_one], town.intake)

    assert [key_of(the_one(each)).version for each in (town.intake.services, documents)] == [version_of(RULES)] * 2


def chunk(number: int, *sentences: str) -> Chunk:
    return Chunk(ChunkId(f"c{number}"), "text", tuple(map(SentenceId, sentences)))


def test_what_was_saved_is_compared_whatever_its_order_and_what_is_damaged_left_out(bucket: FolderBucket) -> None:
    assert load_sentence_vectors(bucket, KEY) is NO_SENTENCE_VECTORS
    save_sentence_vectors(bucket, KEY, IDS, VECTORS)

    cosines = load_sentence_vectors(bucket, KEY).cosines(IDS, np.array([1.0, 0.5, 0.25, 0.0], np.float32))

    assert cosines == {"v1-s2": 1.0, "v1-s10": 0.5, "v1-s1": 0.25}
    assert load_sentence_vectors(bucket, KEY).cosines([SentenceId("v1-s99"), IDS[0]], VECTORS[0]) == {"v1-s2": 1.0}
    bucket.write(vectors_name(KEY, "sentences"), b"\x93NUMPY")
    assert load_sentence_vectors(bucket, KEY).cosines(IDS, VECTORS[0]) == {}


def test_a_chunk_points_where_its_sentences_do_on_average() -> None:
    chunks = [chunk(1, "v1-s10"), chunk(2, "v1-s2", "v1-s1")]

    vectors = means_of(chunks, IDS, VECTORS)

    assert vectors == pytest.approx(unit([0.0, 1.0, 0, 0], [1.0, 0, 1.0, 0]))
    assert means_of([], IDS, VECTORS).shape == (0, 4)


def test_an_entry_is_nearest_to_its_question_then_to_its_opening_the_first_words_of_the_answer() -> None:
    questions, openings, wholes = unit([1.0, 0, 0]), unit([0, 1.0, 0]), unit([0, 0, 1.0])
    [vector] = blended(questions, openings, wholes)
    assert np.linalg.norm(vector) == pytest.approx(1.0)
    assert vector @ questions[0] > vector @ openings[0] > vector @ wholes[0] > 0
    assert blended(*[np.empty((0, 3), np.float32)] * 3).shape == (0, 3)
    answer = " ".join(f"w{number}" for number in range(100))
    assert opening("Why so?", f"Question: Why so? Answer: {answer}").split()[-1] == f"w{WORDS - 1}"
    assert opening("Why so?", "Question: Why so? Answer: Because.") == "Question: Why so? Answer: Because."
