"""What is kept of a batch, or of one essay of it, is forgotten, also while somebody is at work on it."""

from contextlib import suppress

from chapterverse.errors import NotFound
from chapterverse.model import BatchKey
from chapterverse.usecases.kept_feedback import remove_feedback
from chapterverse.usecases.overnight.kept import (
    DELETED,
    FORGOTTEN,
    batch_folder,
    essays_name,
    forget_words,
    forgotten_of,
    load_essays,
    packed,
    without,
)
from chapterverse.usecases.overnight.night import Night


def clear_up(key: BatchKey, night: Night) -> None:
    """All that was kept of a batch that is not known (any more). Raises CatalogUnavailable, BucketUnavailable."""
    night.results.delete(batch_folder(key))
    night.keeping.store.remove_batch(key)


def forget_feedback(school: str, id: str, night: Night) -> None:
    """Forget it at once, with its essay and all that was said of it, in its batch, too. Raises NotFound, EssayBusy,
    CatalogUnavailable, BucketUnavailable; called again, it goes on."""
    if origin := night.keeping.store.find(school, id).origin:
        with suppress(NotFound):  # the batch is forgotten already
            _forget_essay(BatchKey(school, origin.batch), origin.number, night)
    remove_feedback(school, id, night.keeping)


def _forget_essay(key: BatchKey, number: int, night: Night) -> None:
    with night.store.claim(key, number):
        night.store.forget(key, number, FORGOTTEN, DELETED)
        forget_words(night.results, key, number)
        _forget_what_was_handed_in(key, night)


def _forget_what_was_handed_in(key: BatchKey, night: Night) -> None:
    """Of all that are to be forgotten: looked up anew after each write, so that of two who write at once none brings back what
    the other has taken away."""
    written: frozenset[int] = frozenset()
    while (gone := forgotten_of(night.store.essays(key))) != written:
        handed_in = load_essays(night.results, key)
        night.results.write(essays_name(key), packed(without(handed_in.entries.values(), gone), handed_in.books))
        written = gone
