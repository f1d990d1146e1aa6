"""What was said before, as a language model may be told it."""

from collections.abc import Sequence

from chapterverse.model import Turn
from chapterverse.usecases.conversations.standalone import TURNS

CHARACTERS = 2_000  # S5, 9


def said_before(turns: Sequence[Turn], most: int = TURNS, characters: int = CHARACTERS) -> list[str]:
    """The last turns, oldest first, as many characters of them as may be told: the oldest go first, and of the newest, where it
    alone is too long, its beginning."""
    kept: list[str] = []
    left = characters
    for turn in reversed(turns[-most:] if most else ()):
        line = f"{turn.speaker.value.capitalize()}: {turn.text}"
        if len(line) > left:
            break
        kept.insert(0, line)
        left -= len(line) + 1
    if turns and most and not kept:
        return [f"{turns[-1].speaker.value.capitalize()}: {turns[-1].text}"[-characters:]]
    return kept
