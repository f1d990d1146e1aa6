"""How far a book has come, for whoever watches."""

from dataclasses import dataclass

from chapterverse.messages import Message
from chapterverse.model import ShelvedBook, VersionState


@dataclass(frozen=True, slots=True)
class BookProgress:
    """Of the version last begun. reason, message: why it failed. done of total: batches whose sentences are embedded; both 0
    where there are none (yet)."""

    state: VersionState
    reason: str | None
    message: Message | None
    done: int
    total: int


def progress_of(book: ShelvedBook) -> BookProgress | None:
    """None for a book of which no version is left: it is just being removed."""
    if (newest := book.newest) is None:
        return None
    return BookProgress(newest.state, newest.reason, newest.message, newest.batches_done, newest.batches)
