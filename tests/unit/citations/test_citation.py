import pytest

from chapterverse.citations.model import cite
from chapterverse.core.book import Chapter
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence


def cited(chapter: Chapter, pages: tuple[str, ...] = ("35",)) -> str:
    return cite(Passage("On Liberty", a_sentence(chapter=chapter, pages=pages), None, None, ""))


@pytest.mark.parametrize(
    ("chapter", "citation"),
    [
        (Chapter(1, "II", "Of Thought"), "(On Liberty, Chapter II, Page 35)"),
        (Chapter(0, None, "Introduction"), "(On Liberty, Introduction, Page 35)"),
        (Chapter(5, "Appendix A", "Letters"), "(On Liberty, Appendix A, Page 35)"),
        (Chapter(-1, None, None), "(On Liberty, Page 35)"),
    ],
    ids=["numbered", "title only", "appendix", "neither"],
)
def test_a_chapter_goes_by_its_number_else_its_title_else_not_at_all(chapter: Chapter, citation: str) -> None:
    assert cited(chapter) == citation


@pytest.mark.parametrize(
    ("pages", "citation"),
    [
        (("xiv",), "(On Liberty, Chapter II, Page xiv)"),
        (("12", "13"), "(On Liberty, Chapter II, Pages 12–13)"),
        (("12", "13", "14"), "(On Liberty, Chapter II, Pages 12–14)"),
        (("12", "12"), "(On Liberty, Chapter II, Page 12)"),
    ],
)
def test_a_sentence_that_runs_over_a_page_is_cited_from_its_first_to_its_last(pages: tuple[str, ...], citation: str) -> None:
    assert cited(Chapter(1, "II", None), pages) == citation


def test_what_has_no_pages_is_cited_without_one() -> None:
    assert cited(Chapter(1, "II", None), pages=()) == "(On Liberty, Chapter II)"
