"""The quality report as a teacher reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chapterverse.model import QualityReport

CHAPTERS_FROM = {
    "outline": "from the PDF's outline",
    "contents": "from the printed contents",
    "headings": "from the headings",
    "none": "none found: the book counts as one chapter",
}
LABELS_FROM = {
    "labels": "the PDF's own",
    "folios": "read off the pages",
    "index": "counted, because none are printed",
}


def summary(report: QualityReport) -> str:
    """In one line, e.g. "115 pages, 36,568 words, 12 chapters, 1,402 sentences"."""
    counts = {"page": report.pages, "word": report.words, "chapter": report.chapters, "sentence": report.sentences}
    return ", ".join(counted(number, what) for what, number in counts.items())


def counted(number: int, what: str) -> str:
    """E.g. "1 page", "1,402 pages"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def report_rows(report: QualityReport) -> list[tuple[str, str]]:
    """One row a fact, and one a warning."""
    return [
        ("pages", f"{report.pages:,}"),
        ("words", f"{report.words:,}"),
        ("sentences", f"{report.sentences:,}"),
        ("chapters", f"{report.chapters:,} ({CHAPTERS_FROM.get(report.chapter_source, report.chapter_source)})"),
        ("page numbers", LABELS_FROM.get(report.label_source, report.label_source)),
        ("outside any paragraph", f"{report.outside_share:.1%} of the text"),
        ("pages without text", ranges(report.pages_without_text) or "none"),
        *(("warning", str(warning)) for warning in report.warnings),
    ]


def ranges(pages: Sequence[int]) -> str:
    """Page indices as people count them: (0, 1, 2, 7) is "1-3, 8"."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(f"{first + 1}-{last + 1}" if last > first else str(first + 1) for first, last in runs)
