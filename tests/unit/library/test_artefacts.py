"""What is kept of a book comes back as it was."""

import gzip
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from chapterverse.core.book import BookId, Sentence
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library import artefacts
from chapterverse.library.chunks import load_chunks
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices
from tests.support.books import a_book
from tests.support.made import unit
from tests.support.shelved import key_of, shelve

KEY = VersionKey("school", BookId("book"), "v1", "all-MiniLM-L6-v2")
BOOK = a_book(["It began.", "It went on\u2028and on; naïve ½ 书.", "It ended."], ["Another."])
SENTENCES = ["Habit rules every person.", "Custom grows."]


@pytest.mark.parametrize("load", [artefacts.load_book, artefacts.load_text])
def test_a_book_without_its_last_lines_is_none(bucket: FolderBucket, load: Any) -> None:
    artefacts.save_book(bucket, KEY, BOOK)
    lines = gzip.decompress(bucket.read(artefacts.book_name(KEY))).split(b"\n")
    bucket.write(artefacts.book_name(KEY), gzip.compress(b"\n".join(lines[:-1])))

    with pytest.raises(NotFound):
        load(bucket, KEY)


@pytest.mark.parametrize("school", ["..", "a/b", ".hidden", ""])
def test_no_school_gets_into_the_folder_of_another(school: str) -> None:
    assert artefacts.version_folder(replace(KEY, school=school)) != artefacts.version_folder(KEY)
    assert len(artefacts.version_folder(replace(KEY, school=school)).split("/")) == 4


each_of_both = pytest.mark.parametrize(
    ("name", "load"),
    [(artefacts.context_name, artefacts.load_context), (artefacts.fingerprint_name, artefacts.load_fingerprint)],
)


def contents(made: artefacts.BookContext | artefacts.Fingerprint) -> object:
    arrays = (made.words, made.ends) if isinstance(made, artefacts.Fingerprint) else (made.directions, made.hubness)
    return [array.tolist() for array in (made.ids, *arrays)]


@each_of_both
@pytest.mark.parametrize("damage", [None, b"", b"PK"])
def test_what_is_lost_or_damaged_is_made_anew(services: CollectionServices, name: Any, load: Any, damage: bytes | None) -> None:
    key = key_of(shelve(services, "Habits", ["Habit rules every person.", "Custom grows."]))
    assert name(key) in services.bucket.names("")  # since the book was added
    kept = contents(load(services.bucket, key))
    services.bucket.delete(name(key))
    if damage is not None:
        services.bucket.write(name(key), damage)

    assert contents(load(services.bucket, key)) == kept
    assert services.bucket.read(name(key)) != damage  # stored again


def axes(count: int) -> Vectors:
    """So many directions that have nothing in common."""
    return np.eye(count, dtype=np.float32)


def sentences(*paragraphs: int) -> list[Sentence]:
    """One chapter of paragraphs of so many sentences."""
    return list(a_book(*(["A sentence."] * length for length in paragraphs)).sentences)


def test_a_context_has_for_each_sentence_its_surroundings_which_count_the_less_the_farther_they_are() -> None:
    first, second = (
        artefacts.neighbourhoods(sentences(2, 3), axes(5))[0],
        artefacts.neighbourhoods(sentences(1, 1, 1), axes(3))[1],
    )
    assert first == pytest.approx(unit([1, 0.8, 0.64, 0.512, 0])[0], abs=1e-6)
    assert second == pytest.approx(unit([0.8, 1, 0.8])[0], abs=1e-6)
    means = artefacts.paragraph_means(sentences(2, 1), axes(3))
    assert means == pytest.approx(unit([1, 1, 0], [1, 1, 0], [0, 0, 1]), abs=1e-6)

    book = sentences(1, 2)
    around, hubs = artefacts.context_of(book, axes(3))
    assert around == pytest.approx(
        (artefacts.neighbourhoods(book, axes(3)) + artefacts.paragraph_means(book, axes(3))) / 2, abs=1e-3
    )
    assert hubs.shape == (3,)


def test_a_sentence_that_many_resemble_is_a_hub_also_among_a_part_of_a_long_book(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = unit(*([1, 0.1 * number, 0] for number in range(6)), [0, 0, 1])
    found = artefacts.hubness(crowd)
    assert found[3] > 0.9
    assert found[6] == pytest.approx(artefacts.MIN_HUBNESS)

    for count in (0, 1, 8):  # sentences that have nothing in common
        assert artefacts.hubness(axes(9)[:count]) == pytest.approx(np.full(count, artefacts.MIN_HUBNESS))

    monkeypatch.setattr("chapterverse.library.artefacts.COMPARED", 3)
    found = artefacts.hubness(unit(*([1, 0.01 * number] for number in range(9))))
    assert found == pytest.approx(np.ones(9), abs=0.01)


def test_the_words_of_a_book_are_kept_by_sentence(services: CollectionServices) -> None:
    key = key_of(shelve(services, "Habits", SENTENCES))

    made = artefacts.load_fingerprint(services.bucket, key)

    assert made.words.tolist() == artefacts.numbers_of(" ".join(SENTENCES))
    assert [made.sentence_of(word) for word in range(6)] == [0, 0, 0, 0, 1, 1]
    assert [made.id(0), made.id(1)] == [chunk.id for chunk in load_chunks(services.bucket, key)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Don’t", "DON'T", True),
        ("naïve", "naive", True),
        ("Maß", "MASS", True),
        ("to-day", "to day", True),
        ("colour", "color", False),
    ],
)
def test_case_accents_and_punctuation_do_not_count(one: str, other: str, same: bool) -> None:
    assert (artefacts.numbers_of(one) == artefacts.numbers_of(other)) is same
