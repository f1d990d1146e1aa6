"""Feedback as Markdown: what is printed, and what a program may ask for (S1, "Citation strategy")."""

from collections.abc import Iterator

from chapterverse.evidence.section import escaped
from chapterverse.feedback.comments import BY_RULES, Citation, Comment, Review
from chapterverse.usecases.essay_feedback import EssayEvidence
from chapterverse.usecases.write_feedback import Feedback

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
