"""What a grammar checker finds in an essay, merged into what is said already."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from chapterverse.feedback.comments import Comment, Dimension, Review, in_order
from chapterverse.feedback.rules.expressions import GRAMMAR
from chapterverse.messages import message

MOST = 4  # of one paragraph and dimension
PROOFREAD = {Dimension.EXPRESSIONS: "grammar, by LanguageTool", Dimension.FEATURES: "style, by LanguageTool"}
OVERLOOKED = "mistakes that LanguageTool overlooks: it knows patterns, and does not understand"
FAILED = message("note_no_proof")


@dataclass(frozen=True, slots=True)
class Mistake:
    """paragraph: from 0; start, end: characters of its text; instead: what to write there, None where that is not known."""

    paragraph: int
    start: int
    end: int
    text: str
    instead: str | None
    dimension: Dimension


Proofreader = Callable[[Sequence[str], float], list[Mistake]]
"""The mistakes in some paragraphs, within so many seconds. Raises ProofreaderUnavailable."""


@dataclass(frozen=True, slots=True)
class Proof:
    """failed: the grammar checker was asked and did not answer."""

    mistakes: tuple[Mistake, ...] = ()
    failed: bool = False


def with_proof(review: Review, proof: Proof | None) -> Review:
    """The review with the mistakes that belong to its dimension; None where there is no grammar checker."""
    if proof is None or review.dimension not in PROOFREAD:
        return review
    if proof.failed:
        return replace(review, notes=(*review.notes, FAILED)) if review.dimension is Dimension.EXPRESSIONS else review
    return replace(
        review,
        comments=in_order((*review.comments, *_unsaid(review, proof.mistakes))),
        checked=(*review.checked, PROOFREAD[review.dimension]),
        not_checked=tuple(OVERLOOKED if one == GRAMMAR else one for one in review.not_checked),
    )


def _unsaid(review: Review, mistakes: Sequence[Mistake]) -> Iterator[Comment]:
    """MOST a paragraph, without those on words that are corrected already."""
    told: Counter[int] = Counter()
    for each in mistakes:
        if each.dimension is review.dimension and told[each.paragraph] < MOST and not _is_said(each, review.comments):
            told[each.paragraph] += 1
            yield Comment(each.paragraph, each.text, (each.start, each.end), instead=each.instead)


def _is_said(mistake: Mistake, comments: Sequence[Comment]) -> bool:
    """A comment on a sentence says nothing of its grammar; one with a correction, or on just these words, does."""
    on_it = (one for one in comments if one.paragraph == mistake.paragraph and one.about)
    return any(
        one.about == (mistake.start, mistake.end)
        or (one.instead is not None and one.about[0] < mistake.end and mistake.start < one.about[1])
        for one in on_it
        if one.about
    )
