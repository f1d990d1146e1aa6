"""Comments on what works in an essay: true of it, and said of the very words that show it; none where nothing is sure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from chapterverse.citations.quotations import overlap, quotations
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment, Review, Tone, in_order
from chapterverse.essays.outline import EssaySpan, Outline
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.argument import specific_in
from chapterverse.essays.writing.genre import SIDE, STANCE, genre_of
from chapterverse.essays.writing.relevance import UNRELATED
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.slips import slips_in
from chapterverse.essays.writing.whole import REPLY, TORN, Whole, comment_at, dismisses, turn_in

_TELLS = (
    r"(?:states?|stated|writes?|wrote|says|said|shows?|showed|found|finds|reports?|reported|explains?|explained|describes?"
    r"|claims?|claimed|argues?|argued)"
)
_NO_NAME = (
    r"(?:According|In|As|The|That|Th[ei]\w*|We|He|She|It|Some|People|Many|Most|Others?|Every\w*|Research|Stud\w+|Scientists"
    r"|Experts|I|You|My|One|Who|Which|What|And|But|So|If|When|While|Also|Another|Source|Text|Passage|Paragraph|Article|Figure"
    r"|Table|Line|Page|Mr|Mrs|Ms|Dr|Prof|Mom|Mum|Dad)\b"
)
_NAME = rf"(?P<name>(?!{_NO_NAME})[A-Z][\w’'-]+(?: (?:(?:of|and|for|de|van|von) )?(?:the )?(?!{_NO_NAME})[A-Z][\w’'-]+)*)"
_FULL_NAME = _NAME.removesuffix("*)") + "+)"  # of two words or more
_NAMED_SOURCES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b[Aa]ccording to (?:(?:the|an?|his|her) )?(?:[a-z]+ ){{0,3}}(?:(?:Dr|Prof)\.? )?{_NAME}",
        rf"\b[Aa]ccording to [^.!?]{{1,60}}\bby {_FULL_NAME}",
        rf"{_FULL_NAME}(?: [a-z]+ly)? {_TELLS}(?: in\b[^.!?“\"]{{1,40}})? that\b(?!\W*[“\"])",
        rf"\b[Aa]s (?:the [a-z]+ )?{_FULL_NAME} {_TELLS}\b",
        rf"\b[Ii]n [^.!?]{{0,40}}?{_FULL_NAME},? (?:he|she|they) {_TELLS}\b",
    )
)
_TWICE = re.compile(rf"\b[Aa]ccording to\b.*\b(?:he|she|it|they) (?:\w+ )?{_TELLS}\b")  # "according to her, she says"
_TERM = re.compile(r"\b(?:is|are) (?:also )?(?:called|known as) (?:an? |the )?[a-z]")
_ANNOUNCES = re.compile(
    r"\bthere (?:are|is|has|have)\b|\babout if\b|\bwhether\b"
    r"|\b(?:reasons|advantages?|disadvantages?|benefits|points)\b|\b(?:reason|explain|show|know) why\b",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:should(?:n['’]?t)?|ought|must(?:n['’]?t)?|ha(?:s|ve) to|needs? to|good|bad|better|worse"
    r"|best|worst|right|wrong|(?:un)?fair|(?:un)?just|justified|against|(?:dis)?agree|convinced)\b",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(r"\?|\b(?:whether|should or)\b")
_IMAGE = re.compile(
    r"(?<!that )(?<!which )(?<!who )\b(?:is|are|was|were|becomes?|feels?|felt|looks?|looked) (?:just |almost |a bit )?"
    r"(?:(?:as )?(?:small|big|loud|quiet|cold|hot|white|black|red|empty|hard|soft|fast|slow) )?like an? \w",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:(?!hundred|need|indeed|speed)\w{3,}ed|was|were|had|did(?:n['’]?t)?|went|came|said|saw|got|took|told|found|made|gave|lost|won|began|ate|broke|sat)\b"
)
_TIME = re.compile(
    r"\blast (?:year|week|summer|winter|spring|autumn|fall|month|term|night)\b|\b(?:years?|weeks?|months?|days?) ago\b"
    r"|\byesterday\b"
    r"|(?<!for )(?<!in )(?<!than )\bone (?:day|time|year|evening|morning)\b"
    r"|\A\W*once (?:i|we|my|when)\b|\bwhen (?:i|we|my \w+) (?:was|were)\b"
    r"|\b[Oo]n (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\bin (?:19|20)\d\d\b",
    re.IGNORECASE,
)
_OF_KIN = re.compile(
    r"\b(?:my|our) (?:\w+ ){0,2}(?:brother|sister|cousin|friend|mother|father|mom|mum|dad|neighbou?r|grand\w+|aunt|uncle"
    r"|teacher|class|team|coach)\b(?! (?:says?|thinks?|would|should|could)\b)",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:[Ii]|[Ww]e|[Mm]y|[Oo]ur|me|us)\b")  # but not "the US"
_UNSURE = re.compile(r"!|\bif\b|\b(?:would|could|might|may) (?:have\b|be\b|of\b)|\A\W*(?:imagine|suppose)\b", re.IGNORECASE)
_COUNTS = re.compile(
    r"\bout of (?:the )?(?:\d+|ten|twelve|fifteen|twenty|thirty|a hundred)\b"
    r"|\b(?:most|half|many|all|\d+|per ?cent) of (?:us|them|the|my|our)\b|%",
    re.IGNORECASE,
)
_AS_PROOF = re.compile(
    r"\b(?:so|that|this|which) (?:it |this |that )?(?:works|proves|proof|shows (?:you )?that)\b|\b(?:is|as) (?:the )?proof\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"(?<!\w)[£$€]\d[\d.,]*\d|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|half an) (?:minutes?|hours?|days|weeks|months|years|times|euros|dollars|pounds|miles|kilomet\w+|met(?:er|re)s"
    r"|percent)\b(?! (?:ago|old|later|before)\b)"
)
_QUOTED = re.compile(r"(?: \w+ly| once)? (?:said|says)\b", re.IGNORECASE)
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|\w+ber\Z|\W*\d+\W*\Z",
    re.IGNORECASE,
)
_SPEAKS = r"(?:say|argue|object|answer|reply|point out|claim|insist)"
_OTHERS_SAY = re.compile(
    r"(?:\A|, |\b(?:but|however|of course|now|while|although|though|like) )\W*"
    r"(?:(?:some|many|most|other|the) )?(?:(?:[a-z]+ )?(?:people|adults|parents|teachers|students|pupils|drivers|politicians"
    rf"|critics|opponents|sceptics|skeptics|supporters|defenders)|others|some) (?:often |always |also )?{_SPEAKS}\b"
    r"|\b(?:people|adults|parents|teachers|students|critics|opponents|supporters|somebody|someone|others|you|one|some)"
    rf" (?:will|would|may|might|could) (?:\w+ )?{_SPEAKS}\b"
    r"|\byou (?:are|['’]re) going to say\b|\bit (?:may|might|could|can) be (?:objected|argued)\b",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"\b(?:hope\w*|in (?:the )?future|some ?day|not true|wrong|untrue|nonsense|stupid|silly|lazy|jealous|ignorant"
    r"|old(?:er)? people|just old|always (?:complain|say)\w*|complain\w*|(?:do not|don['’]?t) (?:understand|know|care)"
    r"|have never|has never"
    r"|(?:is|are) not)\b",
    re.IGNORECASE,
)
_THINKS = re.compile(
    r"\b(?:because|since|if|so that|which means|that means|instead|rather|not (?:just|only|because)|than)\b", re.IGNORECASE
)
_COMPLAINT = re.compile(r"\b(?:complaint|to complain|dissatisf\w+|refund|compensation)\b", re.IGNORECASE)

OTHERS_NAMED = "You name what those say who do not think as you do. That is fair, and it makes your reader trust you."
LIVED = "You tell of something that really happened. That convinces more than a general sentence."
LIVED_EXACTLY = (
    "You tell of something that really happened, with details: {words}. That convinces more than a general sentence."
)
IMAGE = "You compare it with something that everybody knows. So your reader can see what you mean."
NAMED_AS = "You say where this comes from: “{name}”. So your reader can look it up."
OPINION_GIVEN = "Here you say plainly what you think. So your reader knows what all the rest is for."
TERM_EXPLAINED = "You tell what this word means. So your reader can follow."

ANSWER_TO_OTHERS = "Here you answer those who do not think as you do. That makes your reader trust you."
SEEN = "You tell this so exactly that your reader can see it. That convinces more than a general sentence."
THOUGHT = "Here you think your point through, and your reader can follow it."
GOOD = "This sentence does much for your point."

SURE = 0.7  # chance that a sentence works, from which it is praised
LONG_TEXT = 250  # words of an essay that has room for MAX_WORKS comments on what works; others have one
MAX_WORKS = 2
TITLES = frozenset({"Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "St"})  # no names by themselves
NEXT = 3  # sentences after a view, one of which may answer it
MIN_WORKING, MAX_WORKING = 6, 45  # words of a sentence that is praised
MIN_EXAMPLE = 8  # words of an example that says enough
MIN_ANSWER = 8  # words of an answer to the other side
MAX_NAMED = 3  # names and numbers in a comment


def with_works(review: Review, look: RuleContext, outline: Outline, good: Sequence[EssaySpan] | None = None) -> Review:
    """The review with what works in the essay, if the tone is KIND. good: what a language model would leave as it is; only
    there then; None if rules chose the comments."""
    if look.style.tone is not Tone.KIND:
        return review
    most = MAX_WORKS if sum(look.lengths) >= LONG_TEXT else 1
    off_task = {one.paragraph for one in review.comments if one.rule == UNRELATED}
    questioned = {(one.paragraph, one.about) for one in review.comments}
    on_task = (one for one in _works(Whole(look, outline), questioned) if one.paragraph not in off_task)
    agreed = on_task if good is None else (one for one in on_task if any(_is_at(one, place) for place in good))
    return replace(review, comments=in_order((*review.comments, *islice(agreed, most))))


def _is_at(one: Comment, place: EssaySpan) -> bool:
    """Whether the comment is about some of these words."""
    return one.paragraph == place.paragraph and overlap(one.about or (0, 0), [(place.start, place.end)])


Says = str | Callable[[str], str]
"""What is said of a place, or of its words."""


def _works(whole: Whole, questioned: set[tuple[int | None, tuple[int, int] | None]]) -> Iterator[Comment]:
    """Comments on what works, each about another sentence, none about one that is asked about: where the reader of essays is
    sure, else, without it and in stories, where patterns are."""
    praised: set[EssaySpan] = set()
    for rule, text, places in pausing(_noticed(whole) if _is_read(whole) else _working(whole)):
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
            yield comment_at(text if isinstance(text, str) else text(whole.text(place)), place, rule)


def _is_read(whole: Whole) -> bool:
    """Whether the reader has read it, and knows such texts: it has learned from no story."""
    return bool(whole.signs) and whole.look.genre is not Genre.NARRATIVE


def _noticed(whole: Whole) -> Iterator[tuple[str, Says, Sequence[EssaySpan]]]:
    """Rule, text and place of each sentence that surely works, the surest first. The patterns say what it is that works."""
    sure = sorted(((its.works, place) for place, its in whole.signs.items() if its.works >= SURE), key=lambda one: -one[0])
    kinds = list(_working(whole)) if sure else []
    for _, place in sure:
        known = next(((rule, says) for rule, says, places in kinds if place in places), None)
        rule, says = known or _unnamed(whole, place)
        yield rule, says, [place]


def _unnamed(whole: Whole, place: EssaySpan) -> tuple[str, Says]:
    """Rule and text for a sentence that no pattern knows."""
    text = whole.text(place)
    before = [one for _, one in whole.sentences if one.paragraph == place.paragraph and one.start < place.start][-1:]
    if REPLY.match(text) and any(one in whole.views for one in before):
        return "works.answer", ANSWER_TO_OTHERS
    if specific_in(text) and _HAPPENED.search(text) and not _COUNTS.search(text):
        return "works.exact", SEEN
    return ("works.thought", THOUGHT if _THINKS.search(text) else GOOD)


def _working(whole: Whole) -> Iterator[tuple[str, Says, Sequence[EssaySpan]]]:
    """Rule, text and places of what works in this kind of text, the best first."""
    genre = whole.look.genre
    tells = genre_of(whole.look.subject.essay) is Genre.NARRATIVE
    if whole.look.argues and not tells:  # a story told where something else is asked for is no example
        later = _before_ending(whole)[1:]  # nothing is shown by what comes first
        yield "works.example", _of_example, [place for text, place in later if _is_example(whole, text, place)]
    if genre in {Genre.ARGUMENTATIVE, Genre.LETTER} and whole.look.argues:
        yield "works.other_side", OTHERS_NAMED, _others_named(whole)
    yield "works.image", IMAGE, [place for text, place in whole.sentences if _IMAGE.search(text)]
    if genre is not Genre.NARRATIVE:
        named = [place for text, place in whole.sentences if _source_in(text)]
        yield "works.source", lambda text: NAMED_AS.format(name=_source_in(text)), named
    if genre is Genre.EXPOSITORY:
        yield "works.term", TERM_EXPLAINED, [place for text, place in whole.sentences if _TERM.search(text)]
    if whole.look.argues:
        yield "works.opinion", OPINION_GIVEN, _opinion(whole)


def _before_ending(whole: Whole) -> list[tuple[str, EssaySpan]]:
    """The sentences of all paragraphs but the last; all of a text of one paragraph but its last sentence."""
    last = whole.sentences[-1][1].paragraph if whole.sentences else 0
    before = [one for one in whole.sentences if one[1].paragraph < last]
    return before or whole.sentences[:-1]


def _opinion(whole: Whole) -> list[EssaySpan]:
    """The first sentence that takes a side, if it stands in the first paragraph, is the writer's own, announces nothing and
    has no mistakes; in a text of one paragraph, if it stands in its first half. Empty otherwise."""
    sentences = whole.sentences
    if not sentences:
        return []
    first, last = sentences[0][1].paragraph, sentences[-1][1].paragraph
    begin = sentences[: len(sentences) // 2] if first == last else [one for one in sentences if one[1].paragraph == first]
    text, place = next(((text, place) for text, place in begin if STANCE.search(text) or SIDE.search(text)), ("", None))
    unsure = _ANNOUNCES.search(text) or TORN.search(text) or any(quotations(text)) or any(slips_in(text))
    takes = SIDE.search(text) and _TAKES.search(text) and text.endswith((".", "!"))
    return [place] if place and takes and place not in whole.views and not unsure else []


def _is_example(whole: Whole, text: str, place: EssaySpan) -> bool:
    """Whether it tells what happened to the writer at some time, or to somebody near, and is not given as a proof."""
    lived = _OF_KIN.search(text) or (_OWN.search(text) and _TIME.search(text))
    proof = _AS_PROOF.search(text) or _AS_PROOF.search(whole.after(place))
    supposed = _UNSURE.search(text) or STANCE.search(text) or _COUNTS.search(text) or place in whole.views
    return bool(lived and _HAPPENED.search(text) and not proof and not supposed) and len(words_of(text)) >= MIN_EXAMPLE


def _of_example(text: str) -> str:
    """What is said of an example, with its names and measures if it has some."""
    quoted = set(quotations(text))
    names = [one.rstrip(".") for one in specific_in(text) if one not in quoted and not _CALENDAR.match(one)]
    names = [one for one in names if one not in TITLES]
    words = [*(one for one in names if not any(character.isdigit() for character in one)), *_measured(text)]
    return LIVED_EXACTLY.format(words=_listed(words)) if words else LIVED


def _others_named(whole: Whole) -> list[EssaySpan]:
    """The sentences without mistakes in which others speak, and which an answer of some words follows; none in a complaint."""
    if whole.look.genre is Genre.LETTER and any(_COMPLAINT.search(text) for text, _ in whole.sentences):
        return []
    return [
        place
        for text, place in whole.sentences
        if _OTHERS_SAY.search(text) and not any(slips_in(text)) and _answers(_reply(whole, place))
    ]


def _reply(whole: Whole, view: EssaySpan) -> str:
    """The words that answer a view, and the sentence after them: in its own sentence, one of the next three of its paragraph,
    or the first of the next one; empty if none do."""
    text = whole.text(view)
    later = [text for text, one in whole.sentences if one.paragraph == view.paragraph and one.start > view.start]
    if turn := turn_in(text):
        return " ".join((text[turn:], *later[:1]))
    following = [text for text, one in whole.sentences if one.paragraph == view.paragraph + 1]
    near = [*later[:NEXT], *following[:1]]
    at = next((at for at, each in enumerate(near) if REPLY.match(each)), None)
    return "" if at is None else " ".join(near[at : at + 2])


def _answers(reply: str) -> bool:
    """Whether it says more than that the others are wrong, or that all will be well."""
    return len(words_of(reply)) >= MIN_ANSWER and not _NO_ANSWER.search(reply) and not dismisses(reply)


def _source_in(text: str) -> str:
    """The name of the source that the sentence gives in the student's own words; empty without one."""
    own = text
    for quotation in quotations(text):
        own = own.replace(quotation, " " * len(quotation))
    found = next(filter(None, (each.search(own) for each in _NAMED_SOURCES)), None)
    if found and own != text and _QUOTED.match(own, found.end("name")):
        return ""  # whose words it quotes is not yet where they stand
    return found["name"].removesuffix("'s").removesuffix("’s") if found and not _TWICE.search(own) else ""


def _measured(text: str) -> list[str]:
    """The numbers with units and the sums of money in a sentence."""
    return _MEASURED.findall(text)


def _listed(words: Sequence[str]) -> str:
    """At most MAX_NAMED of the words in quotation marks, each once."""
    return ", ".join(f"“{word}”" for word in list(dict.fromkeys(words))[:MAX_NAMED])
