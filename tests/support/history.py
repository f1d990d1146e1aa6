"""Feedback that is kept, at a moment that the test chooses."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.store import SqlFeedback
from tests.support.batches import Clock


@contextmanager
def history_in(folder: Path, clock: Clock, days: int = 30) -> Iterator[FeedbackHistory]:
    """Real storage with nothing in it."""
    with closing(SqlFeedback(f"sqlite:///{folder}/catalog.db")) as store:
        yield FeedbackHistory(store, days, now=clock)
