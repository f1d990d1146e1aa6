from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.adapters.page_child import draw_page
from chapterverse.errors import BadBook
from chapterverse.evidence.numbering import Evidence, Passage
from chapterverse.model import Box
from chapterverse.usecases.artefacts import load_book
from chapterverse.usecases.lit_pages import lit_pages
from chapterverse.usecases.services import Services
from tests.support.pdfs import a_pdf
from tests.support.shelved import empty_library
from tests.support.web import shelve_pdf


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with empty_library(tmp_path) as empty:
        yield empty


@pytest.fixture
def evidence(services: Services) -> Evidence:
    """The first sentence of a real PDF."""
    active = shelve_pdf(services, a_pdf()).active
    assert active is not None
    sentence = load_book(services.bucket, active.key).sentences[0]
    return Evidence(1, Passage("On Principle", sentence, None, None, sentence.text), 0.8, ())


def test_each_page_that_a_sentence_stands_on_is_drawn_with_the_sentence_lit(services: Services, evidence: Evidence) -> None:
    [page] = lit_pages([evidence], "school", services, draw_page)[1]

    [place] = evidence.passage.sentence.address.places
    assert page.label == place.page_label
    assert page.png == draw_page(a_pdf(), place.page_index, place.boxes, 1.5)
    assert page.data.startswith("data:image/png;base64,iVBOR")


def test_a_page_that_cannot_be_drawn_costs_only_its_picture(services: Services, evidence: Evidence) -> None:
    def draw(pdf: bytes, page_index: int, lit: Sequence[Box], scale: float) -> bytes:
        raise BadBook("cannot_draw", "This page cannot be drawn.")

    assert lit_pages([evidence], "school", services, draw) == {1: ()}


def test_a_sentence_of_a_book_that_was_replaced_meanwhile_has_no_picture(services: Services, evidence: Evidence) -> None:
    gone = replace(evidence.passage.sentence, id="gone")

    pages = lit_pages([replace(evidence, passage=replace(evidence.passage, sentence=gone))], "school", services, draw_page)

    assert pages == {1: ()}
