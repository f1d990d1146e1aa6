"""Cases where no language model writes any: a sentence with words left out.

Nobody says it in other words then, so it tells whether the search works on a book, and not how well it finds what students say
in words of their own: its figures are not to be compared with those of a language model's variants."""

import random
from collections.abc import Mapping

from chapterverse.evaluation.calibration import question_of

SHARES: Mapping[str, float] = {"level1": 3 / 4, "level2": 1 / 2, "level3": 1 / 3}
"""Of the words that say something, those that are kept."""


def words_left_out(sentence: str, seed: int) -> dict[str, str] | None:
    """The three by level, the same for the same seed; None where too few or too many words say something."""
    draw = random.Random(f"{seed} {sentence}")  # noqa: S311 - not for secrets
    made = {level: question_of(sentence, draw, share) for level, share in SHARES.items()}
    return {level: text for level, text in made.items() if text} if all(made.values()) else None
