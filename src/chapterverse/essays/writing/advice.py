"""Comments made from the outline of an essay's argument: questions about what it lacks. What works in it: praise.py."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from chapterverse.citations.quotations import quotations
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import EssaySpan, Outline, Reason
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.largest import further_in_story, on_story, on_whole, only_begun
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import REPLY, Whole, comment_at, view_in

MIN_WITH_EXAMPLE = 40  # words of an essay that has room for an example
FEW_PIECES = 1  # of evidence in an essay that is asked for another one
BARE = 40  # words of a reason with what follows it: if others have evidence, only so short a one is asked for some
LONG_REASON = 45  # words of a sentence: what is longer is no clear reason
WANTED = 2  # questions on content: an essay with fewer is asked one that goes deeper
MIN_LIMITS = 150  # words of an essay that can name where its claim does not hold
OFTEN_NAMED = 3  # times that an essay names the author whom it is about
MAX_SWEEPING = 30  # words of a clear sentence about all of them

WHO_SAYS = "Who found this out? You could name them here, so that your reader can look it up."
EFFECT = "What shows that this would happen? You could name a place or a time where it did."
SHOW = "Have you seen or read about something that shows this? You could add it as an example after this sentence."

ANSWER = "You name the other side here. What would you answer? You could add it after this sentence."
OWN_WORDS = (
    "You tell this in words of your own. Which words of the author show it best? You could quote them here, with the page."
)
BEST_LIKED = "Which moment do you like best? You could tell it here, so that your reader sees why you like it."
_LIVED = re.compile(r"\b(?:i|my|we|our)\b", re.IGNORECASE)
_ADDED = re.compile(r"\W*(?:and |also\b|moreover\b|besides\b|in addition\b|furthermore\b)", re.IGNORECASE)
_NUMBER_WORDS = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?"
_TELL = (
    r"(?:says?|said|shows?|showed|shown|proves?|proved|proven|found|finds?|tells?|states?|claims?|thinks?|agrees?|believes?)"
)
_BACKED = re.compile(
    rf"(?i:\b(?:{_NUMBER_WORDS}|doctors?|experts?|scientists?|science|for (?:example|instance)|e\.g|such as|like when"
    r"|(?-i:I) (?!think|believe|feel|agree)|one (?:time|day)|once|last \w+|when (?:i|my|we)|yesterday|ago"
    r"|according|article|passage|author|source|stud(?:y|ies)|research|survey|states|statistics?|data|percent"
    r"|(?:my|our) (?:\w+ ){0,2}(?:cousin|friend|sister|brother|mother|mom|mum|father|dad|aunt|uncle|teacher|school|town|class"
    r"|family|grand\w+|parents|neighbou?rs?|house|team))\b)|\d|[“”\"]|(?<=[a-z,] )(?!I\b)[A-Z]\w+",
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|do|does|did|may|might|should|must|makes?|causes?|gives?|takes?|gets?"
    r"|helps?|needs?|keeps?|leads?|means?)\b|n['’]t\b",
    re.IGNORECASE,
)
_DEMANDS = re.compile(
    r"\b(?:should(?:n['’]?t)?|ought to)\b|\bas (?:i |already )?(?:stated|mentioned|said)\b|\bexamples? of\b", re.IGNORECASE
)
_DEFINES = re.compile(  # what a word means, or what was said before: no example shows it
    r"\b(?:is|are|means?) (?:when|where|called|defined)\b|\b(?:is|are) (?:an?|the) (?:\w+ ){1,3}(?:that|which|who)\b"
    r"|\bit is (?:\w+ )?(?:evident|clear|obvious)\b|\b(?:in conclusion|all in all|best way)\b",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:they|people|some|others|who|drivers|you) (?:\w+ )?(?:think|say|believe|argue|feel)\b", re.IGNORECASE
)
_ANSWERS = re.compile(r"\b(?:but|however|still|yet|nevertheless|even so|although|though)\b", re.IGNORECASE)
_REPLIES = re.compile(
    rf"{_ANSWERS.pattern}|\b(?:not|never|wrong|false|instead|in fact|actually|better|only|while|yes|no|i disagree)\b|n['’]t\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    rf"\b(?:(?:(?:the|some|many|most|even) )?(?:doctors|scientists|experts|researchers|psychologists)|studies|surveys"
    rf"|statistics|research(?:es)?|science|(?:a|one|some|another|recent|new) (?:\w+ )?(?:study|survey|poll))\b"
    rf"(?: (?:from|in|of) \w+){{0,2}} (?:has |have |also |even |all |now |already ){{0,2}}{_TELL}\b"
    r"|\baccording to (?:the |some |many |a |one |recent |new |several )*(?:research(?:es)?|studies|study|scientists|experts"
    r"|doctors|statistics|surveys?)\b(?! (?:by|of|from|at))|\b(?:it is|it['’]s|it has been) (?:scientifically )?prove[dn]\b"
    r"|\b(?:stud(?:y|ies)|surveys|research) (?:of|on|about) (?:\w+ ){1,3}(?:make|show|prove|suggest|find|say)s?\b"
    r"|, it is said,|\bit(?: is|['’]s) (?:often )?said that\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:by|of|at) (?:the )?[A-Z]|\b[A-Z]\w+ (?:[A-Z]\w+|et al)|\b[A-Z]{2,}\b|[“\"]|\(|https?:")
_WITNESSED = re.compile(r"\b(?:my|our|i|for (?:example|instance)|according|stud(?:y|ies)|source|article)\b", re.IGNORECASE)
_MEASURED = r"(?:grades?|scores?|stress|bullying|crime|accidents|pollution|attendance|health)"
_CHANGES = r"(?:go(?:es)? (?:up|down)|rise|fall|drop|improve|increase|decrease|get (?:better|worse))"
_EFFECT = re.compile(
    rf"\b{_MEASURED} (?:will|would) (?:\w+ )?{_CHANGES}\b"
    rf"|\b(?:will|would) (?:\w+ )?(?:get|have|earn|improve|raise|reduce|lower)"
    rf" (?:better |higher |lower |worse |less |their |our ){_MEASURED}\b",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b((?!He\b|She\b|It\b|They\b|We\b|You\b|This\b|That\b|Who\b|And\b|But\b|The\b)[A-Z][a-z]+) (?:also |then |never |\w+ly )?"
    r"(?:says|said|writes|wrote|argues|argued|claims|claimed|thinks|thought|believes|believed|assumes|assumed|explains|describes)"
    r" (?:that|how|why)\b"
)
_LIKED = re.compile(r"\bi (?:really |also )?(?:like|love|enjoy) (?:it|this|that)\b(?! when)", re.IGNORECASE)


def on_argument(look: RuleContext, outline: Outline, others: Sequence[Comment]) -> Iterator[Comment]:
    """Questions about what an essay lacks: one that argues its claim, evidence for a reason, and the other side; a story what
    can be seen. others: the comments that there are; what one of them asks is not questioned again."""
    whole = Whole(look, outline)
    questioned = {(one.paragraph, one.about) for one in others}
    asked = [one for one in others if one.rule.startswith("reasons.")]
    for is_deeper, questions in ((False, _questions(whole, others)), (True, _deeper(whole))):
        for question in questions:
            place = (question.paragraph, question.about)
            if place not in questioned and not (is_deeper and len({one.rule for one in asked}) >= WANTED):
                questioned.add(place)
                asked.append(question)
                yield question
    if not asked and not others:
        yield from only_begun(whole)


def _questions(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    look = whole.look
    if look.genre is Genre.NARRATIVE:
        yield from on_story(whole)
        return
    yield from on_whole(whole)
    yield from _unnamed(whole)
    yield from _supposed(whole)
    if look.argues:
        yield from _without_evidence(whole, others)
        yield from _unanswered(whole)


def _deeper(whole: Whole) -> Iterator[Comment]:
    """What a teacher asks of an essay that lacks little, the most telling first."""
    look = whole.look
    if look.genre is Genre.NARRATIVE:
        yield from further_in_story(whole)
        return
    if look.argues:
        yield from _unquoted(whole)
    yield from (comment_at(BEST_LIKED, one, "reasons.liked") for text, one in whole.sentences[-2:] if _LIKED.search(text))


def _unquoted(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that says in other words what the author says whom an essay is about, in a
    paragraph without a quotation."""
    look, text = whole.look, " ".join(text for text, _ in whole.sentences)
    named = {each for each in _SAYS.findall(text) if len(re.findall(rf"\b{each}\b", text)) >= OFTEN_NAMED}
    if not named or look.genre is Genre.LETTER or sum(look.lengths) < MIN_LIMITS:
        return
    told = (
        one
        for text, one in whole.sentences
        if any(each in named for each in _SAYS.findall(text)) and one not in whole.views
        if look.roles[one.paragraph] is Role.BODY and not any(quotations(look.text(one.paragraph)))
    )
    yield from (comment_at(OWN_WORDS, one, "reasons.words") for one in islice(told, 1))


def _unnamed(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that leans on research or experts without a name."""
    if whole.look.genre is Genre.SOURCE_BASED:
        return
    vague = (
        one for text, one in pausing(whole.sentences) if _VAGUE.search(text) and not _NAMED.search(f"{text} {whole.after(one)}")
    )
    yield from (comment_at(WHO_SAYS, one, "reasons.who") for one in islice(vague, 1) if one not in whole.views)


def _supposed(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that tells what would come of it, where nothing near shows it."""
    found = (one for text, one in pausing(whole.sentences) if _EFFECT.search(text) and one not in whole.views)
    found = (one for one in found if not _LIVED.search(whole.text(one)) and len(words_of(whole.text(one))) <= MAX_SWEEPING)
    unshown = (one for one in found if not (_BACKED.search(whole.text(one)) or _WITNESSED.search(whole.after(one))))
    yield from (comment_at(EFFECT, one, "reasons.effect") for one in islice(unshown, 1))


def _unanswered(whole: Whole) -> Iterator[Comment]:
    """A question beside the other side, if nothing after it in its paragraph, nor the next sentence, sounds like an answer."""
    counter = whole.outline.counter
    if counter is None or not view_in(whole.text(counter)):
        return
    rest = whole.look.text(counter.paragraph)[counter.start :]
    last = EssaySpan(counter.paragraph, counter.start + len(rest) - 1, counter.start + len(rest))
    if not _REPLIES.search(f"{rest} {whole.after(last)}"):
        yield comment_at(ANSWER, counter, "reasons.answer")


def _without_evidence(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    """A question beside the barest reason in the middle of an argumentative essay with nothing behind it."""
    look, outline = whole.look, whole.outline
    if look.genre is not Genre.ARGUMENTATIVE or sum(look.lengths) < MIN_WITH_EXAMPLE:
        return
    questioned = {one.paragraph for one in others if one.rule == "reasons.why"}
    with_view = {place.paragraph for place in whole.views}
    bare = [
        one
        for one in outline.reasons
        if not one.pieces and one.place.paragraph not in questioned | with_view and _is_own(whole.text(one.place))
        if look.roles[one.place.paragraph] is Role.BODY and _opens(whole, one) and not _DEFINES.search(whole.text(one.place))
        if not _BACKED.search(f"{whole.block(one)} {whole.after(one.place)}")
        if len(outline.pieces) <= FEW_PIECES or len(words_of(whole.block(one))) <= BARE
    ]
    bare.sort(key=lambda one: len(words_of(whole.block(one))))
    yield from (comment_at(SHOW, one.place, "reasons.example") for one in bare[:1])


def _opens(whole: Whole, reason: Reason) -> bool:
    """Whether the reason is the point of its paragraph, and not one that is added to it."""
    first = next((one for _, one in whole.sentences if one.paragraph == reason.place.paragraph), None)
    return first == reason.place or not _ADDED.match(whole.text(reason.place))


def _is_own(text: str) -> bool:
    """Whether it is the student's own thought, one that an example can show, and short enough to be a clear one."""
    own = (
        bool(_VERB.search(text))
        and not REPLY.match(text)
        and not _OF_OTHERS.search(text)
        and len(words_of(text)) <= LONG_REASON
    )
    return own and not _DEMANDS.search(text)
