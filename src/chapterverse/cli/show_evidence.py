"""Evidence as text."""

from chapterverse.cli.terminal import print_line
from chapterverse.evidence.citation import cite
from chapterverse.model import FoundBy
from chapterverse.usecases.essay_feedback import EssayEvidence

INDENT = "    "


def show_evidence(found: EssayEvidence) -> None:
    """Each sentence with its score, where it stands, and what in the essay it answers to; then paragraphs without any, and what
    was not looked up."""
    for one in found.evidence:
        passage = one.passage
        print_line(f"{one.number}. {one.score:.2f} {cite(passage)}")
        print_line(f"{INDENT}{passage.sentence.text}")
        print_line(f"{INDENT}for {'; '.join(map(named, one.found_by))}")
    for number, paragraph in enumerate(found.paragraphs, start=1):
        if paragraph.message:
            print_line(f"Paragraph {number}: {paragraph.message}")
    for note in found.notes:
        print_line(str(note))


def named(found_by: FoundBy) -> str:
    """A query, e.g. "paragraph 2 (0.61)" or "a sentence of paragraph 2 (0.58)"."""
    whole = found_by.query.kind == "paragraph"
    return f"{'' if whole else 'a sentence of '}paragraph {found_by.query.paragraph + 1} ({found_by.score:.2f})"
