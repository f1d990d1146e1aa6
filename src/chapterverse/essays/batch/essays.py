"""What is kept of a batch, or of one essay of it, is forgotten, also while somebody is at work on it.

One essay of a batch: what it says, what the books say on it, what is written about it."""

from contextlib import suppress
from dataclasses import replace

from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.files import (
    DELETED,
    FORGOTTEN,
    HandedIn,
    batch_folder,
    essays_name,
    forget_words,
    forgotten_of,
    load_essays,
    packed,
    without,
)
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.evidence import EssayEvidence, find_evidence
from chapterverse.essays.history import remove_feedback
from chapterverse.essays.model import Essay
from chapterverse.essays.service import Feedback, plan_for, write_feedback
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.writing import Writing


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


def handed_in_of(key: BatchKey, night: Night) -> HandedIn:
    """Read once a process: a batch's tasks come one after the other. Raises NotFound."""
    return night.services.recent.get(("batch", key), lambda: load_essays(night.results, key))


def essay_of(entry: Entry, most_words: int) -> Essay:
    """The essay, by the title that its teacher gives it. Raises BadRequest, TooLarge."""
    essay = parse_essay(entry.text, most_words)
    return replace(essay, title=entry.title or essay.title)


def found_on(key: BatchKey, entry: Entry, night: Night) -> EssayEvidence:
    """Raises as essay_of and find_evidence do."""
    scope = handed_in_of(key, night).scope(key.school)
    plan = plan_for(key.school, night.plan, night.services)
    return find_evidence(essay_of(entry, night.limits.essay_words), scope, night.services, plan)


def written_on(key: BatchKey, entry: Entry, writing: Writing, night: Night) -> Feedback:
    """Raises likewise."""
    began, found = writing.clock(), found_on(key, entry, night)
    return Feedback(found, tuple(write_feedback(found, key.school, writing, began)))
