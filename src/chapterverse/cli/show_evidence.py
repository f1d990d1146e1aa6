"""Evidence and feedback as text: Markdown in a pipe, colour on a terminal."""

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from chapterverse.cli.terminal import print_line, printable
from chapterverse.evidence.citation import cite
from chapterverse.evidence.numbering import Evidence
from chapterverse.evidence.section import HEADER
from chapterverse.model import FoundBy
from chapterverse.usecases.essay_feedback import NOTHING_FOUND, EssayEvidence, Feedback, ParagraphEvidence

OPENING = 12  # words of a paragraph, enough to know it by
INDENT = "    "


def show_evidence(found: EssayEvidence) -> None:
    """Each sentence with its score, where it stands, and what in the essay it answers to; then paragraphs without any."""
    for one in found.evidence:
        passage = one.passage
        print_line(f"{one.number}. {one.score:.2f} {cite(passage)}")
        print_line(f"{INDENT}{passage.sentence.text}")
        print_line(f"{INDENT}for {'; '.join(map(named, one.found_by))}")
    for number, paragraph in enumerate(found.paragraphs, start=1):
        if not paragraph.numbers:
            print_line(f"Paragraph {number}: {NOTHING_FOUND}")


def named(found_by: FoundBy) -> str:
    """A query, e.g. "paragraph 2 (0.61)" or "a sentence of paragraph 2 (0.58)"."""
    whole = found_by.query.kind == "paragraph"
    return f"{'' if whole else 'a sentence of '}paragraph {found_by.query.paragraph + 1} ({found_by.score:.2f})"


def show_feedback(feedback: Feedback) -> None:
    """The essay's paragraphs, each with the numbers of its evidence, then the Evidence section."""
    found = feedback.evidence
    print_line(f"# Feedback on “{found.title}”" if found.title else "# Feedback")
    for number, paragraph in enumerate(found.paragraphs, start=1):
        print_line()
        for line in on_paragraph(number, paragraph):
            print_line(line)
    if feedback.section:
        print_line()
        show_section(feedback)


def on_paragraph(number: int, found: ParagraphEvidence) -> Iterator[str]:
    """How the paragraph begins, and what the books have on it."""
    words = found.paragraph.text.split()
    yield f"{number}. {' '.join(words[:OPENING])}{' …' if len(words) > OPENING else ''}"
    yield INDENT + (f"See {', '.join(f'Evidence #{each}' for each in found.numbers)}." if found.numbers else NOTHING_FOUND)


def show_section(feedback: Feedback) -> None:
    """The section as it is, in a pipe; on a terminal what stands in bold there is bold here."""
    if not sys.stdout.isatty():
        print_line(feedback.section or "")
        return
    console = Console(highlight=False)
    console.print(HEADER, style="bold")
    for one in feedback.evidence.evidence:
        console.print(coloured(one))


def coloured(evidence: Evidence) -> Text:
    """One piece of evidence, its sentence bold between its neighbours."""
    passage = evidence.passage
    before = f"{passage.previous.text} " if passage.previous else ""
    after = f" {passage.next.text}" if passage.next else ""
    parts = ((f"{evidence.number}. ", "cyan"), (before, "dim"), (passage.sentence.text, "bold"), (after, "dim"))
    return Text.assemble(*((printable(text), style) for text, style in (*parts, (f"\n{INDENT}{cite(passage)}", "cyan"))))
