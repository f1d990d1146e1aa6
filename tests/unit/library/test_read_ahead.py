"""The next book is read while the one before it is embedded, and nothing else changes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue

from chapterverse.core.book import Book, BookId, Limits
from chapterverse.core.errors import BadBook
from chapterverse.library.intake import ReadAhead
from tests.support.books import LIMITS, TextParser
from tests.support.refusals import refused

ONE, OTHER, BROKEN = b"The sea was calm.", b"The sea was rough.", b""
A, B = BookId("a"), BookId("b")
SOON = 60  # seconds; a busy machine is slow


@dataclass
class TellingParser:
    """Tells what it has read, so that a test can wait for it."""

    read: "SimpleQueue[bytes]" = field(default_factory=SimpleQueue)

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        self.read.put(pdf)
        if pdf == BROKEN:
            raise BadBook("no_text", "pdf_without_sentences")
        return TextParser()(pdf, book, limits, progress)


def test_the_next_book_is_read_before_anybody_asks_for_it_and_only_once() -> None:
    parser = TellingParser()
    reader = ReadAhead(parser, lambda: (OTHER, B))

    reader(ONE, A, LIMITS)
    assert [parser.read.get(timeout=SOON) for _ in range(2)] == [ONE, OTHER]

    reader.following = lambda: None
    assert reader(OTHER, B, LIMITS) == TextParser()(OTHER, B, LIMITS)
    assert parser.read.empty()


def test_what_is_read_ahead_is_given_to_nobody_else() -> None:
    reader = ReadAhead(TellingParser(), lambda: (OTHER, B))
    reader(ONE, A, LIMITS)

    assert reader(OTHER, A, LIMITS).id == A
    assert reader(ONE, B, LIMITS).sentences[0].text == ONE.decode()


def test_what_is_wrong_with_a_book_is_said_when_its_turn_comes() -> None:
    reader = ReadAhead(TellingParser(), lambda: (BROKEN, B))

    reader(ONE, A, LIMITS)
    with refused(BadBook, "pdf_without_sentences"):
        reader(BROKEN, B, LIMITS)
