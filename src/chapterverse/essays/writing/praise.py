"""Comments on what works in an essay: true of it, and said of the very words that show it."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from chapterverse.citations.quotations import quotations
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment, Review, Tone, in_order
from chapterverse.essays.outline import EssaySpan, Outline, PieceKind
from chapterverse.essays.task import Genre, content_stems
from chapterverse.essays.writing.advice import LONG_REASON
from chapterverse.essays.writing.argument import specific_in
from chapterverse.essays.writing.genre import SIDE, STANCE, Role
from chapterverse.essays.writing.relevance import UNRELATED
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.slips import slips_in
from chapterverse.essays.writing.whole import PROPOSING, REPLY, TORN, Whole, comment_at, order, turn_in, turns_against_a_view

_BECAUSE = re.compile(r"(?<!not )(?<!just )(?<!only )\bbecause (?!of\b)", re.IGNORECASE)
_TELLS = (
    r"(?:states?|stated|writes?|wrote|says?|said|shows?|showed|found|finds|reports?|explains?|explained|describes?|claims?"
    r"|argues?)"
)
_NO_NAME = (
    r"(?:Having|That|Th[ei]\w*|We|He|She|It|Some|People|Many|Most|Others?|Every\w*|Research|Stud\w+|Scientists|Experts|I|You|My"
    r"|\w+s (?:say|argue|claim|write|show|state|explain)"
    r"|One|Who|Which|What|And|But)\b"
)
_NAMED_SOURCE = re.compile(
    r"\b[Aa]ccording to (?:the |an? |his |her )?(?:[a-z]+ ){0,3}?(?:[“\"]|[A-Z]\w+)"
    rf"|\b(?:[Ss]ource|[Pp]aragraph) \d[^.!?]{{0,80}}\b{_TELLS}\b"
    r"|\b(?:article|book|essay|text|report|study|survey|poll|passage|author|scientist|researcher)s?\b,? "
    rf"(?:\w+ ){{0,3}}?[“\"]?[A-Z]\w+[^.!?]{{0,80}}\b{_TELLS}\b"
    rf"|\A[Ii]n (?:(?:the|his|her) \w+,? )?[“\"][A-Z][^“”\"]{{1,200}}[”\"],? [^.!?]{{0,200}}\b{_TELLS}\b"
    rf"|\b[Ii]n (?:[A-Z]\w+ )(?:(?:[A-Z]\w+|of|the|and) ){{0,5}}(?:he|she|they|[A-Z]\w+) (?:\w+ )?{_TELLS}\b"
    rf"|\b(?!{_NO_NAME})[A-Z]\w+(?: [A-Z]\w+){{0,4}} (?:\w+ly )?{_TELLS}:? (?:that\b|in\b|[“\"])"
    r"|\b[Aa]ccording to (?:the|your|our) (?:\w+['’]s? )?(?:own )?(?:report|survey|records|minutes)\b"
    r"|\b[Ii]n (?:the \w+ )?chapter(?: [IVXLC\d]+| of)\b"
    r"|\((?:[A-Z][\w.]*[ ,]+){1,6}\d[^)]{0,60}\)"
)
_GIVEN_SOURCE = re.compile(rf"\b(?:the|this) (?:article|text|passage|author|source)s? (?:also )?{_TELLS}\b", re.IGNORECASE)
_TERM = re.compile(
    r"\b(?:is|are) (?:also )?(?:called|known as)\b"
    r"|\bis (?:the|a|an) (?:\w+ )?(?:process|method|system|study|science|practice)"
    r" (?:of|by|that|in|where|which)\b|\bis the way in which\b",
    re.IGNORECASE,
)
_SPEECH = re.compile(
    r"[“\"][^“”\"]{1,300}[”\"],? (?:\w+ ){0,2}(?:said|asked|told|shouted|whispered|yelled|cried|answered|replied|laughed)\b"
    r"|\b(?:said|asked|told|shouted|whispered|yelled|cried|answered|replied)\b[^.!?“\"]{0,30}[“\"]"
)
_JUDGED = re.compile(
    r"\b(?:is|are) (?:not |never )?(?:\w+ )?"
    r"(?:dangerous|harmful|important|cruel|(?:a|the|no) (?:\w+ )?(?:solution|answer|way|reason))\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\W*(?:for (?:example|instance),? )?(?:if|when|imagine|say|suppose) (?:you|we|someone|somebody|one)\b", re.IGNORECASE
)
_DOUBTFUL = re.compile(r"\?|\b(?:whether|should or)\b")

_SHOWS = re.compile(
    r"\A\W*(?:this|that|it|these|so|in other words|he|she) (?:\w+ )?(?:shows?|proves?|means?|tells|suggests?|explains)\b"
    r"|\A\W*in other words\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:he|she|the (?:author|writer|article|text)|[A-Z]\w+) (?:\w+ )?(?:adds|says|writes|argues|claims|thinks|believes"
    r"|explains|states)\b"
)
_IMAGE = re.compile(
    r"\b(?:is|are|was|were|becomes?|feels?|felt|looks?|looked|screams?|screamed|runs?|ran) (?:just |almost |a bit |a little )?"
    r"(?:(?:as )?(?:small|big|loud|quiet|cold|hot|white|black|red|empty|hard|soft|fast|slow) )?like"
    r" (?:a|an|the|someone|somebody) \w",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:\w{3,}ed|was|were|had|did(?:n['’]?t)?|went|came|said|saw|got|took|told|found|made|gave|lost|won|began|ate)\b"
)
_ONCE = re.compile(
    r"\A\W*(?:last (?:year|week|summer|winter|month)|(?:two|three|four|five|some|\d) (?:years|weeks|months|days) ago"
    r"|yesterday,? |one (?:day"
    r"|time|year)|once (?:i|we|my|when)|when i was)\b",
    re.IGNORECASE,
)
_OF_KIN = re.compile(
    r"\b(?:my|our) (?:\w+ ){0,1}(?:brother|sister|cousin|friend|mother|father|mom|mum|dad|neighbou?r|grand\w+|aunt|uncle"
    r"|teacher|class|team)\b(?! (?:says?|thinks?|would|should|could)\b)",
    re.IGNORECASE,
)
_FOR_EXAMPLE = re.compile(r"\b(?:for (?:example|instance)|such as)\b", re.IGNORECASE)
_SENSED = re.compile(
    r"\b(?:hear|heard|smell\w*|tast(?:e|ed)|cold|warm|wet|dark|bright|loud\w*|silen\w+|whisper\w*|shout\w*|scream\w*|breath\w*"
    r"|shak\w+|trembl\w+|soft|bitter|howl\w*|bark\w*|squeez\w*|tears|smile[ds]?|dust\w*|shadow\w*|blink\w*|crackl\w*|drip\w*)\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"\A(?:then|next|after \w+|before (?:that|this|the)|in the (?:morning|evening|end)|finally|at the end)\b[^”\"]*\Z",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|we|my|our|me|us)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\d.,:])\d[\d.,:]*\d|\d")
_COUNTS = re.compile(
    r"\b(?:which means|that means|that (?:is|would be|makes)|which is (?:only |about )?\d|leaves only)\b", re.IGNORECASE
)
_BROKEN = re.compile(r"\bis because\b|\bi (?:write|am writing)\b", re.IGNORECASE)
_BY_TEXT = re.compile(rf"\b(?:[Tt]ext|[Ss]ource|[Aa]rticle) [A-Z\d]\b[^.!?]{{0,30}}\b{_TELLS}\b")
_TITLED = re.compile(r"(?<!\w)[A-Z]\w+(?:(?: (?:of|the|on|and|for))? [A-Z]\w+)*")
_POINT = re.compile(
    r"\W*(?:first|second|third|to begin|to start|another|one (?:\w+ )?(?:reason|advantage|thing)"
    r"|the (?:\w+ )?(?:first|second|third|last|next|main|other|final) "
    r"|finally|next|also|moreover|furthermore|in addition|besides|last)",
    re.IGNORECASE,
)
_AROUND = re.compile(r"\bin (?:my|our) (?:class|school|town|village|family|team|street)\b", re.IGNORECASE)
_ONLY_IF = re.compile(r"\bif (?:i|we) (?:was|were|had)\b", re.IGNORECASE)
_IN_YEAR = re.compile(r"\b[Ii]n (?:the )?1\d{3}\b")
_PER_NUMBER = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|half an)"
    r" (?:minutes?|hours?|days|weeks|months|years|times|euros|dollars|pounds|boys|girls|people|students|pupils|kids"
    r"|miles|kilomet\w+|met(?:er|re)s|pages|lessons|classes)\b"
)
_FRIEND = re.compile(r"\b[Mm]y (?:\w+ ){1,2}[A-Z]\w+ ")  # nobody can look up what a friend says
_OF_WRITER = re.compile(r"\b(?:my name is|i am called|i live in)\b", re.IGNORECASE)
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|\w+ber\Z", re.IGNORECASE
)

OTHER_SIDE_NAMED = "You name what others think, and you answer it. That makes your own point stronger."
WITH_ANSWER = "You say what others think, and answer it: “{words}” So a reader who disagrees is taken seriously, too."
EXPLAINED = "You give what your source says, and then say what it shows. So your reader sees why it is there."
LIVED = "You tell of something that really happened. That convinces more than a general sentence."
LIVED_EXACTLY = (
    "You tell of something that really happened, with details: {words}. That convinces more than a general sentence."
)
SEEN = "You tell what you see around you. That convinces more than a general sentence."
EXAMPLE_GIVEN = "You give an example here. It helps your reader to see what you mean."
COUNTED = "You count it out: {words}. So your reader can check it, and see that you are right."
IMAGE = "You compare it with something that everybody knows. So your reader can see what you mean."
PROPOSED = "You do not only say what is wrong: here you say what could be done. So your reader can act on it."
REASON_GIVEN = "You give a reason here: “{words}”. That is what can win a reader over."
SOURCE_NAMED = "You say where this comes from. So your reader can look it up."
NAMED_AS = "You say where this comes from: {words}. So your reader can look it up."
OPINION_GIVEN = "Here you say plainly what you think. So your reader knows what all the rest is for."
ORDER = "Each of your points has a paragraph of its own, and stands first in it. So your reader can follow you."
TERM_EXPLAINED = "You tell what this word means. So your reader can follow."
STEPS = "You go step by step. So your reader can follow you from one to the next."
SPEECH = "You let people speak. So your reader is there with you."
SENSED = "Your reader can see, hear or feel this: {words}. So the moment comes alive."
DETAIL = "You are exact here: {words}. Details like these let your reader see what you mean."
BEGINS = "Here you get to your subject. So your reader knows what the text is about."

_GOES_WITH_PRAISE = frozenset(
    {"task.source", "reasons.wider", "reasons.other_side", "reasons.limits", "reasons.grounds", "reasons.practice"}
)
"""Questions about a sentence that may work well all the same."""

LONG_TEXT = 250  # words of an essay that has room for MAX_WORKS comments on what works; others have one
MAX_WORKS = 2
NEXT = 3  # sentences after a view, one of which may answer it
MIN_WORKING, MAX_WORKING = 6, 45  # words of a sentence that is praised
MIN_COUNTED = 2  # paragraphs that begin with a point
MIN_EXAMPLE = 8  # words of an example that says enough
MIN_ANSWER = 8  # words of a strong answer to the other side
AFTER_NAME = 40  # characters in which the name of a source may go on
MAX_QUOTED, MAX_NAMED = 16, 3  # words of the essay, and names and numbers, in a comment
MIN_DETAILS = 2  # names and numbers in a sentence that is exact
MIN_STEPS = 2  # sentences that begin with a step
OFTEN = 3  # sentences with a word that says what an essay is about


def with_works(review: Review, look: RuleContext, outline: Outline) -> Review:
    """The review with what works in the essay, if the tone is KIND; anywhere else it is nobody's dimension."""
    if look.style.tone is not Tone.KIND:
        return review
    most = MAX_WORKS if sum(look.lengths) >= LONG_TEXT else 1
    doubted = {one.paragraph for one in review.comments if one.rule == "reasons.briefly"}
    unrelated = {one.paragraph for one in review.comments if one.rule == UNRELATED}
    questioned = {(one.paragraph, one.about) for one in review.comments if one.rule not in _GOES_WITH_PRAISE}
    works = (one for one in _works(Whole(look, outline), questioned) if one.paragraph not in unrelated)
    found = islice((one for one in works if not _is_doubted(one, doubted)), most)
    return replace(review, comments=in_order((*review.comments, *found)))


def _is_doubted(comment: Comment, doubted: Collection[int | None]) -> bool:
    """Whether it praises an answer to the other side that another comment finds too short."""
    return comment.rule == "works.other_side" and comment.paragraph in doubted


def _works(whole: Whole, questioned: set[tuple[int | None, tuple[int, int] | None]]) -> Iterator[Comment]:
    """Comments on what works, each about another sentence, none about one that is asked about; one at least."""
    praised: set[EssaySpan] = set()
    for rule, text, places in pausing(_working(whole)):
        fit = (
            one
            for one in places
            if one not in praised
            and (one.paragraph, (one.start, one.end)) not in questioned
            and MIN_WORKING <= len(words_of(whole.text(one))) <= MAX_WORKING
            and (rule == "works.other_side" or not _DOUBTFUL.search(whole.text(one)))
        )
        if place := next(fit, None):
            praised.add(place)
            yield comment_at(text if isinstance(text, str) else text(place), place, rule)
    claim = whole.outline.claim
    if not praised and claim and _takes_side(whole.text(claim)):
        yield comment_at(OPINION_GIVEN, claim, "works.opinion")
    elif not praised and whole.sentences:
        yield comment_at(BEGINS, _on_subject(whole), "works.begins")


Says = str | Callable[[EssaySpan], str]
"""What is said of a place."""


def _working(whole: Whole) -> Iterator[tuple[str, Says, list[EssaySpan]]]:
    """Rule, text and places of what works in this kind of text, the best first."""
    look = whole.look
    if look.argues:
        yield from _in_argument(whole)
    if look.genre is Genre.EXPOSITORY:
        yield "works.explained", EXPLAINED, list(_explained(whole))
        given = [place for text, place in whole.sentences if _ONCE.search(text) or _FOR_EXAMPLE.search(text)]
        yield "works.example", lambda one: _of_example(whole, one), given
    yield "works.image", IMAGE, [place for text, place in whole.sentences if _IMAGE.search(text)]
    if look.argues:
        yield "works.proposal", PROPOSED, [place for text, place in whole.sentences if PROPOSING.search(text)]
        yield "works.other_side", OTHER_SIDE_NAMED, [one for one in _views(whole) if _reply(whole, one)]
    named = [place for text, place in whole.sentences if _NAMED_SOURCE.search(text) and not _FRIEND.search(text)]
    if look.genre is Genre.SOURCE_BASED:
        named += [place for text, place in whole.sentences if _GIVEN_SOURCE.search(text)]
    if look.genre is not Genre.NARRATIVE:
        yield "works.source", lambda one: _named(whole.text(one)), named
    yield "works.order", ORDER, _in_order_of_points(whole)
    if look.argues:
        yield "works.reason", lambda one: _with_reason(whole.text(one)), list(_reasons(whole))
    if look.genre is Genre.NARRATIVE:
        yield from _in_story(whole)
    if look.genre is Genre.EXPOSITORY:
        yield "works.term", TERM_EXPLAINED, [place for text, place in whole.sentences if _TERM.search(text)]
        steps = [place for text, place in whole.sentences if _STEP.match(text)]
        yield "works.steps", STEPS, steps if len(steps) >= MIN_STEPS else []
    claim = whole.outline.claim
    if look.argues:
        yield "works.opinion", OPINION_GIVEN, [claim] if claim and _takes_side(whole.text(claim)) else []
    if not look.argues:
        exact = [place for text, place in whole.sentences if _is_exact(text)]
        yield "works.detail", lambda one: _exactly(whole, one, DETAIL, EXAMPLE_GIVEN), exact


def _in_argument(whole: Whole) -> Iterator[tuple[str, Says, list[EssaySpan]]]:
    """What works best in a text that argues: an answer of some words, a source explained, what was lived, a sum."""
    look = whole.look
    replied = [one for one in _views(whole) if len(words_of(_reply(whole, one))) >= MIN_ANSWER]
    yield "works.other_side", lambda one: _with_answer(_reply(whole, one)), replied
    yield "works.explained", EXPLAINED, list(_explained(whole))
    yield "works.example", lambda one: _of_example(whole, one), list(_examples(whole))
    counted = [place for text, place in whole.sentences if len(_NUMBER.findall(text)) >= MIN_DETAILS and _COUNTS.search(text)]
    task = look.style.task
    sums = [one for one in counted if one not in whole.views and not (task and task.draws_on(whole.text(one)))]
    sums = [one for one in sums if not _NAMED_SOURCE.search(whole.text(one)) and not any(quotations(whole.text(one)))]
    yield "works.counted", lambda one: _exactly(whole, one, COUNTED, DETAIL), sums
    own = [place for text, place in whole.sentences if _OWN.search(text) and len(_PER_NUMBER.findall(text)) >= MIN_DETAILS]
    yield "works.detail", lambda one: _exactly(whole, one, DETAIL, LIVED), own


def _in_story(whole: Whole) -> Iterator[tuple[str, Says, list[EssaySpan]]]:
    """What works in a story: what can be seen and heard, where there is most of it, and people who speak."""
    sensed = [(len(_sensed(text)), place) for text, place in whole.sentences]
    most = sorted((one for one in sensed if one[0]), key=lambda one: (-one[0], -len(words_of(whole.text(one[1])))))
    yield "works.senses", lambda one: SENSED.format(words=_listed(_sensed(whole.text(one)))), [place for _, place in most]
    yield "works.speech", SPEECH, [place for text, place in whole.sentences if _SPEECH.search(text)]


def _in_order_of_points(whole: Whole) -> list[EssaySpan]:
    """The first sentence of the second of several paragraphs that each begin with a point: with the next one of a count, or, in
    a text that explains, with a word that all of them share. Empty if they do not."""
    look = whole.look
    body = (at for at, role in enumerate(look.roles) if role is Role.BODY)
    firsts = ((at, islice(look.subject.essay.paragraphs[at].placed, 1)) for at in body)
    points = [(text, EssaySpan(at, start, end)) for at, first in firsts for text, start, end in first]
    shared = frozenset.intersection(*(content_stems(text) for text, _ in points)) if points else frozenset()
    counted = sum(bool(_POINT.match(text)) for text, _ in points) >= MIN_COUNTED
    in_order = counted if look.argues else bool(shared)
    return [points[1][1]] if len(points) >= MIN_COUNTED and in_order else []


def _sensed(text: str) -> list[str]:
    """The words of a sentence for what can be seen, heard or felt."""
    return list(dict.fromkeys(_SENSED.findall(text)))


def _listed(words: Sequence[str]) -> str:
    """At most MAX_NAMED of the words in quotation marks."""
    return ", ".join(f"“{word}”" for word in words[:MAX_NAMED])


def _exactly(whole: Whole, place: EssaySpan, exact: str, general: str) -> str:
    """The text with the names and numbers of the place, the general one if it has none."""
    text = whole.text(place)
    words = _NUMBER.findall(text) if exact == COUNTED else _details(text)
    return exact.format(words=_listed(list(dict.fromkeys(words)))) if words else general


def _named(text: str) -> str:
    """What is said of a source, with its name if it has one."""
    found = _NAMED_SOURCE.search(text)
    names = _TITLED.findall(text[found.start() : found.end() + AFTER_NAME]) if found else []
    names = [one for one in names if not re.fullmatch(rf"{_NO_NAME}|According|In|Dr|Mrs?|Ms", one)]
    names = [one.removeprefix("In ") for one in names]
    return NAMED_AS.format(words=_listed([max(names, key=len)])) if names else SOURCE_NAMED


def _details(text: str) -> list[str]:
    """The names and numbers in a sentence, without quotations and those of the calendar."""
    quoted = set(quotations(text))
    exact = [one.rstrip(".") for one in specific_in(text) if one not in quoted and not _CALENDAR.match(one)]
    with_units = _PER_NUMBER.findall(text)
    return [*(one for one in exact if not any(one in each for each in with_units)), *with_units]


def _of_example(whole: Whole, place: EssaySpan) -> str:
    """What is said of an example: that it happened, with its names and numbers, if it did."""
    text = whole.text(place)
    if _AROUND.search(text) and not _ONCE.search(text):
        return SEEN
    happened = _HAPPENED.search(text) and not _ONLY_IF.search(text) and (_OWN.search(text) or _ONCE.search(text))
    return _exactly(whole, place, LIVED_EXACTLY, LIVED) if happened else EXAMPLE_GIVEN


def _with_reason(text: str) -> str:
    """What is said of a reason, with its words from "because" on if these are few."""
    found = _BECAUSE.search(text)
    words = text[found.start() :].rstrip(" .!") if found else ""
    return REASON_GIVEN.format(words=words) if 0 < len(words.split()) <= MAX_QUOTED else REASON_GIVEN.replace(": “{words}”", "")


def _with_answer(reply: str) -> str:
    """What is said of an answer to the other side, with its words if these are few."""
    fits = len(reply.split()) <= MAX_QUOTED and not re.search(r"[“”\"]", reply) and not any(slips_in(reply))
    return WITH_ANSWER.format(words=reply) if fits else OTHER_SIDE_NAMED


def _views(whole: Whole) -> list[EssaySpan]:
    """The sentences that name the other side."""
    cited = [
        place
        for (text, place), (following, _) in zip(whole.sentences, whole.sentences[1:], strict=False)
        if _BY_TEXT.search(text) and REPLY.match(following)
    ]
    return [*whole.views, *((whole.outline.counter,) if whole.outline.counter else ()), *cited]


def _takes_side(text: str) -> bool:
    return not TORN.search(text) and bool(STANCE.search(text) or SIDE.search(text) or _JUDGED.search(text))


def _reply(whole: Whole, view: EssaySpan) -> str:
    """The words that answer a view: in its own sentence, one of the next three of its paragraph, or the first of the next one;
    empty if none do."""
    text = whole.text(view)
    if turns_against_a_view(text):
        return text[turn_in(text) or 0 :]
    later = [text for text, one in whole.sentences if one.paragraph == view.paragraph and one.start > view.start]
    following = [text for text, one in whole.sentences if one.paragraph == view.paragraph + 1]
    return next((each for each in (*later[:NEXT], *following[:1]) if REPLY.match(each)), "")


def _explained(whole: Whole) -> Iterator[EssaySpan]:
    """The sentences that say what a quotation or a source before them shows."""
    for (text, place), (following, next_place) in zip(whole.sentences, whole.sentences[1:], strict=False):
        given = any(len(words_of(each)) >= MIN_WORKING for each in quotations(text)) or _NAMED_SOURCE.search(text)
        if given and place.paragraph == next_place.paragraph and _SHOWS.match(following):
            yield next_place


def _examples(whole: Whole) -> Iterator[EssaySpan]:
    """The examples of reasons, those with names or numbers first: what happened, no opinion and nothing only supposed."""
    given = [one for reason in whole.outline.reasons for one in reason.pieces if one.kind is PieceKind.EXAMPLE]
    given.sort(key=lambda one: (not one.specific, not _ONCE.search(whole.text(one.place))))
    lived = [
        place for text, place in whole.sentences if _ONCE.search(text) or (_OF_KIN.search(text) and _HAPPENED.search(text))
    ]
    for place in (*(one.place for one in given), *lived):
        text = whole.text(place)
        own = _OWN.search(text) or _OF_KIN.search(text) or _IN_YEAR.search(text)
        shown = (_HAPPENED.search(text) and own) or _AROUND.search(text) or _ONCE.search(text) or _FOR_EXAMPLE.search(text)
        if (
            shown
            and len(words_of(text)) >= MIN_EXAMPLE
            and not _ONLY_IF.search(text)
            and not _SUPPOSED.match(text)
            and not STANCE.search(text)
            and place not in whole.views
        ):
            yield place


def _reasons(whole: Whole) -> Iterator[EssaySpan]:
    """The reasons that say that they are one: after the claim, with "because", in the student's own voice."""
    claim = whole.outline.claim
    for one in whole.outline.reasons:
        text = whole.text(one.place)
        own = one.place not in whole.views and not _REPORTED.search(text)
        after = claim and order(claim) < order(one.place)
        whole_one = not text.lower().startswith("because")  # no fragment
        if after and own and whole_one and len(words_of(text)) <= LONG_REASON and _BECAUSE.search(text):
            yield one.place
    at_end = claim and whole.sentences and claim == whole.sentences[-1][1]
    text = whole.text(claim) if claim else ""
    if claim and not at_end and _BECAUSE.search(text) and STANCE.search(text) and not _BROKEN.search(text):
        yield claim


def _is_exact(text: str) -> bool:
    """Whether a sentence has names, numbers or quotations beyond those of the calendar."""
    return not _OF_WRITER.search(text) and len(_details(text)) >= MIN_DETAILS


def _on_subject(whole: Whole) -> EssaySpan:
    """The first sentence of the first paragraph with a word that says what the essay is about; else the first one."""
    counts = Counter(stem for text, _ in whole.sentences for stem in content_stems(text))
    often = {stem for stem, count in counts.items() if count >= OFTEN} | content_stems(whole.look.subject.essay.title or "")
    first = whole.sentences[0][1]
    stated = [one for one in whole.sentences if one[1].paragraph == first.paragraph and not one[0].endswith("?")]
    begin = (place for text, place in stated if content_stems(text) & often)
    return next(begin, first)
