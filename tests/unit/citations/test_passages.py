import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bookreader.drawing import BoxedPage, Drawing
from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import escaped, evidence_block, evidence_section, highlighted_pages
from chapterverse.core.errors import BadBook
from chapterverse.core.hits import Passage
from chapterverse.library.services import CollectionServices
from tests.support.made import a_sentence
from tests.support.pdfs import a_pdf, draw_here
from tests.support.shelved import sentences_of
from tests.support.web import shelve_pdf

PASSAGES = (
    Passage("On Liberty", a_sentence("It stands."), a_sentence("Before."), a_sentence("After."), "All of it."),
    Passage("On Liberty", a_sentence("“It begins.”"), None, a_sentence("After."), ""),
    Passage("Walden", a_sentence("“It ends.”", pages=("12", "13")), a_sentence("Before:"), None, ""),
    Passage("Walden", a_sentence("“It is alone.”"), None, None, ""),
)
EVIDENCE = [Evidence(number, passage, 0.8, ()) for number, passage in enumerate(PASSAGES, start=1)]
BOOK_TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=["C", "Z"]), min_size=1, max_size=40)


def test_the_block_has_the_header_the_numbering_and_the_line_breaks_of_the_design_also_without_evidence() -> None:
    assert evidence_block(EVIDENCE) == dedent("""\
        Retrieved Evidence:
        1. "It stands."
            (On Liberty, Chapter II, Page 35)
            Previous: Before.
            Next: After.
        2. "“It begins.”"
            (On Liberty, Chapter II, Page 35)
            Next: After.
        3. "“It ends.”"
            (Walden, Chapter II, Pages 12–13)
            Previous: Before:
        4. "“It is alone.”"
            (Walden, Chapter II, Page 35)""")

    assert evidence_block([]) == "Retrieved Evidence:"


def test_the_section_is_laid_out_as_the_design_has_it_and_reads_as_markdown() -> None:
    section = evidence_section(EVIDENCE)

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


@given(BOOK_TEXT)
def test_what_a_book_says_is_shown_as_it_stands(text: str) -> None:
    shown = MarkdownIt("commonmark").renderInline(f"x{escaped(text)}x")

    assert unescape(shown) == f"x{text}x"


@pytest.fixture
def evidence(services: CollectionServices) -> Evidence:
    """The first sentence of a real PDF."""
    sentence = sentences_of(shelve_pdf(services, a_pdf()), services)[0]
    return Evidence(1, Passage("On Principle", sentence, None, None, sentence.text), 0.8, ())


def test_each_page_of_a_sentence_is_drawn_with_it_lit(services: CollectionServices, evidence: Evidence) -> None:
    [page] = highlighted_pages([evidence], "school", services, draw_here)[1]
    [place] = evidence.passage.sentence.address.places
    assert page.label == place.page_label
    assert [page.png] == draw_here(a_pdf(), [(place.page_index, place.boxes)], 1.5)
    assert page.data.startswith("data:image/png;base64,iVBOR")

    calls: list[int] = []

    def draw(pdf: bytes, pages: Sequence[BoxedPage], scale: float) -> list[Drawing]:
        calls.append(len(pages))
        return draw_here(pdf, pages, scale)

    highlighted_pages([evidence, replace(evidence, number=2)], "school", services, draw)
    assert calls == [2]

    gone = replace(evidence.passage.sentence, id="gone")
    pages = highlighted_pages(
        [replace(evidence, passage=replace(evidence.passage, sentence=gone))], "school", services, draw_here
    )
    assert pages == {1: ()}


def test_a_page_that_cannot_be_drawn_costs_only_its_picture(services: CollectionServices, evidence: Evidence) -> None:
    def draw(pdf: bytes, pages: Sequence[BoxedPage], scale: float) -> list[Drawing]:
        return [BadBook("cannot_draw", "This page cannot be drawn."), *draw_here(pdf, pages[1:], scale)]

    pages = highlighted_pages([evidence, replace(evidence, number=2)], "school", services, draw)

    assert (pages[1], len(pages[2])) == ((), 1)
