"""Books whose adding came to no end: the program was interrupted, killed, or what it needed did not answer."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from chapterverse.errors import BookBusy, NotFound
from chapterverse.messages import message
from chapterverse.model import ShelvedBook, VersionKey, VersionState
from chapterverse.usecases.services import Services

ENDED = (VersionState.READY, VersionState.FAILED)

INTERRUPTED = ("interrupted", message("book_interrupted"))
"""Why such a version failed: reason and message. What was kept of it is used when its file is added again."""


@contextmanager
def interruption_recorded(key: VersionKey, services: Services) -> Iterator[None]:
    """Ctrl-C within the block is recorded on the version, which goes no further."""
    try:
        yield
    except KeyboardInterrupt:
        services.catalog.failed(key, *INTERRUPTED)
        raise


def give_up_abandoned(school: str, services: Services) -> None:
    """Record on every book of the school that is being built, and that nobody holds, that it was interrupted.

    Left as they are they would look as if they still came, and take the place of another book. Raises CatalogUnavailable."""
    for book in services.catalog.books(school):
        if _is_being_built(book):
            _give_up(book, services)


def _give_up(book: ShelvedBook, services: Services) -> None:
    with suppress(BookBusy, NotFound), services.catalog.claim(book.school, book.id):
        now = services.catalog.book(book.school, book.id)  # whoever held it may have finished meanwhile
        if now.newest and _is_being_built(now):
            services.catalog.failed(now.newest.key, *INTERRUPTED)


def _is_being_built(book: ShelvedBook) -> bool:
    """By one process from end to end; what is indexed in batches waits for its tasks, and nobody holds it meanwhile."""
    newest = book.newest
    return newest is not None and newest.state not in ENDED and not newest.batches
