"""How a sentence and its book are cited, and how evidence is numbered."""

from dataclasses import replace

import pytest

from chapterverse.citations.model import cite
from chapterverse.citations.records import SentencePlace, place_of
from chapterverse.core.book import Chapter, Collection
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence

II = Chapter(1, "II", "Of Thought")


@pytest.mark.parametrize(
    ("chapter", "pages", "citation"),
    [
        (II, ("35",), "(On Liberty, Chapter II, Page 35)"),
        (Chapter(0, None, "Introduction"), ("35",), "(On Liberty, Introduction, Page 35)"),
        (Chapter(5, "Appendix A", "Letters"), ("35",), "(On Liberty, Appendix A, Page 35)"),
        (Chapter(-1, None, None), ("35",), "(On Liberty, Page 35)"),
        (II, ("xiv",), "(On Liberty, Chapter II, Page xiv)"),
        (II, ("12", "13", "14"), "(On Liberty, Chapter II, Pages 12–14)"),
        (II, ("12", "12"), "(On Liberty, Chapter II, Page 12)"),
        (II, (), "(On Liberty, Chapter II)"),
    ],
)
def test_a_sentence_is_cited_by_chapter_and_pages_with_names(chapter: Chapter, pages: tuple[str, ...], citation: str) -> None:
    assert cite(Passage("On Liberty", a_sentence(chapter=chapter, pages=pages), None, None, "")) == citation


def test_each_page_that_a_sentence_stands_on_has_a_picture_and_the_first_is_its_url_or_on_a_site_the_pages_own() -> None:
    on_two = Passage("On Liberty", a_sentence("v1-1", pages=("vii", "viii")), None, None, "", collection=Collection.DOCUMENTS)
    address = replace(a_sentence().address, places=(), url="/docs/nodes#what")
    of_site = replace(on_two, sentence=replace(a_sentence(), address=address))

    shown = SentencePlace(**place_of(on_two))

    assert shown.url == "/api/v1/pages/on-liberty/0.png?sentence=v1-1&collection=documents"
    assert [page.page_label for page in shown.pages] == ["vii", "viii"]
    assert (place_of(of_site)["pages"], place_of(of_site)["url"]) == ([], "/docs/nodes#what")
