"""What is said in lectures, looked up beside them, on real storage."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from chapterverse.core.book import Collection
from chapterverse.infrastructure.sql import Database
from chapterverse.lectures.citing import LectureContext, cite_windows
from chapterverse.lectures.model import Segment
from chapterverse.lectures.service import LiveLectures, WindowPool
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.services import CollectionServices

ON_LIBERTY = (
    "Silencing an opinion robs mankind of the truth, said the professor, and mankind has need of every opinion there is."
)
ASIDE = "By the way the coffee machine on the second floor has been repaired at last, so please go easy on it for a while."


@contextmanager
def listening_to(collections: Mapping[Collection, CollectionServices], database: Database) -> Iterator[LiveLectures]:
    context = LectureContext(collections[Collection.LECTURES], SqlLectures(database), 30)
    listening = LiveLectures(context, WindowPool(partial(cite_windows, context=context)))
    yield listening
    assert listening.pool.wait_until_idle(60)


def spoken(*sentences: str, first: int = 0) -> list[Segment]:
    """One after the other, four seconds each."""
    return [Segment(f"s{at}", at * 4.0, at * 4.0 + 4, text) for at, text in enumerate(sentences, first)]
