"""Books in a row: while one is embedded, which is most of the work, the next one is read in its own process."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread

from chapterverse.ingestion.version import version_of
from chapterverse.model import Book, BookId, Limits
from chapterverse.usecases.services import Parser

Following = Callable[[], tuple[bytes, BookId] | None]
"""The file that is parsed next, and the book that it is to be; None where there is none to be parsed."""


@dataclass
class ReadAhead:
    """A parser like the one that it is made of: when it has given a book, it begins with the one that is said to follow.

    One book ahead at most, so that memory is bounded. What is read and never asked for ends with the program."""

    parser: Parser
    following: Following = lambda: None
    _begun: dict[tuple[str, BookId, Limits], "Future[Book]"] = field(default_factory=dict)

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        """The book. Raises BadBook, also what its reading raised ahead of time."""
        begun = self._begun.pop((version_of(pdf), book, limits), None)
        self._begun.clear()
        parsed = begun.result() if begun else self.parser(pdf, book, limits, progress)
        self._begin(limits)
        return parsed

    def _begin(self, limits: Limits) -> None:
        if (following := self.following()) is None:
            return
        pdf, book = following
        future: Future[Book] = Future()
        self._begun[version_of(pdf), book, limits] = future
        # a daemon: whoever interrupts the program does not wait for a book that nobody asked for yet
        Thread(target=_fill, args=(future, lambda: self.parser(pdf, book, limits)), daemon=True).start()


def _fill(future: "Future[Book]", parse: Callable[[], Book]) -> None:
    """The future gets the book, or what was raised."""
    try:
        future.set_result(parse())
    except BaseException as error:  # raised where the book is asked for
        future.set_exception(error)
