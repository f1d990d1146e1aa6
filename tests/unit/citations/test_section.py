from dataclasses import replace
from html import unescape
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import escaped, evidence_section
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence


def evidence(*passages: Passage) -> list[Evidence]:
    return [Evidence(number, passage, 0.8, ()) for number, passage in enumerate(passages, start=1)]


MIDDLE = Passage("On Liberty", a_sentence("It stands."), a_sentence("Before."), a_sentence("After."), "All of it.")


def test_the_section_has_the_header_the_numbering_and_the_line_breaks_of_the_design() -> None:
    first = Passage("On Liberty", a_sentence("It begins."), None, a_sentence("After."), "")
    last = Passage("Walden", a_sentence("“It ends.”", pages=("12", "13")), a_sentence("Before:"), None, "")
    alone = Passage("Walden", a_sentence("It is alone."), None, None, "")

    assert evidence_section(evidence(MIDDLE, first, last, alone)) == dedent("""\
        Evidence Used:
        1. *Before. **It stands.** After.*
            (On Liberty, Chapter II, Page 35)
        2. ***It begins.** After.*
            (On Liberty, Chapter II, Page 35)
        3. *Before: **“It ends.”***
            (Walden, Chapter II, Pages 12–13)
        4. ***It is alone.***
            (Walden, Chapter II, Page 35)""")


def test_what_it_does_for_the_point_stands_below_the_place() -> None:
    [one] = evidence(MIDDLE)

    assert evidence_section([replace(one, relation=Relation.CONTRADICTS)]).splitlines()[2:] == [
        "    (On Liberty, Chapter II, Page 35)",
        "    Contradicts your point",
    ]


@pytest.mark.parametrize(
    ("previous", "following", "html"),
    [
        ("Before.", "After.", "<em>Before. <strong>“It stands.”</strong> After.</em>"),
        (None, "After.", "<em><strong>“It stands.”</strong> After.</em>"),
        ("Before.", None, "<em>Before. <strong>“It stands.”</strong></em>"),
        (None, None, "<em><strong>“It stands.”</strong></em>"),
    ],
)
def test_in_markdown_the_sentence_is_bold_between_its_neighbours(
    previous: str | None, following: str | None, html: str
) -> None:
    neighbours = [a_sentence(text) if text else None for text in (previous, following)]

    section = evidence_section(evidence(Passage("On Liberty", a_sentence("“It stands.”"), *neighbours, "")))

    assert html in MarkdownIt("commonmark").render(section)


BOOK_TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=["C", "Z"]), min_size=1, max_size=40)


@given(BOOK_TEXT)
def test_what_a_book_says_is_shown_as_it_stands(text: str) -> None:
    shown = MarkdownIt("commonmark").renderInline(f"x{escaped(text)}x")

    assert unescape(shown) == f"x{text}x"
