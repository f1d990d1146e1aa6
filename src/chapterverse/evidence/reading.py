"""What a model says that reads claim and book together (natural language inference)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chances:
    """That the book bears the claim out, that it says otherwise, and that it settles neither; they add up to 1."""

    supports: float
    contradicts: float
    neither: float


Reader = Callable[[Sequence[tuple[str, str]]], list[Chances]]
"""(what the book says, claim) of each pair to its chances, in the order given. Raises ModelUnavailable."""
