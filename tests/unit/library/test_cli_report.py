import pytest

from chapterverse.core.book import QualityReport
from chapterverse.library.cli import ranges, report_rows

REPORT = QualityReport(
    pages=140,
    words=50_702,
    sentences=1363,
    chapters=6,
    chapter_source="outline",
    label_source="folios",
    outside_share=0.018,
    pages_without_text=(11, 12, 13),
    warnings=("Pages 12-14 have no text: scanned?",),
)


@pytest.mark.parametrize(("pages", "said"), [((), ""), ((0,), "1"), ((0, 1, 2), "1-3"), ((4, 0, 1, 9), "1-2, 5, 10")])
def test_pages_are_counted_from_one_and_runs_put_together(pages: tuple[int, ...], said: str) -> None:
    assert ranges(pages) == said


def test_every_fact_and_every_warning_has_a_row() -> None:
    rows = dict(report_rows(REPORT))

    assert rows["chapters"] == "6 (from the PDF's outline)"
    assert rows["page numbers"] == "read off the pages"
    assert rows["outside any paragraph"] == "1.8% of the text"
    assert rows["pages without text"] == "12-14"
    assert rows["warning"] == "Pages 12-14 have no text: scanned?"
