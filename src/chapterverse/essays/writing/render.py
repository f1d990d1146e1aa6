"""Feedback as Markdown: what is printed, and what a program may ask for (S1-25).

An essay's own words with marks on them: which comment is about which.

Feedback as one page that a teacher hands out: it holds all that it shows, runs nothing and asks no network."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from chapterverse.citations.model import cite
from chapterverse.citations.passages import HighlightedPages, escaped
from chapterverse.essays.model import BY_RULES, Citation, Comment, Dimension, EssayEvidence, Feedback, ParagraphEvidence, Review
from chapterverse.library.services import Printer
from chapterverse.templates import style_sheet, template

OPENING = 8  # words, enough to know a paragraph by

LONGEST = 100  # characters of them


def feedback_markdown(feedback: Feedback, *, numbers: bool = False) -> str:
    """Title, one heading a dimension, the Evidence section. What looks like mark-up in an essay or a book is escaped. numbers:
    before each comment the part and the number that a teacher marks it by."""
    found = feedback.evidence
    reviews = ("\n".join(on_dimension(review, found, numbers=numbers)) for review in feedback.reviews)
    parts = [heading(found), *reviews, feedback.section]
    return "\n\n".join(part for part in parts if part)


def heading(found: EssayEvidence) -> str:
    """The first line."""
    return f"# Feedback on “{escaped(found.title)}”" if found.title else "# Feedback"


def on_dimension(review: Review, found: EssayEvidence, *, numbers: bool = False) -> Iterator[str]:
    """A list of comments, then what was looked at and what was not."""
    yield f"## {review.dimension.capitalize()}"
    yield ""
    for comment in review.comments:
        item = f"{review.dimension} {comment.number} · " if numbers else ""
        yield f"- {item}{where(comment, found)}: {escaped(comment.text)}{_instead(comment)}"
        yield from (f"  - {_cited(citation)}" for citation in comment.citations)
    if not review.comments and not review.notes:
        yield "- Nothing stood out."
    yield ""
    yield from (f"{escaped(str(note))}  " for note in review.notes)
    if review.checked:
        yield f"Checked{'' if review.by == BY_RULES else f' by {escaped(review.by)}'}: {escaped('; '.join(review.checked))}.  "
    yield f"Not checked: {escaped('; '.join(review.not_checked))}."


def where(comment: Comment, found: EssayEvidence) -> str:
    """The paragraph, and the words it is about or how it begins."""
    if comment.paragraph is None:
        return "**The whole essay**"
    words = opening(comment, found.paragraphs[comment.paragraph].paragraph.text)
    return f"**Paragraph {comment.paragraph + 1}** (“{escaped(words)}”)"


def opening(comment: Comment, paragraph: str) -> str:
    """The words that a comment is about, or how its paragraph begins."""
    words = (paragraph[slice(*comment.about)] if comment.about else paragraph).split()
    shown = " ".join(words[:OPENING])[:LONGEST]
    return shown if shown == " ".join(words) else f"{shown} …"


def _instead(comment: Comment) -> str:
    return f" Perhaps: **{escaped(comment.instead)}**" if comment.instead else ""


def _cited(citation: Citation) -> str:
    """S1's own words: "… (**Evidence #1**)"."""
    book = escaped(citation.evidence.passage.book_title)
    return f"*{book}*: “{escaped(citation.quote)}” (**Evidence #{citation.evidence.number}**)"


@dataclass(frozen=True, slots=True)
class Mark:
    """Comment #number on a dimension, about the characters [start, end) of a paragraph."""

    number: int
    dimension: Dimension
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a paragraph's text. dimension: of the mark on it, None without one; ends: numbers of the marks that end here."""

    text: str
    dimension: Dimension | None = None
    ends: tuple[int, ...] = ()


def pieces(text: str, marks: Sequence[Mark]) -> Iterator[Piece]:
    """The text, parted where marks begin or end, so that they may overlap; of two on the same words the shorter one shows."""
    edges = sorted({0, len(text), *(edge for mark in marks for edge in (mark.start, mark.end))})
    for start, end in pairwise(edges):
        on_it = [mark for mark in marks if mark.start <= start and end <= mark.end]
        shown = min(on_it, key=lambda mark: mark.end - mark.start).dimension if on_it else None
        yield Piece(text[start:end], shown, tuple(mark.number for mark in marks if mark.end == end))


SCREEN, PAPER = "screen.css", "print.css"

NO_PAGES: HighlightedPages = MappingProxyType({})

ABOUT = {
    Dimension.CONTENT: "What you say, and what your books say about it.",
    Dimension.EXPRESSIONS: "How you say it: spelling, words and sentences.",
    Dimension.FEATURES: "Whether it has the form of an essay, and sounds like one.",
}

Comments = Mapping[Dimension, Sequence[tuple[int, Comment]]]


def feedback_html(feedback: Feedback, pages: HighlightedPages = NO_PAGES, style: str = SCREEN) -> str:
    """The essay with numbered marks, the comments they lead to, and the Evidence section (S1-25).

    pages: pictures for it, drawn by citations.passages. style: SCREEN for a browser and its printer, PAPER for
    `library.services.Printer`. What an essay, a book or a model says is text in it, whatever it looks like."""
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


def feedback_pdf(feedback: Feedback, pages: HighlightedPages, printer: Printer) -> bytes:
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
