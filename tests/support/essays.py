"""An essay of two paragraphs and the evidence on the first, made with only what a test cares about."""

from chapterverse.citations.model import Evidence, Relation
from chapterverse.core.hits import FoundBy, Passage, Query, QueryKind
from chapterverse.essays.evidence import EssayEvidence, by_paragraph
from chapterverse.essays.model import Comment, CommentKind, Dimension, Feedback
from chapterverse.essays.text import parse_essay
from tests.support.made import a_sentence

ESSAY = """\
# Speech

Silencing opinion robs us of truth. My uncle sings every morning.

My phone battery empties quickly after lunch, from 40 percent to none.
"""
BOOK_SAYS = "Silencing an opinion robs mankind of truth."


def evidence_on(
    paragraph: int, text: str = BOOK_SAYS, number: int = 1, key: str | None = None, relation: Relation | None = None
) -> Evidence:
    """key: the sentence of the essay that found it; the whole paragraph unless given. relation: what a model read in it."""
    query = Query(key or "the paragraph", QueryKind.KEY_SENTENCE if key else QueryKind.PARAGRAPH, paragraph)
    before, after = a_sentence("Some wish it were otherwise."), a_sentence("So much is certain.")
    passage = Passage("On Liberty", a_sentence(text), before, after, f"{before.text} {text} {after.text}")
    return Evidence(number, passage, 0.8, (FoundBy(query, 0.8),), relation)


def found_on(text: str = ESSAY, *evidence: Evidence) -> EssayEvidence:
    """The essay with evidence on the first paragraph, unless other is given."""
    essay, found = parse_essay(text), evidence or (evidence_on(0),)
    return EssayEvidence(essay.title, by_paragraph(essay, found), found)


def some_feedback(found: EssayEvidence | None = None) -> Feedback:
    """A comment that cites the evidence, a question on the second paragraph and a correction, on the essay or on another."""
    found = found or found_on()
    last = len(found.paragraphs) - 1
    cites = Comment(0, "Evidence #1 agrees with you. What follows for school?", (0, 9), evidence=(1,), number=1)
    asks = Comment(last, "How does this help?", None, Dimension.FEATURES, CommentKind.QUESTION, number=2)
    mends = Comment(0, "A small letter.", (0, 4), Dimension.EXPRESSIONS, CommentKind.CORRECTION, instead="Gagging", number=3)
    return Feedback(found, (cites, asks, mends))
