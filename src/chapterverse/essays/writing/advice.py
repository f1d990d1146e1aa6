"""Questions about what an essay lacks: what the trained reader of essays would take up at a sentence, and what rules find in a
whole essay (largest.py). What works in it: praise.py."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import prod

from chapterverse.core.ports import Signs
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import EssaySpan, Outline
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.argument import specific_in
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.largest import further_in_story, on_story, on_whole, only_begun
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import Whole, comment_at, is_dismissed, order

WANTED = 2  # questions on content: an essay with fewer is asked one that goes deeper

BARE = 0.6  # chance that a paragraph wants more: that some sentence of it does, and none works
GENERAL = 1  # names, figures and quotations of a paragraph: with more it is not general
UNKNOWN = 0.6  # chance of a sentence from which it is asked where it is from
UNANSWERED, HERE = 0.65, 0.3  # chances that some sentence of an essay wants an answer, and one at the view of others
NEAR = 2  # sentences after a view that may be its answer
WAVED = 4  # sentences after a view in which it may be waved away
MIN_ARGUED = 150  # words of an essay in which something should show that its reasons are so
MIN_PARAGRAPHS = 3  # of an essay whose paragraphs are compared

HOW = (
    "This paragraph gives its reason in general words. How or why is it so? You could explain it here, or tell of something"
    " that shows it."
)
NO_EVIDENCE = (
    "You give reasons, but nothing shows yet that they are true: no example, no figure, no source. What would convince"
    " somebody who does not think so? You could begin with this reason."
)
WHO_SAYS = "How do you know this? You could say where it comes from, so that your reader can look it up."
ANSWER = (
    "Here you name those who do not agree with you. Would your answer convince them? You could say in two or three sentences"
    " why they are wrong, or how far they are right."
)
BEST_LIKED = "Which moment do you like best? You could tell it here, so that your reader sees why you like it."

_CONCRETE = re.compile(
    r"\b(?:for (?:example|instance)|such as|once|last (?:year|week|month|summer|winter)|yesterday|(?:my|our) (?:\w+ )?(?:"
    r"brother|sister|cousin|friends?|mother|father|mum|mom|dad|grand\w+|class|school|team|town|village|neighbou?rs?))\b",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    rf"{_CONCRETE.pattern}"
    r"|\b(?:hundred|thousand|million|billion|percent|half of|out of (?:every )?(?:\d|two|three|four|five|ten)"
    r"|one (?:day|time|night)|ago|when i was|remember|stud(?:y|ies)|statistics?|surveys?|articles?|sources?|author|reports?"
    r"|research\w*|according|scientists?|experts?|(?:the|his|her|their|this|that) (?:news|text|book|story|film|movie|poem))\b"
    r"|[\"“”„]|www\.|https?:",
    re.IGNORECASE,
)
"""Words of evidence of any sort, also where it is no piece of the outline."""

_NUMBER = re.compile(r"\d[\d.,:]*|%")
_PAST = re.compile(
    r"\b(?:i|he|she|we|they|who|it|there) (?:was|were|had|did|went|got|saw|told|said|came|made|took|\w+ed)\b", re.IGNORECASE
)

_REASONED = re.compile(r"\b(?:because|since|so that|which means|that is why|therefore)\b", re.IGNORECASE)
_SCIENCE = r"(?:scientists|experts|researchers|studies|research|statistics|surveys)"
_RESEARCH = re.compile(
    rf"(?<!\bthe )(?<!\bthese )(?<!\bthose )\b{_SCIENCE} (?:(?:also|have|has|all|even|always|often) )*(?:say|show(?:s|n|ed)?"
    r"|prove[dns]?|find|found|agree|suggests?|claim|confirm(?:ed)?)\b"
    r"|\bit (?:is|has been) (?:scientifically )?prove[dn] that\b",
    re.IGNORECASE,
)
"""Words that give what research shows, and not which research."""

_NAMES_IT = re.compile(
    r"\(|https?:|www\.|\b(?:of|at|by|from|in|to) (?:the )?(?:[A-Z]|\d{4}\b|text|source|article|passage)"
    rf"|(?<=[\w,] )[A-Z]\w+ {_SCIENCE}"
)
_LIKED = re.compile(r"\bi (?:really |also )?(?:like|love|enjoy) (?:it|this|that)\b(?! when)", re.IGNORECASE)


def on_argument(look: RuleContext, outline: Outline, others: Sequence[Comment]) -> Iterator[Comment]:
    """Questions about what an essay lacks: one that argues its claim, grounds and the other side; a story what can be seen.
    others: the comments that there are; what one of them asks is not questioned again."""
    whole = Whole(look, outline)
    questioned = {(one.paragraph, one.about) for one in others}
    given = [one for one in others if one.rule.startswith("reasons.")]
    for is_deeper, questions in ((False, _questions(whole)), (True, _deeper(whole))):
        for question in questions:
            place = (question.paragraph, question.about)
            if place not in questioned and not (is_deeper and len({one.rule for one in given}) >= WANTED):
                questioned.add(place)
                given.append(question)
                yield question
    if not given and not others:
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
    """A question of each kind where the reader is sure: about the barest paragraph, where something is from, and the answer to
    the other side."""
    yield from list(_without_evidence(whole)) or _bare(whole)
    if place := _unsourced(whole):
        yield comment_at(WHO_SAYS, place, "reasons.source")
    if dismissed := _dismissed(whole):
        yield comment_at(ANSWER, dismissed, "reasons.answer")
    elif _some(its.other_side for its in whole.signs.values()) >= UNANSWERED:
        views = [place for place in whole.views if place in whole.signs and _wants_answer(whole, place)]
        if place := _likeliest(whole, views, lambda its: its.other_side):
            yield comment_at(ANSWER, place, "reasons.answer")


def _without_evidence(whole: Whole) -> Iterator[Comment]:
    """A question at the first reason of an essay in which nothing shows that it is so: no example, figure, source or name."""
    look, task = whole.look, whole.look.style.task
    text = "\n".join(sentence for sentence, _ in whole.sentences)
    is_long = look.argues and len(words_of(text)) >= MIN_ARGUED and len(look.roles) >= MIN_PARAGRAPHS
    if not is_long or whole.outline.pieces or (task and task.words_from_sources(text)):
        return
    reasons = (one.place for one in whole.outline.reasons if look.roles[one.place.paragraph] is Role.BODY)
    numbers, past = len(_NUMBER.findall(text)), len(_PAST.findall(text))
    if (place := next(reasons, None)) and numbers <= 1 and past <= 1 and not _EVIDENCE.search(text):
        yield comment_at(NO_EVIDENCE, place, "reasons.evidence")


def _unsourced(whole: Whole) -> EssaySpan | None:
    """The sentence of which the reader most surely wants to know where it is from; else the first that gives what research
    shows, without a source."""
    cited = {place for (_, place), (following, _) in pairwise(whole.sentences) if following.startswith("(")}
    likeliest = _likeliest(whole, [one for one in whole.signs if one not in cited], lambda its: its.source)
    if likeliest and whole.signs[likeliest].source >= UNKNOWN:
        return likeliest
    task = whole.look.style.task
    unnamed = (
        place
        for text, place in pausing(whole.sentences)
        if _RESEARCH.search(text) and not _NAMES_IT.search(text) and place not in cited and not (task and task.draws_on(text))
    )
    return next(unnamed, None)


def _dismissed(whole: Whole) -> EssaySpan | None:
    """The first sentence that gives the view of others, where its paragraph only waves it away."""
    for at, (text, place) in enumerate(pausing(whole.sentences if whole.look.argues else ())):
        following = [each for each, one in whole.sentences[at + 1 : at + 1 + WAVED] if one.paragraph == place.paragraph]
        if is_dismissed(text, " ".join(following)):
            return place
    return None


def _bare(whole: Whole) -> Iterator[Comment]:
    """A question at the barest sentence of the general paragraph of the middle that most surely wants more."""
    look, found = whole.look, list[tuple[float, EssaySpan]]()
    if len(look.roles) < MIN_PARAGRAPHS:
        return
    for paragraph in (at for at, role in enumerate(look.roles) if role is Role.BODY and at not in look.unread):
        places = [place for place in whole.signs if place.paragraph == paragraph]
        specific = sum(len(specific_in(whole.text(place))) for place in places)
        is_general = specific <= GENERAL and not _CONCRETE.search(look.text(paragraph))
        barest = _likeliest(whole, places, lambda its: its.develop)
        if is_general and barest and not _REASONED.search(whole.text(barest)):
            wants = _some(whole.signs[place].develop for place in places)
            works = max(whole.signs[place].works for place in places)
            found.append((wants * (1 - works), barest))
    chance, place = max(found, key=lambda one: one[0], default=(0.0, None))
    if place and chance >= BARE:
        yield comment_at(HOW, place, "reasons.develop")


def _likeliest(whole: Whole, places: Iterable[EssaySpan], sign: Callable[[Signs], float]) -> EssaySpan | None:
    """The place with the likeliest sign, the first of several; None without a place."""
    return max(places, key=lambda one: sign(whole.signs[one]), default=None)


def _wants_answer(whole: Whole, view: EssaySpan) -> bool:
    """Whether a sentence that gives the view of others, or one of the next, may want an answer."""
    later = [place for place in whole.signs if order(place) >= order(view)][: NEAR + 1]
    return _some(whole.signs[place].other_side for place in later) >= HERE


def _some(chances: Iterable[float]) -> float:
    """The chance that at least one of these is so, as if they did not depend on each other."""
    return 1 - prod(1 - each for each in chances)
