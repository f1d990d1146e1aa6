from dataclasses import replace

import pytest

from chapterverse.citations.model import cite
from chapterverse.citations.records import SentencePlace, SentenceRecord, place_of
from chapterverse.core.book import Address, BookId, Box, Chapter, Collection, Kind, Place, Sentence, SentenceId
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence

ON_TWO_PAGES = (
    Place(13, "xiv", (Box(72.04, 700.0, 300.06, 712.55),)),
    Place(14, "xv", (Box(72, 60, 200, 72), Box(72, 74, 100, 86))),
)
FIELDS = [
    *("text", "kind", "book", "chapter_number", "chapter", "section_path", "page_index", "page_label", "paragraph_id"),
    *("sentence_id", "prev_sentence_id", "next_sentence_id", "boxes", "url", "quotable", "confidence", "paragraph_number"),
]
II = Chapter(1, "II", "Of Thought")


def of_emma(chapter: Chapter, next_id: str | None = None) -> Sentence:
    address = Address(BookId("emma"), "v1", chapter, ("Part One", "Visits"), "p7", 7, 0, (0, 5), ON_TWO_PAGES)
    return Sentence(SentenceId("s1"), "Hello.", Kind.SENTENCE, address, None, SentenceId(next_id) if next_id else None)


def test_the_format_is_a_contract() -> None:
    line = SentenceRecord.of(of_emma(Chapter(1, "II", "Of Harriet"), next_id="s2")).model_dump(mode="json")

    boxes = [(13, 72.0, 700.0, 300.1, 712.5), (14, 72, 60, 200, 72), (14, 72, 74, 100, 86)]
    assert [*line] == FIELDS
    assert [*line.values()] == [
        *("Hello.", "sentence", "emma", "II", "Of Harriet", ["Part One", "Visits"], 13, "xiv", "p7", "s1", None, "s2"),
        [dict(zip(("page", "x0", "y0", "x1", "y1"), box, strict=True)) for box in boxes],
        *(None, True, None, None),
    ]


def test_a_chapter_goes_by_its_title_or_number_and_what_has_no_pages_says_where_it_is_read() -> None:
    assert SentenceRecord.of(of_emma(Chapter(1, "II", None))).model_dump(mode="json")["chapter"] == "II"

    line = SentenceRecord.of(of_emma(Chapter(-1, None, None))).model_dump(mode="json")
    assert (line["chapter_number"], line["chapter"]) == (None, None)

    sentence = of_emma(Chapter(0, None, "Nodes"))
    on_a_site = replace(sentence, address=replace(sentence.address, places=(), url="/docs/nodes#topics"))
    line = SentenceRecord.of(on_a_site).model_dump(mode="json")
    assert (line["url"], line["page_index"], line["page_label"], line["boxes"]) == ("/docs/nodes#topics", None, None, [])


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
