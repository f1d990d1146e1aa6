import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.essays.text import apart, clean, ends_sentence

FIRST = (
    "Nobody should be forced to think what the others think. We cannot know who is right before we have heard him, and whoever "
    "shuts another one up says that he himself is never wrong, which nobody is."
)
SECOND = (
    "A wrong opinion is useful too, because it makes us find our own reasons. Somebody who has never had to argue for what he "
    "believes only repeats what he was told, as a parrot does."
)


def paragraphs_of(text: str) -> list[str]:
    """What is apart, each as one line."""
    return [" ".join(block.split()) for block in apart(clean(text)).split("\n\n") if block.strip()]


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 60, initial_indent=indent)


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST}\n\n{SECOND}",
        f"{FIRST}\n{SECOND}",
        f"{FIRST}\r\n{SECOND}",
        f"\ufeff{FIRST}\r\r{SECOND}",
        f"\t{FIRST}\n\t{SECOND}",
        f"{FIRST}\u2029{SECOND}",
        f"{FIRST}\n \u00a0 \n{SECOND}",
        f"{wrapped(FIRST)}\n\n{wrapped(SECOND)}",
        f"{wrapped(FIRST)}\n{wrapped(SECOND, indent='   ')}",
        f"{wrapped(FIRST, indent=chr(9))}\n{wrapped(SECOND, indent=chr(9))}",
        f"{wrapped(FIRST + ' Or is he?')}\n{wrapped(SECOND)}",
    ],
    ids=[
        "blank line",
        "a line each",
        "a line each, CRLF",
        "BOM and CR",
        "a line each, tabs",
        "paragraph separator",
        "line of blanks",
        "wrapped, blank line",
        "wrapped, second indented",
        "wrapped, both indented",
        "wrapped, first stops short",
    ],
)
def test_two_paragraphs_are_two_however_they_were_typed(text: str) -> None:
    [first, second] = paragraphs_of(text)

    assert first.startswith("Nobody should")
    assert second.startswith("A wrong opinion")


def test_wrapped_lines_are_one_paragraph() -> None:
    assert paragraphs_of(wrapped(FIRST)) == [FIRST]


def test_a_title_above_wrapped_lines_stands_alone() -> None:
    assert paragraphs_of(f"On free speech\n{wrapped(FIRST)}") == ["On free speech", FIRST]


def test_a_list_stays_together() -> None:
    text = "- one thing that I like.\n- another thing.\n- a third."

    assert apart(text) == text


def test_invisible_characters_go_and_blanks_of_every_kind_become_one() -> None:
    assert clean("free\u00ad\u200bdom\u00a0of\u2003speech") == "freedom of speech"


def test_letters_and_their_accents_become_one_character_as_macs_part_them() -> None:
    assert clean("fu\u0308r") == "für"


@pytest.mark.parametrize("line", ["Yes.", "Yes!", "Why?", "And so on…", "“Yes.”", "(Yes.)", "**Yes.**"])
def test_a_full_stop_ends_a_sentence_whatever_closes_after_it(line: str) -> None:
    assert ends_sentence(line)


@pytest.mark.parametrize("line", ["", "Yes", "Yes,", "Dear Mr. Brown"])
def test_without_a_full_stop_no_sentence_ends(line: str) -> None:
    assert not ends_sentence(line)


@given(st.text())
def test_apart_loses_no_word(text: str) -> None:
    assert apart(clean(text)).split() == clean(text).split()
