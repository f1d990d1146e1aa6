"""A review by rules, within the time there is.

What a grammar checker finds in an essay, merged into what is said already."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from chapterverse.essays.model import Comment, Dimension, Review, in_order
from chapterverse.essays.writing.expressions import EXPRESSIONS, GRAMMAR, is_english
from chapterverse.essays.writing.rules import CONTENT, FEATURES, Looking, Rules
from chapterverse.messages import Message, message

BY_DIMENSION: dict[Dimension, Rules] = {
    Dimension.CONTENT: CONTENT,
    Dimension.EXPRESSIONS: EXPRESSIONS,
    Dimension.FEATURES: FEATURES,
}

ALWAYS = 24  # paragraphs that are looked at however late it is: a whole essay, mostly, and a tenth of a second's work

NOT_ENGLISH = message("note_not_english")

NOT_ENGLISH_LOOKED_UP = message("note_not_english_searched")


def compose(dimension: Dimension, look: Looking, time_is_up: Callable[[], bool]) -> Review:
    """The comments of that dimension's rules; what there was no time for after the first ALWAYS paragraphs is said in the
    notes. What is not English is held against the books alone."""
    rules, english = BY_DIMENSION[dimension], is_english(look)
    if dimension is not Dimension.CONTENT and not english:
        return Review(dimension, (), not_checked=(*rules.checked, *rules.not_checked), notes=(NOT_ENGLISH,))
    comments: list[Comment] = []
    notes: tuple[Message, ...] = () if english else (NOT_ENGLISH_LOOKED_UP,)
    for number, some in enumerate(_in_steps(rules, look), start=1):
        if number > ALWAYS and time_is_up():
            notes = (*notes, message("note_time_up_rules", first=number))
            break
        comments.extend(some())
    return Review(dimension, in_order(comments), checked=rules.checked, not_checked=rules.not_checked, notes=notes)


def _in_steps(rules: Rules, look: Looking) -> Iterator[Callable[[], Iterator[Comment]]]:
    """A step a paragraph, then the whole."""
    for paragraph in range(len(look.subject.essay.paragraphs)):
        yield lambda paragraph=paragraph: rules.on_paragraph(look, paragraph)  # type: ignore[misc]
    yield lambda: rules.on_essay(look)


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
