"""A review by rules, within the time there is."""

from collections.abc import Callable, Iterator

from chapterverse.feedback.comments import Comment, Dimension, Review, in_order
from chapterverse.feedback.rules.content import CONTENT
from chapterverse.feedback.rules.expressions import EXPRESSIONS
from chapterverse.feedback.rules.features import FEATURES
from chapterverse.feedback.rules.rule import Looking, Rules
from chapterverse.feedback.rules.spelling import is_english
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
