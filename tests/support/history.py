"""Feedback that is kept, at a moment that the test chooses."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.model import Feedback, Subject
from chapterverse.essays.store import SqlFeedback
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from tests.support.batches import Clock
from tests.support.essays import a_subject, found_on


@contextmanager
def history_in(folder: Path, clock: Clock, days: int = 30) -> Iterator[FeedbackHistory]:
    """Real storage with nothing in it."""
    with closing(SqlFeedback(f"sqlite:///{folder}/catalog.db")) as store:
        yield FeedbackHistory(store, days, now=clock)


def some_feedback(subject: Subject | None = None) -> Feedback:
    """What rules write on the essay of tests.support.essays, or on another."""
    found = found_on(subject or a_subject())
    return Feedback(found, tuple(write_reviews(found, "school", Writing(), began=0.0)))
