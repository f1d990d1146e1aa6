"""One vector for an entry that has a question and its answer; and vectors that are known already among new ones."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from chapterverse.model import Vectors

Thing = TypeVar("Thing", bound=Hashable)

QUESTION, OPENING, WHOLE = 0.6, 0.3, 0.1  # weights; those nearby do alike (docs/asking.md)
WORDS = 60  # of the answer, that belong to the opening; 40 and 100 do alike


def opening(question: str, text: str) -> str:
    """The beginning of an entry's text, "Question: … Answer: …", as far as the answer says what it is about."""
    return " ".join(text.split()[: len(question.split()) + len(("Question:", "Answer:")) + WORDS])


def blended(questions: Vectors, openings: Vectors, wholes: Vectors) -> Vectors:
    """(n, d), unit norm, of n entries' questions alone, their openings, and their whole texts, each (n, d), unit norm.

    Who asks words it like the question; what the question leaves out is said when the answer begins; and what stands only at
    the end of a long one is not lost."""
    mixed = QUESTION * questions + OPENING * openings + WHOLE * wholes
    lengths = np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return np.asarray(mixed / lengths, np.float32)


def with_known(
    wanted: Sequence[Thing], known: Mapping[Thing, NDArray[np.float32]], embed: Callable[[list[int]], Vectors]
) -> Vectors:
    """(n, d), a row for each that is wanted. embed: makes those of the rows that are not known, in that order."""
    new = [row for row, one in enumerate(wanted) if one not in known]
    vectors = embed(new)
    if len(new) == len(wanted):
        return vectors
    following = iter(vectors)
    return np.stack([known[one] if one in known else next(following) for one in wanted])
