"""Comments on what works in an essay: true of it, and said of the very words that show it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from chapterverse.citations.quotations import quotations
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment, Review, Tone, in_order
from chapterverse.essays.outline import EssaySpan, Outline, PieceKind
from chapterverse.essays.task import Genre, content_stems
from chapterverse.essays.writing.advice import LONG_REASON
from chapterverse.essays.writing.argument import specific_in
from chapterverse.essays.writing.genre import SIDE, STANCE
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import PROPOSING, REPLY, Whole, order, turns_against_a_view

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
    r"|\bis (?:the|a|an) (?:\w+ )?(?:process|way|kind|type|form|method|sort|system|study|science|practice)"
    r" (?:of|by|that|in|where|which)\b",
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
_SUPPOSED = re.compile(r"\W*(?:if|when|imagine|say|suppose) (?:you|we|someone|somebody|one)\b", re.IGNORECASE)
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
    r"\b(?:is|are|was|were|becomes?|feels?|felt|screams?|screamed|runs?|ran) (?:just |almost |a bit |a little )?like"
    r" (?:a|an|the|someone|somebody) \w",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:\w{3,}ed|was|were|had|did(?:n['’]?t)?|went|came|said|saw|got|took|told|found|made|gave|lost|won|began|ate)\b"
)
_ONCE = re.compile(
    r"\A\W*(?:last (?:year|week|summer|winter|month)|(?:two|three|four|five|some|\d) (?:years|weeks|months|days) ago|one (?:day"
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
    r"\b(?:heard|smell\w*|tast(?:e|ed)|cold|warm|wet|dark|bright|loud\w*|silen\w+|whisper\w*|shout\w*|scream\w*|breath\w*"
    r"|shak\w+|trembl\w+|soft|bitter|howl\w*|bark\w*|squeez\w*|tears|smile[ds]?|dust\w*|shadow\w*|blink\w*|crackl\w*|drip\w*)\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"\A(?:then|next|after \w+|before (?:that|this|the)|in the (?:morning|evening|end)|finally|at the end)\b[^”\"]*\Z",
    re.IGNORECASE,
)
_FRIEND = re.compile(r"\b[Mm]y (?:\w+ ){1,2}[A-Z]\w+ ")  # nobody can look up what a friend says
_OF_WRITER = re.compile(r"\b(?:my name is|i am called|i live in)\b", re.IGNORECASE)
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|\w+ber\Z", re.IGNORECASE
)

OTHER_SIDE_NAMED = "You name what others think, and you answer it. That makes your own point stronger."
EXPLAINED = "You give what your source says, and then say what it shows. So your reader sees why it is there."
EXAMPLE_GIVEN = "You give an example here. It helps your reader to see what you mean."
IMAGE = "You compare it with something that everybody knows. So your reader can see what you mean."
PROPOSED = "You say what could be done. So your reader can act on it."
REASON_GIVEN = "You give a reason here. That is what can win a reader over."
SOURCE_NAMED = "You say where this comes from. So your reader can look it up."
OPINION_GIVEN = "Here your reader learns what you think. That gives your text a direction."
TERM_EXPLAINED = "You tell what this word means. So your reader can follow."
STEPS = "You go step by step. So your reader can follow you from one to the next."
SPEECH = "You let people speak. So your reader is there with you."
SENSED = "Your reader can see, hear or feel this. So the moment comes alive."
DETAIL = "You are exact here. Details like these let your reader see what you mean."
BEGINS = "Here you get to your subject. So your reader knows what the text is about."

_GOES_WITH_PRAISE = frozenset({"reasons.wider", "reasons.other_side", "reasons.limits", "reasons.grounds", "reasons.practice"})
"""Questions about a sentence that may work well all the same."""

LONG_TEXT = 250  # words of an essay that has room for MAX_WORKS comments on what works; others have one
MAX_WORKS = 2
NEXT = 3  # sentences after a view, one of which may answer it
MIN_WORKING, MAX_WORKING = 6, 45  # words of a sentence that is praised
MIN_DETAILS = 2  # names and numbers in a sentence that is exact
MIN_STEPS = 2  # sentences that begin with a step
OFTEN = 3  # sentences with a word that says what an essay is about


def with_works(review: Review, look: RuleContext, outline: Outline) -> Review:
    """The review with what works in the essay, if the tone is KIND; anywhere else it is nobody's dimension."""
    if look.style.tone is not Tone.KIND:
        return review
    most = MAX_WORKS if sum(look.lengths) >= LONG_TEXT else 1
    questioned = {(one.paragraph, one.about) for one in review.comments if one.rule not in _GOES_WITH_PRAISE}
    return replace(review, comments=in_order((*review.comments, *islice(_works(Whole(look, outline), questioned), most))))


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
            and not _DOUBTFUL.search(whole.text(one))
        )
        if place := next(fit, None):
            praised.add(place)
            yield _praise(text, place, rule)
    if not praised and whole.sentences:
        yield _praise(BEGINS, _on_subject(whole), "works.begins")


def _praise(text: str, place: EssaySpan, rule: str) -> Comment:
    return Comment(place.paragraph, text, (place.start, place.end), rule=rule)


def _working(whole: Whole) -> Iterator[tuple[str, str, list[EssaySpan]]]:
    """Rule, text and places of what works in this kind of text, the best first."""
    look = whole.look
    if look.argues:
        others = [*whole.views, *((whole.outline.counter,) if whole.outline.counter else ())]
        yield "works.other_side", OTHER_SIDE_NAMED, [one for one in others if _has_reply(whole, one)]
    if look.genre is not Genre.NARRATIVE:
        yield "works.explained", EXPLAINED, list(_explained(whole))
    if look.argues:
        yield "works.example", EXAMPLE_GIVEN, list(_examples(whole))
    if look.genre is Genre.EXPOSITORY:
        yield "works.example", EXAMPLE_GIVEN, [place for text, place in whole.sentences if _ONCE.search(text)]
    yield "works.image", IMAGE, [place for text, place in whole.sentences if _IMAGE.search(text)]
    if look.argues:
        yield "works.proposal", PROPOSED, [place for text, place in whole.sentences if PROPOSING.search(text)]
    named = [place for text, place in whole.sentences if _NAMED_SOURCE.search(text) and not _FRIEND.search(text)]
    if look.genre is Genre.SOURCE_BASED:
        named += [place for text, place in whole.sentences if _GIVEN_SOURCE.search(text)]
    yield "works.source", SOURCE_NAMED, named
    if look.argues:
        yield "works.reason", REASON_GIVEN, list(_reasons(whole))
    if look.genre is Genre.NARRATIVE:
        yield "works.senses", SENSED, [place for text, place in whole.sentences if _SENSED.search(text)]
        yield "works.speech", SPEECH, [place for text, place in whole.sentences if _SPEECH.search(text)]
    if look.genre is Genre.EXPOSITORY:
        yield "works.term", TERM_EXPLAINED, [place for text, place in whole.sentences if _TERM.search(text)]
        steps = [place for text, place in whole.sentences if _STEP.match(text)]
        yield "works.steps", STEPS, steps if len(steps) >= MIN_STEPS else []
    claim = whole.outline.claim
    if look.argues:
        yield "works.opinion", OPINION_GIVEN, [claim] if claim and _takes_side(whole.text(claim)) else []
    if not look.argues:
        yield "works.detail", DETAIL, [place for text, place in whole.sentences if _is_exact(text)]


def _takes_side(text: str) -> bool:
    return bool(STANCE.search(text) or SIDE.search(text) or _JUDGED.search(text))


def _has_reply(whole: Whole, view: EssaySpan) -> bool:
    """Whether the sentence answers the view that it gives, or one of the next three of its paragraph or the first of the next
    one begins with an answer."""
    text = whole.text(view)
    later = [text for text, one in whole.sentences if one.paragraph == view.paragraph and one.start > view.start]
    following = next((text for text, one in whole.sentences if one.paragraph == view.paragraph + 1), "")
    return turns_against_a_view(text) or any(REPLY.match(each) for each in (*later[:NEXT], following))


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
        shown = _HAPPENED.search(text) or _ONCE.search(text) or _FOR_EXAMPLE.search(text)
        if shown and not _SUPPOSED.match(text) and not STANCE.search(text) and place not in whole.views:
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
    if claim and not at_end and _BECAUSE.search(whole.text(claim)) and STANCE.search(whole.text(claim)):
        yield claim


def _is_exact(text: str) -> bool:
    """Whether a sentence has names, numbers or quotations beyond those of the calendar."""
    return not _OF_WRITER.search(text) and sum(not _CALENDAR.match(one) for one in specific_in(text)) >= MIN_DETAILS


def _on_subject(whole: Whole) -> EssaySpan:
    """The first sentence of the first paragraph with a word that says what the essay is about; else the first one."""
    counts = Counter(stem for text, _ in whole.sentences for stem in content_stems(text))
    often = {stem for stem, count in counts.items() if count >= OFTEN} | content_stems(whole.look.subject.essay.title or "")
    first = whole.sentences[0][1]
    begin = (place for text, place in whole.sentences if place.paragraph == first.paragraph and content_stems(text) & often)
    return next(begin, first)
