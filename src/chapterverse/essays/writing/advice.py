"""Comments made from the outline of an essay's argument: questions about what it lacks, and what works in it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from chapterverse.core.lazy import lazy
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment, Review, Tone, in_order
from chapterverse.essays.outline import Outline, PieceKind, Reason, Span
from chapterverse.essays.task import Genre, content_stems
from chapterverse.essays.writing.argument import specific_in
from chapterverse.essays.writing.genre import STANCE, Role
from chapterverse.essays.writing.rules import RuleContext, words_of

MIN_ARGUMENT = 150  # words of an essay that has room for the other side
MIN_WITH_EXAMPLE = 40  # words of an essay that has room for an example
FEW_PIECES = 1  # of evidence in an essay that is asked for another one
LONG_REASON = 45  # words of a sentence: what is longer is no clear reason

OTHER_SIDE = (
    "What would somebody say who does not agree with you here? You could name it in a sentence of its own, and then answer it."
)
SHOW = "Have you seen or read about something that shows this? You could add it as an example after this sentence."

ANSWER = "You name the other side here. What would you answer? You could add it after this sentence."
EXPLAIN_IT = "Your paragraph stops here. What does this show for your point? You could say it in a sentence of your own."
FELT = "You tell what you felt. How could your reader see it? You could show what you did or said at that moment."
_EXPLAINS = re.compile(
    r"\b(?:so|thus|therefore|because|shows?|showing|proves?|proving|means?|meaning|which|if|should|would)\b", re.IGNORECASE
)
_FEELING = re.compile(
    r"\bi (?:was|felt) (?:so |very |really |super )?(?:scared|happy|sad|nervous|excited|afraid|angry|terrible|proud|ashamed"
    r"|embarrassed|surprised|shocked|worried|lonely|mad|terrified)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"\b(?:although|though|granted|admittedly|even if|despite|in spite|on the other (?:hand|side)|however|opponents?|critics?"
    r"|of course|it is true|it['’]s true|yes,|sure,|objections?|objected|oppos(?:e|es|ed|ing|ite)|supporters|others"
    r"|(?:some|many|most|other|few|a lot of|lots of|plenty of|all) (?:\w+ ){0,3}"
    r"(?:say|says|think|thinks|argue|believe|claim|disagree|object|feel|want|like|prefer|don['’]?t|do not|are against|complain)"
    r"|(?:people|adults|parents|teachers|students|drivers|they|you|one|some|somebody|someone) "
    r"(?:may|might|could|will|would|can|always|often)? ?(?:say|says|think|thinks|argue|claim|object|disagree|wonder|ask)"
    r"|those who|people who (?:say|think|disagree|don['’]?t|do not|want|like|believe)"
    r"|i (?:also )?(?:know|understand|admit|get|see|realize|realise) (?:that|why|how|it)"
    r"|disadvantages?|downsides?|drawbacks?|negatives?|cons|arguments? (?:for|against)|against (?:it|this|that|the idea)"
    r"|while (?:some|it|many|there|i)|even though|maybe you|you may|not everyone|disagrees?|whereas)\b",
    re.IGNORECASE,
)
_BACKED = re.compile(
    r"(?i:\b(?:for (?:example|instance)|e\.g|such as|like when|one (?:time|day)|once|last \w+|when (?:i|my|we)|yesterday|ago"
    r"|according|article|passage|author|source|stud(?:y|ies)|research|survey|states|statistics?|data|percent"
    r"|(?:my|our) (?:\w+ ){0,2}(?:cousin|friend|sister|brother|mother|mom|mum|father|dad|aunt|uncle|teacher|school|town|class"
    r"|family|grand\w+|parents|neighbou?rs?|house|team))\b)|\d|[“”\"]|(?<=[a-z,] )(?!I\b)[A-Z]\w+",
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|do|does|did|may|might|should|must|makes?|causes?|gives?|takes?|gets?"
    r"|helps?|needs?|keeps?|leads?|means?)\b|n['’]t\b",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:they|people|some|others|who|drivers|you) (?:\w+ )?(?:think|say|believe|argue|feel)\b", re.IGNORECASE
)
_BECAUSE = re.compile(r"(?<!not )(?<!just )(?<!only )\bbecause (?!of\b)", re.IGNORECASE)
_VIEW = re.compile(
    r"\b(?:some|many|most|others?|opponents|critics|supporters|somebody|someone|parents|adults|teachers|those who|maybe you)\b"
    r"[^.!?]{0,40}\b(?:say|says|said|think|thinks|argue|argues|believe|claim|object|disagree|complain|feel)\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"\bi (?:\w+ )?(?:feel|think|believe)\b", re.IGNORECASE)
_ANSWERS = re.compile(r"\b(?:but|however|still|yet|nevertheless|even so|although|though)\b", re.IGNORECASE)
_REPLIES = re.compile(
    rf"{_ANSWERS.pattern}|\b(?:not|never|wrong|false|instead|in fact|actually|better|only|while|yes|no|i disagree)\b|n['’]t\b",
    re.IGNORECASE,
)
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
    rf"|\b(?!{_NO_NAME})[A-Z]\w+(?: [A-Z]\w+){{0,4}} (?:\w+ly )?{_TELLS} (?:that|in)\b"
    r"|\((?:[A-Z][\w.]*[ ,]+){1,6}\d[^)]{0,60}\)"
)
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
_SUPPOSED = re.compile(r"\W*(?:if|when|imagine|say|suppose) (?:you|we|someone|somebody|one)\b", re.IGNORECASE)
_DOUBTFUL = re.compile(r"\?|\b(?:whether|should or)\b")

OTHER_SIDE_NAMED = "You name what others think, and you answer it. That makes your own point stronger."
EXAMPLE_GIVEN = "You give an example here. It helps your reader to see what you mean."
REASON_GIVEN = "You give a reason here. That is what can win a reader over."
SOURCE_NAMED = "You say where this comes from. So your reader can look it up."
OPINION_GIVEN = "Here your reader learns what you think. That gives your text a direction."
TERM_EXPLAINED = "You tell what this word means. So your reader can follow."
SPEECH = "You let people speak. So your reader is there with you."
DETAIL = "You are exact here. Details like these let your reader see what you mean."
BEGINS = "Here you get to your subject. So your reader knows what the text is about."

FEW_WORKS = 1  # comments on what works in a short text
MAX_WORKS = 2
MIN_WORKING, MAX_WORKING = 6, 45  # words of a sentence that is praised
MIN_DETAILS = 2  # names and numbers in a sentence that is exact
OFTEN = 3  # sentences with a word that says what an essay is about


@dataclass(frozen=True)
class _Whole:
    """An essay with its outline."""

    look: RuleContext
    outline: Outline

    @lazy
    def sentences(self) -> list[tuple[str, Span]]:
        """The student's own sentences, without salutation and closing."""
        return [
            (sentence, Span(at, start, end))
            for at, paragraph in enumerate(self.look.subject.essay.paragraphs)
            if self.look.roles[at] not in {Role.SALUTATION, Role.CLOSING}
            for sentence, start, end in paragraph.placed
            if sentence in paragraph.own
        ]

    def text(self, place: Span) -> str:
        """The words at a place."""
        return self.look.text(place.paragraph)[place.start : place.end]

    def after(self, place: Span) -> str:
        """The sentence that follows; empty at the end."""
        return next((text for text, one in self.sentences if _order(one) > _order(place)), "")


def _order(place: Span) -> tuple[int, int]:
    return place.paragraph, place.start


def _comment(text: str, place: Span, rule: str) -> Comment:
    return Comment(place.paragraph, text, (place.start, place.end), rule=rule)


def on_argument(look: RuleContext, outline: Outline, others: Sequence[Comment]) -> Iterator[Comment]:
    """Questions about what an essay that argues lacks: evidence for a reason, and the other side. others: the comments that
    there are; what one of them asks is not questioned again."""
    if look.genre.argues:
        whole = _Whole(look, outline)
        yield from _without_evidence(whole, others)
        yield from _one_sided(whole)
        yield from _unanswered(whole)
        yield from _unexplained(whole, others)
    if look.genre is Genre.NARRATIVE:
        told = (place for text, place in _Whole(look, outline).sentences if _FEELING.search(text))
        yield from (_comment(FELT, place, "reasons.feeling") for place in islice(told, 1))


def _unanswered(whole: _Whole) -> Iterator[Comment]:
    """A question beside the other side, if nothing after it in its paragraph, nor the next sentence, sounds like an answer."""
    counter = whole.outline.counter
    if counter is None or not _VIEW.search(whole.text(counter)) or _MINE.search(whole.text(counter)):
        return
    rest = whole.look.text(counter.paragraph)[counter.start :]
    last = Span(counter.paragraph, counter.start + len(rest) - 1, counter.start + len(rest))
    if not _REPLIES.search(f"{rest} {whole.after(last)}"):
        yield _comment(ANSWER, counter, "reasons.answer")


def _unexplained(whole: _Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    """A question where the first paragraph of the middle ends with a source or a figure that nothing explains."""
    questioned = {(one.paragraph, one.about) for one in others}
    last = {place.paragraph: place for _, place in whole.sentences if whole.look.roles[place.paragraph] is Role.BODY}
    for piece in whole.outline.pieces:
        place = piece.place
        is_whole = whole.text(place)[-1] in ".!”\"’')"
        ends = is_whole and last.get(place.paragraph) == place and len(whole.look.own(place.paragraph)) > 1
        cited = piece.kind in {PieceKind.SOURCE, PieceKind.STATISTIC}
        if (
            ends
            and cited
            and (place.paragraph, (place.start, place.end)) not in questioned
            and not _EXPLAINS.search(whole.text(place))
        ):
            yield _comment(EXPLAIN_IT, place, "reasons.explain")
            return


def _without_evidence(whole: _Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    """A question beside the first reason with nothing behind it; beside the claim, if nothing in the essay backs it."""
    look, outline = whole.look, whole.outline
    questioned = {one.paragraph for one in others if one.rule in {"books.none", "reasons.why"}}
    bare = [
        one.place
        for one in outline.reasons
        if not one.pieces and one.place.paragraph not in questioned and _is_own(whole.text(one.place))
        if not _BACKED.search(_block(whole, one))
    ]
    if not bare and not outline.reasons and outline.claim and not questioned:
        bare = [outline.claim] if not any(_BACKED.search(text) for text, _ in whole.sentences) else []
    if bare and len(outline.pieces) <= FEW_PIECES and sum(look.lengths) >= MIN_WITH_EXAMPLE:
        yield _comment(SHOW, bare[0], "reasons.example")


def _is_own(text: str) -> bool:
    """Whether it is the student's own thought, and short enough to be a clear one."""
    return bool(_VERB.search(text)) and not _OF_OTHERS.search(text) and len(words_of(text)) <= LONG_REASON


def _block(whole: _Whole, reason: Reason) -> str:
    """The reason and what follows it in its paragraph, up to the next one."""
    here = reason.place
    its = [one.place.start for one in whole.outline.reasons if one.place.paragraph == here.paragraph]
    return whole.look.text(here.paragraph)[here.start : min((at for at in its if at > here.start), default=None)]


def _one_sided(whole: _Whole) -> Iterator[Comment]:
    """A question beside the claim, if the essay does not name the other side."""
    look, claim = whole.look, whole.outline.claim
    if claim is None or whole.outline.counter or sum(look.lengths) < MIN_ARGUMENT or not STANCE.search(whole.text(claim)):
        return
    if not any(OTHERS.search(text) for text, _ in whole.sentences):
        yield _comment(OTHER_SIDE, claim, "reasons.other_side")


def with_works(review: Review, look: RuleContext, outline: Outline) -> Review:
    """The review with what works in the essay, if the tone is KIND; anywhere else it is nobody's dimension."""
    if look.style.tone is not Tone.KIND:
        return review
    most = FEW_WORKS if sum(look.lengths) < MIN_ARGUMENT else MAX_WORKS
    questioned = {(one.paragraph, one.about) for one in review.comments}
    return replace(review, comments=in_order((*review.comments, *islice(_works(_Whole(look, outline), questioned), most))))


def _works(whole: _Whole, questioned: set[tuple[int | None, tuple[int, int] | None]]) -> Iterator[Comment]:
    """Comments on what works, each about another sentence, none about one that is asked about; one at least."""
    praised: set[Span] = set()
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
            yield _comment(text, place, rule)
    if not praised and whole.sentences:
        yield _comment(BEGINS, _on_subject(whole), "works.begins")


def _working(whole: _Whole) -> Iterator[tuple[str, str, list[Span]]]:
    """Rule, text and places of what works in this kind of text, the best first."""
    outline, look = whole.outline, whole.look
    if look.genre.argues:
        counter = [outline.counter] if outline.counter else []
        replied = [one for one in counter if _has_reply(whole, one)]
        yield "works.other_side", OTHER_SIDE_NAMED, replied
    yield "works.source", SOURCE_NAMED, [place for text, place in whole.sentences if _NAMED_SOURCE.search(text)]
    if look.genre.argues:
        examples = [one for reason in outline.reasons for one in reason.pieces if one.kind is PieceKind.EXAMPLE]
        exact_first = sorted(examples, key=lambda one: not one.specific)
        happened = (one.place for one in exact_first if not _SUPPOSED.match(whole.text(one.place)))
        yield "works.example", EXAMPLE_GIVEN, list(happened)
        yield "works.reason", REASON_GIVEN, list(_reasons(whole))
        stated = outline.claim and STANCE.search(whole.text(outline.claim))
        yield "works.opinion", OPINION_GIVEN, [outline.claim] if outline.claim and stated else []
    if look.genre is Genre.NARRATIVE:
        yield "works.speech", SPEECH, [place for text, place in whole.sentences if _SPEECH.search(text)]
    if look.genre is Genre.EXPOSITORY:
        yield "works.term", TERM_EXPLAINED, [place for text, place in whole.sentences if _TERM.search(text)]
    if not look.genre.argues:
        exact = [place for text, place in whole.sentences if len(specific_in(text)) >= MIN_DETAILS]
        yield "works.detail", DETAIL, exact


def _has_reply(whole: _Whole, counter: Span) -> bool:
    """Whether the sentence gives the view of somebody else, and it or the next one answers it."""
    text = whole.text(counter)
    return bool(_VIEW.search(text) and not _MINE.search(text) and _ANSWERS.search(f"{text} {whole.after(counter)}"))


def _reasons(whole: _Whole) -> Iterator[Span]:
    """The reasons that say that they are one: after the claim, with "because" or what counts them."""
    claim = whole.outline.claim
    for one in whole.outline.reasons:
        text = whole.text(one.place)
        if claim and _order(claim) < _order(one.place) and len(words_of(text)) <= LONG_REASON and _BECAUSE.search(text):
            yield one.place
    if claim and _BECAUSE.search(whole.text(claim)):
        yield claim


def _on_subject(whole: _Whole) -> Span:
    """The first sentence with a word that says what the essay is about."""
    counts = Counter(stem for text, _ in whole.sentences for stem in content_stems(text))
    often = {stem for stem, count in counts.items() if count >= OFTEN} | content_stems(whole.look.subject.essay.title or "")
    return next((place for text, place in whole.sentences if content_stems(text) & often), whole.sentences[0][1])
