"""Questions about what an essay lacks: what the trained reader of essays would take up at a sentence, and what rules find in a
whole essay (largest.py). What works in it: praise.py."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chapterverse.core.ports import Signs
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import EssaySpan, Outline
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.largest import further_in_story, on_story, on_whole, only_begun
from chapterverse.essays.writing.rules import RuleContext, last_words
from chapterverse.essays.writing.whole import Whole, comment_at, view_in

WANTED = 2  # questions on content: an essay with fewer is asked one that goes deeper
MIN_ASKED = 5  # words of a sentence that a question is asked about

HOW = "How does that happen? You could explain it step by step here, or tell of one time when it did."
WHY = "Why is that so? You could give your reason here, or something that you have seen or read that shows it."
SHOWS = "What does this show? After “{words}” you could say in your own words how it helps your point."
WHENCE = "Where does this figure come from? You could name the source, so that your reader can look it up."
WHO_SAYS = "How do you know this? You could say who found it out, or where you read it."
ANSWER = "You name the other side here. What would you answer? You could add it after this sentence."
OTHERS = "Who would not agree, and what would they say? You could name it here, and answer it."
AGAIN = "You have said this before. What could you add to it here? You could go a step further, or leave it out."
ENDS_AGAIN = "Your ending says again what you have said. What should your reader think or do now? You could add that here."
WHAT_EXACTLY = "What exactly do you mean? You could say it so that your reader can picture it: who does what, and when?"
BEST_LIKED = "Which moment do you like best? You could tell it here, so that your reader sees why you like it."

_CAUSES = re.compile(
    r"\b(?:help|make|cause|lead|improve|affect|increase|reduce|decrease|destroy|save|waste|damage|hurt|teach|bring|create|prevent"
    r"|develop|keep|allow|give|become|get|learn|happen)(?:s|ing|d|ed)?\b|\b(?:will|would|can|could)\b",
    re.IGNORECASE,
)
_LIKED = re.compile(r"\bi (?:really |also )?(?:like|love|enjoy) (?:it|this|that)\b(?! when)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked where the reader is sure enough. sign: what it noticed; threshold: the chance from which; most: times in
    an essay; text: of a sentence of the essay, at its place."""

    sign: Callable[[Signs], float]
    threshold: float
    most: int
    text: Callable[[Whole, EssaySpan], str]
    rule: str


def _develop(whole: Whole, place: EssaySpan) -> str:
    return HOW if _CAUSES.search(whole.text(place)) else WHY


def _source(whole: Whole, place: EssaySpan) -> str:
    return WHENCE if any(character.isdigit() for character in whole.text(place)) else WHO_SAYS


def _other_side(whole: Whole, place: EssaySpan) -> str:
    return ANSWER if place == whole.outline.counter or view_in(whole.text(place)) else OTHERS


def _again(whole: Whole, place: EssaySpan) -> str:
    return ENDS_AGAIN if whole.look.roles[place.paragraph] is Role.ENDING else AGAIN


NOTICED = (
    Question(lambda its: its.develop, 0.5, 2, _develop, "reasons.develop"),
    Question(
        lambda its: its.explain, 0.5, 1, lambda whole, at: SHOWS.format(words=last_words(whole.text(at))), "reasons.shows"
    ),
    Question(lambda its: its.source, 0.5, 2, _source, "reasons.source"),
    Question(lambda its: its.other_side, 0.5, 1, _other_side, "reasons.answer"),
    Question(lambda its: its.repeats, 0.5, 1, _again, "structure.repeats"),
    Question(lambda its: its.vague, 0.5, 1, lambda *_: WHAT_EXACTLY, "reasons.vague"),
)


def on_argument(look: RuleContext, outline: Outline, others: Sequence[Comment]) -> Iterator[Comment]:
    """Questions about what an essay lacks: one that argues its claim, grounds and the other side; a story what can be seen.
    others: the comments that there are; what one of them asks is not questioned again."""
    whole = Whole(look, outline)
    questioned = {(one.paragraph, one.about) for one in others}
    asked = [one for one in others if one.rule.startswith("reasons.")]
    for is_deeper, questions in ((False, _questions(whole)), (True, _deeper(whole))):
        for question in questions:
            place = (question.paragraph, question.about)
            if place not in questioned and not (is_deeper and len({one.rule for one in asked}) >= WANTED):
                questioned.add(place)
                asked.append(question)
                yield question
    if not asked and not others:
        yield from only_begun(whole)


def _questions(whole: Whole) -> Iterator[Comment]:
    if whole.look.genre is Genre.NARRATIVE:
        yield from on_story(whole)
    else:
        yield from on_whole(whole)
        yield from _noticed(whole)


def _deeper(whole: Whole) -> Iterator[Comment]:
    """What a teacher asks of an essay that lacks little, the most telling first."""
    if whole.look.genre is Genre.NARRATIVE:
        yield from further_in_story(whole)
    else:
        yield from (comment_at(BEST_LIKED, one, "reasons.liked") for text, one in whole.sentences[-2:] if _LIKED.search(text))


def _noticed(whole: Whole) -> Iterator[Comment]:
    """What the reader noticed, of each kind the surest first, and one question for a sentence."""
    asked: set[EssaySpan] = set()
    for question in NOTICED:
        sure = [
            (question.sign(signs), place)
            for place, signs in pausing(whole.signs.items())
            if question.sign(signs) >= question.threshold and place not in asked
        ]
        sure.sort(key=lambda one: -one[0])
        for _, place in sure[: question.most]:
            asked.add(place)
            yield comment_at(question.text(whole, place), place, question.rule)
