from dataclasses import dataclass

from chapterverse.core.recent import Recent


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


def test_what_was_read_is_not_read_again() -> None:
    recent = Recent(100)

    assert names(recent, "a", "b", "a", "b") == ["a", "b"]
    assert recent.get("a", lambda: Thing("another")).name == "a"


def test_where_there_is_no_room_what_was_not_asked_for_longest_goes() -> None:
    assert names(Recent(20), "a", "b", "a", "c", "a", "b") == ["a", "b", "c", "b"]


def test_what_is_larger_than_all_the_room_is_read_each_time() -> None:
    assert names(Recent(5), "a", "a") == ["a", "a"]


def test_what_is_forgotten_is_read_again() -> None:
    recent = Recent(100)
    names(recent, "a", "b")
    recent.forget("a")
    recent.forget("never there")

    assert names(recent, "a", "b") == ["a"]
