"""A property that is computed once holds up nobody."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from chapterverse.core.recent import Recent, lazy


@dataclass(frozen=True)
class Thing:
    name: str
    nbytes: int = 10


def names(recent: Recent, *asked: str, nbytes: int = 10) -> list[str]:
    """What has to be read when these are asked for."""
    read: list[str] = []
    for name in asked:
        recent.get(name, lambda name=name: read.append(name) or Thing(name, nbytes))
    return read


def test_what_was_read_is_not_read_again_unless_forgotten_or_there_was_no_room() -> None:
    recent = Recent(100)
    assert names(recent, "a", "b", "a", "b") == ["a", "b"]
    assert recent.get("a", lambda: Thing("another")).name == "a"
    recent.forget("a")
    recent.forget("never there")
    assert names(recent, "a", "b") == ["a"]

    assert names(Recent(20), "a", "b", "a", "c", "a", "b") == ["a", "b", "c", "b"]
    assert names(Recent(5), "a", "a") == ["a", "a"]  # larger than all the room


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
