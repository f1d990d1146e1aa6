import re
from html import unescape
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import escaped, evidence_section
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence


def evidence(*passages: Passage) -> list[Evidence]:
    return [Evidence(number, passage, 0.8, ()) for number, passage in enumerate(passages, start=1)]


MIDDLE = Passage("On Liberty", a_sentence("It stands."), a_sentence("Before."), a_sentence("After."), "All of it.")


def test_the_section_is_laid_out_as_the_design_has_it_and_reads_as_markdown() -> None:
    first = Passage("On Liberty", a_sentence("“It begins.”"), None, a_sentence("After."), "")
    last = Passage("Walden", a_sentence("“It ends.”", pages=("12", "13")), a_sentence("Before:"), None, "")
    alone = Passage("Walden", a_sentence("“It is alone.”"), None, None, "")

    section = evidence_section(evidence(MIDDLE, first, last, alone))

    assert section == dedent("""\
        Evidence Used:
        1. *Before. **It stands.** After.*
            (On Liberty, Chapter II, Page 35)
        2. ***“It begins.”** After.*
            (On Liberty, Chapter II, Page 35)
        3. *Before: **“It ends.”***
            (Walden, Chapter II, Pages 12–13)
        4. ***“It is alone.”***
            (Walden, Chapter II, Page 35)""")
    assert re.findall("<em>.*</em>", MarkdownIt("commonmark").render(section)) == [
        "<em>Before. <strong>It stands.</strong> After.</em>",
        "<em><strong>“It begins.”</strong> After.</em>",
        "<em>Before: <strong>“It ends.”</strong></em>",
        "<em><strong>“It is alone.”</strong></em>",
    ]


BOOK_TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=["C", "Z"]), min_size=1, max_size=40)


@given(BOOK_TEXT)
def test_what_a_book_says_is_shown_as_it_stands(text: str) -> None:
    shown = MarkdownIt("commonmark").renderInline(f"x{escaped(text)}x")

    assert unescape(shown) == f"x{text}x"
