"""A window of a lecture and its citations, on a terminal, in a pipe and as JSON; and at the end what there was."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from chapterverse.cli.report import counted
from chapterverse.cli.terminal import print_line, printable

if TYPE_CHECKING:
    from chapterverse.model import Citation, WindowResult

SHADES = ("bold", "", "dim")  # a terminal's 100, 70 and 50 % (S3, "Citation Display")


@dataclass
class Tally:
    """What was shown so far. milliseconds: of each window that was looked up."""

    windows: int = 0
    cited: int = 0
    citations: int = 0
    milliseconds: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)

    def add(self, result: WindowResult) -> None:
        self.windows += 1
        self.cited += bool(result.citations)
        self.citations += len(result.citations)
        self.milliseconds.append(result.total)
        if result.failed:
            self.failed[result.failed] += 1

    def told(self) -> str:
        """One line."""
        away = "".join(f" {counted(times, 'window')} without: {stage} failed." for stage, times in self.failed.items())
        half, most = percentiles(self.milliseconds)
        found = f"{counted(self.windows, 'window')}, {self.cited} of them with citations, {self.citations} in all"
        return f"{found}; {half:.0f} ms a window, 95 % within {most:.0f} ms.{away}"


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """Median and 95th; 0 where there are none."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (0.0, 0.0)
    cuts = quantiles(values, n=20, method="inclusive")
    return cuts[9], cuts[18]


def show(result: WindowResult) -> None:
    """Colours and shades on a terminal, plain lines in a pipe."""
    if not sys.stdout.isatty():
        print_line(f"[{clock(result.window.start)} – {clock(result.window.end)}] {result.window.text}")
        for citation in result.citations:
            print_line(f"  {' · '.join(parts_of(citation))}")
        return
    console = Console(markup=False, highlight=False)
    text, overlap = printable(result.window.text), result.window.overlap
    console.print(
        Text(f"\n{clock(result.window.start)} ", "cyan").append(text[:overlap], "dim").append(text[overlap:], "default")
    )
    for citation in result.citations:
        console.print(Text(printable(f"  {' · '.join(parts_of(citation))}"), SHADES[min(citation.rank, 3) - 1]))


def parts_of(citation: Citation) -> list[str]:
    """Rank, score, book, page as printed, section, snippet."""
    page = [f"p. {citation.page_label}"] if citation.page_label else []
    section = [citation.section_heading] if citation.section_heading else []
    return [
        f"{citation.rank}  {citation.relevance_score:.2f}",
        citation.document_name,
        *page,
        *section,
        f"“{citation.snippet}”",
    ]


def clock(seconds: float) -> str:
    """1:02:03, without what is below a second."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def result_json(result: WindowResult) -> dict[str, Any]:
    """One window; its citations as POST /api/v1/rag/query gives them."""
    from chapterverse.web.lecture_json import citation_json
    from chapterverse.web.lecture_schemas import RagCitation

    cited = [RagCitation.model_validate(citation_json(citation)) for citation in result.citations]
    return {
        **asdict(result.window),
        "citations": [citation.model_dump(mode="json") for citation in cited],
        "keywords": list(result.query.keywords),
        "concepts": list(result.query.concepts),
        "stages_ms": asdict(result.stages),
        "total_ms": result.total,
        "failed": result.failed,
    }
