"""Feedback as one page that a teacher hands out: it holds all that it shows, runs nothing and asks no network."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from chapterverse.evidence.citation import cite
from chapterverse.feedback.comments import BY_RULES, Comment, Dimension, Review
from chapterverse.templates import style_sheet, template
from chapterverse.usecases.essay_feedback import EssayEvidence, ParagraphEvidence
from chapterverse.usecases.feedback_markdown import opening
from chapterverse.usecases.lit_pages import LitPages
from chapterverse.usecases.marked_essay import Mark, Piece, pieces
from chapterverse.usecases.services import Printer
from chapterverse.usecases.write_feedback import Feedback

SCREEN, PAPER = "screen.css", "print.css"
NO_PAGES: LitPages = MappingProxyType({})
ABOUT = {
    Dimension.CONTENT: "What you say, and what your books say about it.",
    Dimension.EXPRESSIONS: "How you say it: spelling, words and sentences.",
    Dimension.FEATURES: "Whether it has the form of an essay, and sounds like one.",
}

Comments = Mapping[Dimension, Sequence[tuple[int, Comment]]]


def feedback_html(feedback: Feedback, pages: LitPages = NO_PAGES, style: str = SCREEN) -> str:
    """The essay with numbered marks, the comments they lead to, and the Evidence section (S1, "Citation strategy").

    pages: pictures for it, as `usecases.lit_pages.lit_pages` draws them. style: SCREEN for a browser and its printer, PAPER for
    `usecases.services.Printer`. What an essay, a book or a model says is text in it, whatever it looks like."""
    found, comments = feedback.evidence, numbered(feedback.reviews)
    return template("feedback.html").render(
        heading=f"Feedback on “{found.title}”" if found.title else "Feedback",
        style=style_sheet(style),
        paragraphs=list(_paragraphs(found, comments)),
        reviews=feedback.reviews,
        comments=comments,
        about=ABOUT,
        opening=opening,
        evidence=found.evidence,
        verdicts=feedback.verdicts,
        pages=pages,
        cite=cite,
        by_rules=BY_RULES,
    )


def feedback_pdf(feedback: Feedback, pages: LitPages, printer: Printer) -> bytes:
    """The same on paper. Raises TooLarge."""
    return printer(feedback_html(feedback, pages, PAPER))


def numbered(reviews: Sequence[Review]) -> Comments:
    """The comments of each dimension, all of them numbered from 1 in the order in which they are shown."""
    first, by_dimension = 1, {}
    for review in reviews:
        by_dimension[review.dimension] = list(enumerate(review.comments, start=first))
        first += len(review.comments)
    return by_dimension


def _paragraphs(found: EssayEvidence, comments: Comments) -> Iterator[tuple[int, list[Piece], ParagraphEvidence]]:
    """Number from 1, marked text, and what was found on it."""
    for position, one in enumerate(found.paragraphs):
        text = one.paragraph.text
        marks = [
            Mark(number, dimension, *(comment.about or (len(text), len(text))))
            for dimension, some in comments.items()
            for number, comment in some
            if comment.paragraph == position
        ]
        yield position + 1, list(pieces(text, marks)), one
