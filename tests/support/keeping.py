"""Feedback that is kept, at a moment that the test chooses."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from chapterverse.citations.model import VerdictKind
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.model import Feedback, Subject
from chapterverse.essays.store import SqlFeedback
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing, each
from tests.support.essays import a_subject, always, found_on
from tests.support.nights import Clock


@contextmanager
def keeping_in(folder: Path, clock: Clock, days: int = 30) -> Iterator[FeedbackHistory]:
    """Real storage with nothing in it."""
    with closing(SqlFeedback(f"sqlite:///{folder}/catalog.db")) as store:
        yield FeedbackHistory(store, days, now=clock)


def some_feedback(subject: Subject | None = None) -> Feedback:
    """What rules write on the essay of tests.support.essays, or on another."""
    found = found_on(subject or a_subject())
    judge = always(VerdictKind.PARTLY, "In part.")
    return Feedback(found, tuple(write_reviews(found, "school", Writing(judge=each(judge)), began=0.0)))
