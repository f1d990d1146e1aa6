"""Whatever is uploaded ends in a refusal that says what to do or in a sound book: never a crash, a hang, or half a book."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bookreader.book import DEFAULT_LIMITS, Book, BookId
from bookreader.errors import BadFile
from bookreader.reading import parse_in_sandbox
from tests.support.pdfs import a_pdf, a_pdf_that_draws

LIMITS = replace(DEFAULT_LIMITS, cpu_seconds=20, megabytes=1024)
UNREADABLE = {"damaged", "no_pages", "no_text", "not_a_pdf"}
CHAPTERS = [
    " ".join(f"Sentence {letter}{number} of this page says something that no other sentence says." for number in range(12))
    for letter in "abcdefgh"
]


def outcome(pdf: bytes) -> Book | BadFile:
    """The book or the refusal; anything else fails the test."""
    try:
        return parse_in_sandbox(pdf, BookId("upload"), LIMITS)
    except BadFile as refusal:
        return refusal


@pytest.fixture(scope="module")
def sound() -> Book:
    return parse_in_sandbox(a_pdf(*CHAPTERS), BookId("upload"), LIMITS)


@pytest.mark.parametrize("seed", range(2))
def test_flipped_bytes_never_give_half_a_book(seed: int, sound: Book) -> None:
    whole, random = bytearray(a_pdf(*CHAPTERS)), Random(seed)
    for _ in range(5):
        whole[random.randrange(len(whole))] ^= 1 << random.randrange(8)

    result = outcome(bytes(whole))

    if isinstance(result, Book):
        assert len(result.sentences) == len(sound.sentences)
    else:
        assert result.reason in UNREADABLE


@pytest.mark.parametrize(
    ("pdf", "codes"),
    [
        (lambda: b"%PDF-1.7\n" + bytes(10_000), UNREADABLE),
        (lambda: a_pdf_that_draws(b"q ", 10**7), UNREADABLE),
        (lambda: a_pdf_that_draws(b"0 0 m ", 3 * 10**8), {"too_much_memory", "too_slow"}),
    ],
    ids=["a header and zeros", "nested graphics states", "a decompression bomb"],
)
def test_hostile_and_odd_files(pdf: Callable[[], bytes], codes: set[str]) -> None:
    refusal = outcome(pdf())

    assert isinstance(refusal, BadFile)
    assert refusal.reason in codes
    assert str(refusal).endswith(".")
