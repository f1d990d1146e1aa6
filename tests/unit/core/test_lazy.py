"""A property that is computed once holds up nobody."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from chapterverse.core.recent import lazy


@dataclass(frozen=True)
class Essay:
    """Its words are counted when `may` is set."""

    may: Event

    @lazy
    def words(self) -> list[str]:
        """Waits."""
        assert self.may.wait(60)
        return ["ships"]


def test_one_essay_does_not_wait_for_another() -> None:
    held, free = Essay(Event()), Essay(Event())
    free.may.set()

    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(lambda: held.words)
        assert pool.submit(lambda: free.words).result(timeout=30) == ["ships"]
        assert not waiting.done()
        held.may.set()

    assert free.words is free.words
    assert isinstance(Essay.words, lazy)
