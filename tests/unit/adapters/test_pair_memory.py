from dataclasses import dataclass, field

from chapterverse.adapters.pair_memory import PairMemory, Pairs

TWO = [("A book:", " one"), ("A book:", " two")]


@dataclass
class Lengths:
    """How long each pair is. time_for: so many of a call, and None of the others."""

    time_for: int = 1_000
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, pairs: Pairs) -> list[float | None]:
        self.asked += pairs
        return [float(len(one + other)) if place < self.time_for else None for place, (one, other) in enumerate(pairs)]


def test_a_pair_is_asked_about_once() -> None:
    memory, ask = PairMemory(10), Lengths()

    first = memory.of(TWO, ask)
    again = memory.of([*TWO, ("A book:", " three")], ask)

    assert again == [*first, 13.0]
    assert ask.asked == [*TWO, ("A book:", " three")]


def test_where_all_is_known_nobody_is_asked() -> None:
    memory = PairMemory(10)
    known = memory.of(TWO, Lengths())

    def nobody(_: Pairs) -> list[float | None]:
        raise AssertionError

    assert memory.of(TWO, nobody) == known


def test_what_there_was_no_time_for_is_asked_again() -> None:
    memory, ask = PairMemory(10), Lengths(time_for=1)

    assert [memory.of(TWO, ask) for _ in range(2)] == [[11.0, None], [11.0, 11.0]]


def test_where_the_first_text_ends_is_remembered_too() -> None:
    ask = Lengths()

    PairMemory(10).of([("a", "bc"), ("ab", "c")], ask)

    assert len(ask.asked) == 2


def test_the_oldest_are_forgotten_and_no_words_are_kept() -> None:
    memory, ask = PairMemory(1), Lengths()

    memory.of(TWO, ask)
    memory.of(TWO[:1], ask)

    assert len(memory.known) == 1
    assert ask.asked == [*TWO, TWO[0]]
    assert "book" not in str(vars(memory))
