"""An index that is looked over and rebuilt from what is kept, with a real bucket, catalog and index."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import BookBusy, EmbedderUnavailable, NotFound
from chapterverse.core.hits import Scope, Vectors
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.text import parse_essay
from chapterverse.infrastructure.local_queue import LocalQueue
from chapterverse.infrastructure.sql import open_database, writing
from chapterverse.library import versions
from chapterverse.library.artefacts import book_name, load_book, load_vectors
from chapterverse.library.corrections import correct_book
from chapterverse.library.intake import Outcome, add_book, reembed, run_task
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.services import CollectionServices, Intake
from tests.support.books import LIMITS, report
from tests.support.intake import SCHOOL, Clockwork, Killed, Town
from tests.support.refusals import refused
from tests.support.shelved import key_of, shelve
from tests.support.word_embedder import DIMENSIONS, WordEmbedder

SENTENCES = [f"Sentence number{i} speaks of thing{i}." for i in range(40)]
LEFT = VersionKey("school", BookId("left"), "v1", "words")
NOON = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
WORDS = st.text(min_size=1)
KEYS = st.builds(VersionKey, WORDS, WORDS.map(BookId), WORDS, WORDS)
CALM, ROUGH = b"The sea was calm.|The wind rose.\nNobody saw the ship.", b"The sea was rough.|No ship was out."
ANOTHER_ORDER = np.random.default_rng(7).permutation(DIMENSIONS)
ESSAY = parse_essay("Nobody saw the ship when the wind rose.")


@pytest.fixture
def book(services: CollectionServices) -> CatalogBook:
    shelve(services, "Another", ["A sentence of another book."])
    return shelve(services, "Things", SENTENCES)


def lose(services: CollectionServices, book: CatalogBook, *lost: int) -> None:
    """As if the index had never got the vectors of these sentences, or had got others."""
    key = key_of(book)
    vectors = np.array(load_vectors(services.bucket, key))
    vectors[list(lost)] = np.eye(1, vectors.shape[1], dtype=np.float32)
    found = services.index.search(key.partition, load_vectors(services.bucket, key), 1, [key.version])
    services.index.write(key.partition, key.version, [hits[0].record for hits in found], vectors)


def answers(services: CollectionServices, book: CatalogBook) -> list[tuple[str, float]]:
    key = key_of(book)
    found = services.index.search(key.partition, services.embedder.embed_queries(SENTENCES), 1, [key.version])
    return [(hits[0].record.id, round(hits[0].score, 5)) for hits in found]


def test_an_index_with_vectors_lost_or_one_more_is_not_whole(services: CollectionServices, book: CatalogBook) -> None:
    lose(services, book, *range(10, 14))

    assert services.index.count(key_of(book).partition, key_of(book).version) == len(SENTENCES)
    assert not versions.is_whole(book.active, services)
    assert versions.repair_index("school", services) == [book]
    assert versions.is_whole(book.active, services)

    key, vectors = key_of(book), load_vectors(services.bucket, key_of(book))
    records = [hits[0].record for hits in services.index.search(key.partition, vectors, 1, [key.version])]
    more = replace(records[0], id=SentenceId("another"))

    services.index.write(key.partition, key.version, [*records, more], np.vstack([vectors, vectors[:1]]))

    assert not versions.is_whole(book.active, services)


def test_rebuilding_embeds_nothing(services: CollectionServices, book: CatalogBook, monkeypatch: pytest.MonkeyPatch) -> None:
    before, calls = answers(services, book), services.parser.calls
    with monkeypatch.context() as patch:
        patch.setattr(type(services.embedder), "embed_passages", None)
        assert versions.make_whole(book, services, anew=True)
    assert answers(services, book) == before
    assert services.parser.calls == calls
    assert load_book(services.bucket, key_of(book)).id == book.id

    services.index.remove(key_of(book).partition, key_of(book).version)
    with services.catalog.claim("school", book.id):
        assert versions.repair_index("school", services) == []
        with pytest.raises(BookBusy):
            versions.make_whole(book, services)


@given(st.integers(0, 5000), st.integers(1, 700))
def test_batches_hold_every_sentence_once_and_none_is_too_long(sentences: int, at_most: int) -> None:
    batches = versions.IndexByTasks(LocalQueue(), at_most, "").batches(sentences)
    rows = [versions.rows_of(batch, batches, sentences) for batch in range(batches)]

    assert [row for part in rows for row in part] == list(range(sentences))
    assert max(map(len, rows)) <= at_most
    assert max(map(len, rows)) - min(map(len, rows)) <= 1


def states(services: CollectionServices) -> list[tuple[VersionState, str | None]]:
    return [(book.newest.state, book.newest.reason) for book in services.catalog.books("school")]


@pytest.mark.parametrize("is_parsed", [False, True])
def test_a_book_left_by_a_killed_program_is_given_up_unless_claimed(services: CollectionServices, is_parsed: bool) -> None:
    services.catalog.begin(LEFT, "left.pdf")
    services.catalog.parsing(LEFT)
    with services.catalog.claim("school", LEFT.book):
        versions.give_up_abandoned("school", services)
    assert states(services) == [(VersionState.PARSING, None)]
    if is_parsed:
        services.catalog.parsed(LEFT, report(), sentences=3)

    versions.give_up_abandoned("school", services)

    assert states(services) == [(VersionState.FAILED, "interrupted")]


def test_ctrl_c_in_the_middle_of_a_transaction_is_recorded(services: CollectionServices, tmp_path: Path) -> None:
    services.catalog.begin(LEFT, "left.pdf")

    def break_off() -> None:
        """As Ctrl-C does: the lock lasts as long as the traceback keeps the connection."""
        connection = writing(open_database(f"sqlite:///{tmp_path / 'catalog.db'}")).connect()
        connection.begin()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), versions.interruption_recorded(LEFT, services):
        break_off()

    assert states(services) == [(VersionState.FAILED, "interrupted")]


def a_version(key: VersionKey, began: datetime = NOON, batches: int = 3) -> BookVersion:
    return BookVersion(key, VersionState.INDEXING, None, None, 9, None, began, began, batches)


@given(KEYS)
def test_the_batches_of_a_version_are_tasks_of_their_own(key: VersionKey) -> None:
    tasks = versions.index_tasks(a_version(key), "1")

    sent = [replace(task, body=json.loads(json.dumps(dict(task.body)))) for task in tasks]
    assert [versions.understood(task, versions.IndexTask, 1, 1) for task in sent] == [
        versions.IndexTask(key, NOON, n) for n in range(3)
    ]
    assert len({task.name for task in tasks}) == 3
    assert all(re.fullmatch(r"[0-9a-f]{32}-index", task.name) for task in tasks)


class TurnedEmbedder(WordEmbedder):
    """Another model: the same likenesses in other directions, so that its vectors and the words' say nothing of each other."""

    def __init__(self) -> None:
        super().__init__(model="turned")

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.ascontiguousarray(super().embed_passages(texts)[:, ANOTHER_ORDER])


def turning(intake: Intake) -> Intake:
    """The same with the other model."""
    return replace(intake, services=replace(intake.services, embedder=TurnedEmbedder()))


def searched_with(services: CollectionServices) -> list[str]:
    """By which model each book is searched."""
    return [book.active.key.model for book in services.catalog.books(SCHOOL) if book.active]


def found(services: CollectionServices) -> list[tuple[str, float]]:
    evidence = find_evidence(ESSAY, Scope(SCHOOL), services).evidence
    return [(one.passage.sentence.text, round(one.score, 3)) for one in evidence]


def with_two_books(town: Town) -> Town:
    for text, name in ((CALM, "Calm.pdf"), (ROUGH, "Rough.pdf")):
        add_book(text, name, SCHOOL, town.intake.services, LIMITS, title=f"The {name}")
    return town


def here(intake: Intake) -> list[CatalogBook]:
    return list(reembed(SCHOOL, intake, lambda _: versions.IndexHere()))


def asked(town: Town, asked_by: str = "somebody") -> Town:
    """Its books are to be embedded anew; the tasks wait."""
    town.intake = turning(town.intake)
    by_tasks = versions.IndexByTasks(town.intake.queue, town.intake.batch_sentences, asked_by)
    list(reembed(SCHOOL, town.intake, lambda _: by_tasks))
    return town


def test_each_book_is_found_again_when_it_is_embedded_anew_and_nothing_is_left_of_the_old_model(town: Town) -> None:
    with_two_books(town)
    correct_book(SCHOOL, town.catalog.books(SCHOOL)[0].id, lambda old: replace(old, authors=("Ann",)), town.intake.services)
    before, anew = found(town.intake.services), turning(town.intake)
    services = anew.services
    with refused(NotFound, "collection_indexed_otherwise"):
        find_evidence(ESSAY, Scope(SCHOOL), services)
    halfway = next(reembed(SCHOOL, anew, lambda _: versions.IndexHere()))

    done = here(anew)

    assert (halfway.id, [book.id for book in done]) == ("calm", ["rough"])
    assert searched_with(services) == ["turned", "turned"]
    assert found(services) == before
    assert (town.parser.calls, town.models()) == (2, {"turned"})
    shown = [(book.title, book.corrections.authors) for book in town.catalog.books(SCHOOL)]
    assert shown == [("The Calm.pdf", ("Ann",)), ("The Rough.pdf", None)]
    assert {version.key.model for book in town.catalog.books(SCHOOL) for version in book.versions} == {"turned"}
    contents = town.contents()
    assert here(anew) == []  # the same again is nothing to do
    assert town.contents() == contents


def test_killed_before_any_write_the_same_again_finishes(tmp_path: Path) -> None:
    begun = with_two_books(Town(tmp_path / "begun"))
    end = begun.copy(tmp_path / "end")
    here(turning(end.intake))

    for write in range(1, 100, 2):
        town = begun.copy(tmp_path / str(write))
        with town.closing:
            with suppress(Killed):
                here(turning(town.watched(Clockwork(kill_before=write))))
                break
            here(turning(town.intake))
            assert town.contents() == end.contents()
    assert 12 < write < 99


def test_a_file_added_again_ends_what_was_killed_before_its_last_step(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = turning(with_two_books(town).intake)
    with monkeypatch.context() as patch:
        patch.setattr("chapterverse.library.versions.remove_superseded", Mock(side_effect=Killed))
        with pytest.raises(Killed):
            here(anew)
    [left, _] = town.catalog.books(SCHOOL)

    added = add_book(CALM, "Calm.pdf", SCHOOL, anew.services, LIMITS)

    assert ([version.key.model for version in left.versions], added.outcome) == (["turned", "words"], Outcome.UNCHANGED)
    assert [version.key.model for version in added.book.versions] == ["turned"]


def test_a_book_whose_parsed_form_is_lost_is_named_and_left_as_it_is_not_parsed_by_another_parser(town: Town) -> None:
    [calm, _] = with_two_books(town).catalog.books(SCHOOL)
    town.bucket.delete(book_name(calm.active.key))
    before = town.contents()

    with refused(NotFound, "nothing_stored"):
        here(turning(town.intake))

    assert (town.contents(), town.parser.calls) == (before, 2)


@pytest.mark.parametrize("seed", range(3))
def test_tasks_in_any_order_leave_what_one_process_leaves(town: Town, tmp_path: Path, seed: int) -> None:
    at_once = with_two_books(town).copy(tmp_path / "at-once")
    here(turning(at_once.intake))

    asked(town).do_in_any_order(Random(seed))

    assert town.contents() == at_once.contents()


def test_tasks_that_were_lost_are_asked_for_again_and_no_other_model_than_they_say_makes_vectors(town: Town) -> None:
    by_words = with_two_books(town).intake
    asked(town)
    with refused(EmbedderUnavailable, "no_embedder_of_model"):
        run_task(town.queue.waiting[0], 1, by_words)
    town.queue.waiting.clear()

    asked(town, "somebody else")
    town.do_all()

    assert searched_with(town.intake.services) == ["turned", "turned"]
