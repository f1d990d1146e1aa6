import pytest

from chapterverse.library.artefacts import fingerprint_name, load_fingerprint, numbers_of
from chapterverse.library.chunks import load_chunks
from chapterverse.library.services import CollectionServices
from tests.support.shelved import shelve
from tests.unit.library.test_contexts import key_of

SENTENCES = ["Habit rules every person.", "Custom grows."]


def test_the_words_of_a_book_are_kept_by_sentence(services: CollectionServices) -> None:
    key = key_of(shelve(services, "Habits", SENTENCES))

    services.bucket.delete(fingerprint_name(key))  # made anew, and kept

    made = load_fingerprint(services.bucket, key)

    assert fingerprint_name(key) in services.bucket.names("")
    assert made.words.tolist() == numbers_of(" ".join(SENTENCES))
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
    assert (numbers_of(one) == numbers_of(other)) is same
