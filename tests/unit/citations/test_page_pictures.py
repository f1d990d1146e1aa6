from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.drawing import BoxedPage, Drawing, draw_here
from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import highlighted_pages
from chapterverse.core.errors import BadBook
from chapterverse.core.hits import Passage
from chapterverse.library.services import CollectionServices
from tests.support.pdfs import a_pdf
from tests.support.shelved import empty_library, sentences_of
from tests.support.web import shelve_pdf


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as empty:
        yield empty


@pytest.fixture
def evidence(services: CollectionServices) -> Evidence:
    """The first sentence of a real PDF."""
    sentence = sentences_of(shelve_pdf(services, a_pdf()), services)[0]
    return Evidence(1, Passage("On Principle", sentence, None, None, sentence.text), 0.8, ())


def test_each_page_that_a_sentence_stands_on_is_drawn_with_the_sentence_lit(
    services: CollectionServices, evidence: Evidence
) -> None:
    [page] = highlighted_pages([evidence], "school", services, draw_here)[1]

    [place] = evidence.passage.sentence.address.places
    assert page.label == place.page_label
    assert [page.png] == draw_here(a_pdf(), [(place.page_index, place.boxes)], 1.5)
    assert page.data.startswith("data:image/png;base64,iVBOR")


def test_a_page_that_cannot_be_drawn_costs_only_its_picture(services: CollectionServices, evidence: Evidence) -> None:
    def draw(pdf: bytes, pages: Sequence[BoxedPage], scale: float) -> list[Drawing]:
        return [BadBook("cannot_draw", "This page cannot be drawn."), *draw_here(pdf, pages[1:], scale)]

    pages = highlighted_pages([evidence, replace(evidence, number=2)], "school", services, draw)

    assert (pages[1], len(pages[2])) == ((), 1)


def test_the_pages_of_one_book_are_drawn_together(services: CollectionServices, evidence: Evidence) -> None:
    calls: list[int] = []

    def draw(pdf: bytes, pages: Sequence[BoxedPage], scale: float) -> list[Drawing]:
        calls.append(len(pages))
        return draw_here(pdf, pages, scale)

    highlighted_pages([evidence, replace(evidence, number=2)], "school", services, draw)

    assert calls == [2]


def test_a_sentence_of_a_book_that_was_replaced_meanwhile_has_no_picture(
    services: CollectionServices, evidence: Evidence
) -> None:
    gone = replace(evidence.passage.sentence, id="gone")

    pages = highlighted_pages(
        [replace(evidence, passage=replace(evidence.passage, sentence=gone))], "school", services, draw_here
    )

    assert pages == {1: ()}
