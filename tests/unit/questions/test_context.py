"""What of a conversation is told on."""

from datetime import UTC, datetime

from chapterverse.questions.conversation import recent_turns
from chapterverse.questions.model import Speaker, Turn


def turns(*texts: str) -> list[Turn]:
    speakers = (Speaker.STUDENT, Speaker.ASSISTANT)
    return [Turn(speakers[at % 2], text, datetime(2026, 11, 20, tzinfo=UTC)) for at, text in enumerate(texts)]


def test_the_last_turns_are_told_oldest_first() -> None:
    told = recent_turns(turns("one", "two", "three", "four", "five", "six"))

    assert (len(told), told[0], told[-1]) == (5, "Assistant: two", "Assistant: six")
    assert recent_turns([]) == []


def test_the_oldest_go_first_where_they_are_too_long() -> None:
    said = recent_turns(turns("a" * 1500, "b" * 800, "c" * 900))

    assert [line[-1] for line in said] == ["b", "c"]
    assert len("\n".join(said)) <= 2000


def test_of_one_that_is_too_long_the_end_is_told() -> None:
    [said] = recent_turns(turns("a" * 5000 + "z"))

    assert (len(said), said[-1]) == (2000, "z")
