"""One of a few: making an RSA key takes longer than most tests."""

from collections.abc import Callable
from functools import cache
from itertools import cycle
from typing import TypeVar

FEW = 4  # those that one test asks for differ
Made = TypeVar("Made")


def one_of_a_few(make: Callable[[], Made]) -> Callable[[], Made]:
    """A function that gives, in turn, one of the few that `make` has made for it."""
    made, numbers = cache(lambda _number: make()), cycle(range(FEW))
    return lambda: made(next(numbers))
