"""The outline of an essay: by rules (cues of discourse, modal verbs, and where a sentence stands), or as a language model wrote
it, checked. What is not sure is not found.

Figures: docs/quality.md (`make eval-outline`)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.citations.quotations import quotations
from chapterverse.core.lazy import lazy
from chapterverse.core.turns import pausing
from chapterverse.essays.outline import EssaySpan, EvidencePiece, Outline, PieceKind, Reason
from chapterverse.essays.quoted import claim_of
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import TURNS, grants, side_of_argument, speaks_against, turns_against_a_view

MIN_WORDS = 4  # of a sentence that can be a claim or a reason
SURE = 3.5  # from which score a sentence is the claim
SHORT_ESSAY = 2  # paragraphs: so few have no middle
MIN_QUOTED = 4  # words of a quotation that is evidence
MIN_TAKEN = 3  # words by which a language model names a sentence
MAX_SPECIFIC = 3  # names, numbers and quotations named of a piece

_VIEW = r"(?:say|think|argue|believe|claim|object|feel|disagree|fear|answer|reply|insist|complain|prefer|point out|warn)s?"
_OTHERS = (
    r"(?:people|persons|students|pupils|teachers|parents|adults|politicians|critics|opponents|citizens|drivers|scientists"
    r"|experts|theorists|supporters|defenders|directors|companies|classmates|others|everyone else|your author)"
)
_COUNTER = re.compile(
    rf"\b(?:some|many|most|other|several|certain|zoo|a lot of|lots of) (?:\w+ ){{0,2}}?{_OTHERS} (?:\w+ )?(?:who )?{_VIEW}\b"
    rf"|\b(?:opponents|critics|sceptics|{_OTHERS}) (?:\w+ ){{0,2}}?(?:argue|object|disagree|claim|point out|complain)\b"
    rf"|\A(?:\W*)(?:opponents|critics|others) (?:\w+ )?{_VIEW}\b"
    rf"|\b(?:you|one|somebody|someone|people|they) (?:may|might|could|will|would) (?:\w+ )?(?:{_VIEW}|wonder|ask)\b"
    r"|\bit (?:is|was|may be|might be|will be|could be|can be) (?:\w+ )?(?:said|objected|argued|claimed|true) that\b"
    r"|\bit (?:may|might) (?:seem|be true)\b|\bone can (?:\w+ )?(?:say|argue|object)\b"
    r"|\A(?:admittedly|granted|to be fair|of course,?|naturally|certainly,|it is true|on the other (?:hand|side)"
    r"|those who (?:see|think|say|believe|disagree))\b"
    r"|\bi (?:understand|know|admit|see|realise|realize) that\b|, i know\.|\bthere are (?:parents|people|those|some) who\b"
    r"|\b(?:lobby|industry|government) (?:likes? to )?(?:say|claim|argue)s?\b"
    r"|\bthere (?:is|are) (?:\w+ ){0,2}(?:fear|danger|disadvantage|downside)s?\b|\bexists the fear\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:bad|afraid|expensive|fears?|problem|danger(?:s|ous)?|against|disagrees?|disadvantages?|downsides?|noise|dirty"
    rf"|difficult|{_VIEW})\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"\A\W*(?:but|however|yet|still|nevertheless|even so|this may be|that may be|this is right)\b", re.IGNORECASE)

_ARGUES = r"\bi (?:(?:want to|will|shall|am going to) )?(?:argue|show|prove) that\b"
_I_THINK = re.compile(
    rf"{_ARGUES}|\b(?:i (?:\w+ ){{0,2}}?(?:think|believe|feel|agree|disagree|hold|conclude)"
    r"|i(?:['’]m| am) (?:\w+ )?(?:convinced|against"
    r"|in favou?r|for|of the opinion)|i have been convinced|convinced me|i would (?:like to ask|call)"
    r"|i (?:hope|ask|urge|beg) (?:that )?(?:you|the school|our)"
    r"|in my (?:\w+ )?(?:opinion|view|eyes)|from my point of view"
    r"|my (?:answer|opinion|position|view) is|for me\b|i(?:['’]d| would) say)\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\b(?:should|shouldn['’]?t|ought to|must|have to|has to|needs? to|we need|it is (?:high )?time|had better|is a must"
    r"|cannot do without)\b",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"\b(?:is|are|was|isn['’]t|aren['’]t|would be|can be) (?:\w+ ){0,3}?(?:good|bad|better|best|worse|wrong|right|fair|unfair"
    r"|important|useless|useful|cruel|harmful|necessary|worth|natural|dangerous|justified|nothing but|the best|a reason)\b"
    r"|\bthe author (?:\w+ ){0,2}?(?:supports?|does|gives?|proves?|convinces?|fails?|makes?)\b|\bmake (?:\w+ ){1,3}more\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\A\W*(?:in conclusion|to conclude|concluding|to sum up|in summary|all in all|overall|that is why|so that is why|so\b"
    r"|therefore|for these reasons|for this\b|this is why|in the end|as you can see|thus)",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\bin (?:this|my) essay\b|\bthe following (?:sources|articles|paragraphs|reasons)\b"
    r"|\bi (?:will|am going to) (?:discuss|write|explain|give|show)\b",
    re.IGNORECASE,
)

_GIVES_REASON = re.compile(
    r"\A\W*(?:first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|to begin with|to start with|also|and also|moreover"
    r"|furthermore|in addition|additionally|besides|apart from that|what is more|last but not least|lastly|finally|because"
    r"|next|on (?:the )?one hand|nor|another (?:\w+ )?(?:reason|point|way|argument|thing|advantage|is)"
    r"|(?:one|the|my) (?:\w+ ){0,2}(?:reason|argument|advantage|point|way)\b|one (?:reason|way))\b"
    r"|\A\W*(?:\w+ ){1,2}also\b|\bmoreover,",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\bbec(?:ause|uase|aus|ouse)\b|\bfor the simple reason\b|; it \w+s\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\A\W*(?:this|that|so|but|then|he|she|it|they|these|those|what|there were)\b", re.IGNORECASE)
_GRANTS = re.compile(r"\bi agree,? but\b|\bi (?:don['’]?t|do not) know\b", re.IGNORECASE)

_KIN = (
    r"(?:brother|sister|cousin|friend|mother|father|mom|mum|dad|neighbou?r|grandmother|grandfather|grandma|grandpa|aunt|uncle"
    r"|dog|cat|classmate|stomach|parents|football club)"
)
_EXAMPLE = re.compile(
    r"\b(?:for (?:example|instance)|e\.g\.|one (?:day|time)\b|last (?:year|summer|week|winter|spring|month|autumn)|when i was"
    r"|i remember\b|in my (?:class|country|town|village|street|school)|in (?:first|second|third|fourth|fifth) grade"
    r"|(?:girl|boy|friend|man|woman|nurse|teacher)s? (?:i know|in my)|you can see \w+ where|after \w+ on \w+ our"
    r"|i (?:met|saw|spent|walk|walked|went|lost|learned|visited|have \d+)"
    r"|in (?:january|february|march|april|may|june|july|august|september|october|november|december) (?:my|our|i|we))\b"
    rf"|(?:\A|, |because |and )\W*my (?:best |little |older )?{_KIN}s? (?!would|should|could)"
    r"|\bin (?:the )?1[5-9]\d\ds?\b[^.]*\b\w+ed\b|, patented by\b",
    re.IGNORECASE,
)
_UNIT = (
    r"(?:%|percent\b|per cent\b|million\b|billion\b|thousand\b|euros?\b|pounds?\b|dollars?\b|yuan\b|tons?\b|tonnes?\b|times\b"
    r"|kilomet\w+|met(?:er|re)s?\b|miles?\b|minutes?\b|hours?\b|degrees\b|calories\b|species\b|deaths?\b|kg\b|km\b)"
)
_STATISTIC = re.compile(
    rf"\b\d[\d.,]*\s?{_UNIT}|\bfrom \d[\d.,]* to \d|[$€£]\s?\d|\b\d{{1,3}}(?:,\d{{3}})+\b|\b\d+ (?:out of|in) \d+\b"
    r"|\ba million times\b|\b(?:a third|two thirds|a quarter|three quarters) of\b|\bfell by half\b",
    re.IGNORECASE,
)
_TELLS = (
    r"(?:says?|said|states?|writes?|wrote|shows?|finds?|found|reports?|explains?|claims?|cites?|tells?|proves?|describes?"
    r"|reminds?|counts?|speaks? of|points? out|announced|estimates?|warns?|suggests?)"
)
_SOURCE = re.compile(
    r"\b[Aa]ccording to\b|\bhttps?:"
    rf"|\b(?:stud(?:y|ies)|research|surveys?|report|review|articles?|passage|author|column|newspapers?|scientists|researchers"
    rf"|[Tt]ext(?: \d)?|paragraph \d+)\b[^.!?]{{0,60}}?\b{_TELLS}\b"
    rf"|\b(?:[Ii]n (?:the|this) (?:text|article|passage|book)|in paragraph \d+),? (?:it|he|she|they) {_TELLS}\b"
    rf"|\b[A-Z][\w.]+(?:(?: of| for the| in| von)? [A-Z]\w+){{1,4}} (?:\w+ )?{_TELLS}\b"
    rf"|[”\"],? (?:it |she |he |[A-Z]\w+ ){_TELLS}\b|\b(?:says|writes) (?:[A-Z]\w+ ?){{1,3}}"
    rf"|\b(?!(?:This|That|These|Those|It|He|She|They|We|What|Which|All) )[A-Z]\w+ (?:{_TELLS}) (?:that|it|[“\"])",
)
_NAME = re.compile(r"(?<=[\w,;:(“\"'’] )[A-ZÀ-Ý][a-zß-ÿ]{2,}(?:[- ][A-Z][\w.]+)*|(?<=\w )[A-Z]\d+\b")
_NO_NAMES = frozenset(("English", "Also", "And", "But", "The", "Because", "God", "Internet", "Mom", "Dad", "Mum"))
_NUMBER = re.compile(r"\b\d[\d.,]*\b")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the student's, where it stands, and at which place in its paragraph, from 0. last: it ends it."""

    text: str
    place: EssaySpan
    at: int
    last: bool


@dataclass(frozen=True)
class _Reading:
    """What the rules find in the sentences of an essay."""

    look: RuleContext

    @lazy
    def sentences(self) -> list[_Sentence]:
        """The student's sentences, without salutation and closing."""
        return [each for at in range(len(self.look.roles)) for each in self._of(at)]

    def _of(self, paragraph: int) -> Iterator[_Sentence]:
        if self.look.roles[paragraph] in {Role.SALUTATION, Role.CLOSING}:
            return
        text, own, end = self.look.text(paragraph), self.look.own(paragraph), 0
        for at, sentence in enumerate(own):
            start = text.find(sentence, end)
            if start >= 0:
                end = start + len(sentence)
                yield _Sentence(sentence, EssaySpan(paragraph, start, end), at, at == len(own) - 1)

    def role(self, one: _Sentence) -> Role:
        return self.look.roles[one.place.paragraph]

    @lazy
    def few(self) -> bool:
        """Whether the essay has no middle."""
        return len({one.place.paragraph for one in self.sentences}) <= SHORT_ESSAY

    @lazy
    def counters(self) -> list[_Sentence]:
        """The sentences that name the other side."""
        return [one for at, one in enumerate(self.sentences) if self._is_counter(at, one)]

    def _is_counter(self, at: int, one: _Sentence) -> bool:
        text = one.text
        if (
            text.endswith("?")
            or _announces(text)
            or len(words_of(text)) < MIN_WORDS
            or (self.role(one) is Role.OPENING and not self.few)
        ):
            return False
        if _COUNTER.search(text) or turns_against_a_view(text) or self._speaks_for_others(at, text):
            return True
        answered = at + 1 < len(self.sentences) and _BUT.match(self.sentences[at + 1].text)
        doubts = _DOUBT.search(text) and not _I_THINK.search(text) and not TURNS.search(text)
        return bool(answered and doubts and at > 0)

    def _speaks_for_others(self, at: int, text: str) -> bool:
        """Whether the sentence gives the argument of those who disagree: it is granted or answered next, or the essay takes
        the other side."""
        side = side_of_argument(text)
        following = self.sentences[at + 1].text if at + 1 < len(self.sentences) else ""
        others = "for" if self.leans_against else "against"
        return side is not None and (side == others or grants(following) or bool(_BUT.match(following)))

    @lazy
    def leans_against(self) -> bool:
        """Whether the sentence that says most plainly what the writer thinks speaks against something."""
        own = (one.text for one in self.sentences if side_of_argument(one.text) is None)
        stated = max(own, key=lambda text: 2 * bool(_I_THINK.search(text)) + bool(_SHOULD.search(text)), default="")
        return speaks_against(stated)

    @lazy
    def claim(self) -> _Sentence | None:
        """The sentence that says most plainly what the essay is for; None if none is plain enough."""
        scored = [(self._plainness(at, one), -at, one) for at, one in enumerate(pausing(self.sentences))]
        score, _, best = max(scored, key=lambda each: each[:2], default=(0.0, 0, None))
        return best if score >= SURE else None

    def _plainness(self, at: int, one: _Sentence) -> float:
        """How plainly the sentence says what the essay is for."""
        text = one.text
        if len(words_of(text)) < MIN_WORDS or one in self.counters or _announces(text):
            return 0.0
        if text.endswith("?") or _GRANTS.search(text):
            return 0.0
        role, concludes = self.role(one), bool(_CONCLUDES.match(text))
        asks = self.look.style.task.shared_words(text) if self.look.style.task else 0
        score = 3.0 * bool(_I_THINK.search(text)) + 2.0 * bool(_SHOULD.search(text)) + 1.5 * bool(_JUDGED.search(text))
        score += min(asks, 3) * 0.7
        if role is Role.OPENING or at <= 1:
            score += 2.0 + (one.last and role is Role.OPENING)
        elif role is Role.ENDING or at >= len(self.sentences) - 2:
            score += 1.0 + 2.0 * concludes
        elif self.few and concludes:
            score += 1.0
        if _GIVES_REASON.match(text) and not concludes:
            score -= 3.0
        if self._kind(one) is not None:
            score -= 2.0
        return score

    @lazy
    def reasons(self) -> list[_Sentence]:
        """The sentences that give a reason, in the essay's order."""
        found = [one for one in pausing(self.sentences) if self._is_reason(one)]
        with_one = {one.place.paragraph for one in found}
        for paragraph in pausing({one.place.paragraph: None for one in self.sentences}):
            if paragraph not in with_one and (topic := self._topic(paragraph)):
                found.append(topic)
        return sorted(found, key=lambda one: (one.place.paragraph, one.place.start))

    def _is_reason(self, one: _Sentence) -> bool:
        if one == self.claim or not self._may_be_reason(one):
            return False
        return bool(_GIVES_REASON.search(one.text))

    def _may_be_reason(self, one: _Sentence) -> bool:
        """Whether it is an own assertion in the middle: no question, no end, not the other side, and no mere example."""
        text = one.text
        if text.endswith("?") or len(words_of(text)) < MIN_WORDS or one in self.counters or _CONCLUDES.match(text):
            return False
        if self.role(one) is Role.ENDING and not self.few and self._ends(one.place.paragraph):
            return False
        return not re.match(r"\W*(?:for (?:example|instance)|finally, (?:i|we))\b", text, re.IGNORECASE)

    def _ends(self, paragraph: int) -> bool:
        """Whether the last paragraph is an end, and not one more point."""
        its = [one for one in self.sentences if one.place.paragraph == paragraph]
        return bool(its) and (bool(_CONCLUDES.match(its[0].text)) or self.claim in its or not _GIVES_REASON.match(its[0].text))

    def _topic(self, paragraph: int) -> _Sentence | None:
        """The first sentence of a paragraph of the middle if it asserts something; in a short essay, one with "because"."""
        its = [one for one in self.sentences if one.place.paragraph == paragraph]
        after_claim = [one for one in its if one != self.claim and self._may_be_reason(one)]
        if self.few:
            return next((one for one in after_claim if _BECAUSE.search(one.text) and not _BUT.match(one.text)), None)
        if its and self.role(its[0]) is Role.BODY and its[0] in after_claim and self._kind(its[0]) is None:
            return None if _GOES_ON.match(its[0].text) or _announces(its[0].text) else its[0]
        return None

    def _kind(self, one: _Sentence) -> PieceKind | None:
        """What kind of evidence the sentence holds; None if it holds none."""
        text = one.text
        titles = {each.passage.book_title for each in self.look.subject.evidence}
        if any(title.lower() in text.lower() for title in titles if title):
            return PieceKind.BOOK
        quoted = [each for each in quotations(text) if len(words_of(each)) >= MIN_QUOTED and not each.istitle()]
        if _SOURCE.search(text) or (quoted and any(not _is_title(each) for each in quoted)):
            return PieceKind.SOURCE
        if (task := self.look.style.task) and task.draws_on(text):
            return PieceKind.SOURCE
        if _STATISTIC.search(text):
            return PieceKind.STATISTIC
        return PieceKind.EXAMPLE if _EXAMPLE.search(text) else None

    @lazy
    def pieces(self) -> list[tuple[_Sentence, EvidencePiece]]:
        """The evidence in the essay, with its sentences: claim and other side hold none."""
        if self.look.genre is Genre.NARRATIVE:
            return []
        middle = [one for one in pausing(self.sentences) if self.few or self.role(one) is not Role.OPENING]
        found = ((one, self._kind(one)) for one in pausing(middle) if one != self.claim and one not in self.counters)
        return [(one, EvidencePiece(one.place, kind, specific_in(one.text))) for one, kind in found if kind]

    def outline(self) -> Outline:
        """The outline."""
        by_reason: dict[EssaySpan, list[EvidencePiece]] = {one.place: [] for one in self.reasons}
        others: list[EvidencePiece] = []
        for one, piece in self.pieces:
            reason = self._reason_of(one)
            (by_reason[reason.place] if reason else others).append(piece)
        reasons = tuple(Reason(one.place, tuple(by_reason[one.place]), self._books(one)) for one in self.reasons)
        counter = self.counters[0].place if self.counters else None
        claim = self.claim.place if self.claim else None
        return Outline(self.look.genre, claim, reasons, counter, tuple(others))

    def _reason_of(self, one: _Sentence) -> _Sentence | None:
        """The last reason before the sentence in its paragraph, if the other side does not come between; else, where the
        paragraph has no reason and is no end, the last one of the paragraph before."""
        here = one.place.paragraph
        before = [each for each in self.reasons if each.place.paragraph == here and each.place.start <= one.place.start]
        between = [each for each in self.counters if each.place.paragraph == here and each.place.start < one.place.start]
        if before:
            return before[-1] if not any(each.place.start > before[-1].place.start for each in between) else None
        if between or self.role(one) is not Role.BODY or self.few:
            return None
        earlier = [each for each in self.reasons if each.place.paragraph == here - 1]
        return earlier[-1] if earlier and not any(each.place.paragraph == here - 1 for each in self.counters) else None

    def _books(self, reason: _Sentence) -> tuple[int, ...]:
        """Numbers of the evidence found for the reason, or for a sentence between it and the next one."""
        subject, paragraph = self.look.subject, reason.place.paragraph
        later = [
            one.place.start for one in self.reasons if one.place.paragraph == paragraph and one.place.start > reason.place.start
        ]
        end = min(later, default=len(self.look.text(paragraph)))
        block = self.look.text(paragraph)[reason.place.start : end]
        return tuple(
            one.number for one in subject.on(paragraph) if claim_of(subject.essay, paragraph, one, subject.evidence) in block
        )


class DraftPiece(BaseModel):
    """Evidence that the model found in the essay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: str = Field(description="The first words of its sentence, copied exactly.")
    kind: PieceKind


class DraftReason(BaseModel):
    """A reason that the model found."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: str = Field(description="The first words of its sentence, copied exactly.")
    evidence: list[DraftPiece] = Field(description="What the essay gives for it; empty if nothing.")
    books: list[int] = Field(description="Numbers of the retrieved evidence that bears on it; empty if none.")


class DraftOutline(BaseModel):
    """The essay's argument as the model found it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim: str = Field(description="The first words of the sentence that states it, copied exactly; empty if none does.")
    reasons: list[DraftReason]
    counter: str = Field(description="The first words of the sentence that names the other side; empty if none does.")


def checked_outline(draft: DraftOutline, look: RuleContext, by: str) -> Outline:
    """The outline with the model's findings that are sentences of the student's, each used once, and numbers of evidence on
    the reason's paragraph."""
    left = _Reading(look).sentences

    def take(words: str) -> _Sentence | None:
        begins = " ".join(words.lower().split()).rstrip(".… ")
        enough = len(words_of(begins)) >= MIN_TAKEN
        one = next((each for each in left if enough and " ".join(each.text.lower().split()).startswith(begins)), None)
        if one:
            left.remove(one)
        return one

    claim, counter = take(draft.claim), take(draft.counter)
    reasons: list[Reason] = []
    for one in draft.reasons:
        if place := take(one.words):
            found = [(each, take(each.words)) for each in one.evidence]
            pieces = tuple(EvidencePiece(its.place, each.kind, specific_in(its.text)) for each, its in found if its)
            known = {each.number for each in look.subject.on(place.place.paragraph)}
            books = tuple(dict.fromkeys(number for number in one.books if number in known))
            reasons.append(Reason(place.place, pieces, books))
    in_order = sorted(reasons, key=lambda each: (each.place.paragraph, each.place.start))
    places = [one.place if one else None for one in (claim, counter)]
    return Outline(look.genre, places[0], tuple(in_order), places[1], by=by)


def _announces(text: str) -> bool:
    """Whether the sentence says what the essay will do, without saying what it argues."""
    return bool(_ANNOUNCES.search(text)) and not re.search(_ARGUES, text, re.IGNORECASE)


def _is_title(quoted: str) -> bool:
    """Whether most of the quoted words are capitalised."""
    words = [word for word in words_of(quoted) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) > 0.7 * len(words)


def specific_in(text: str) -> tuple[str, ...]:
    """What makes a sentence specific: names, numbers and quotations in it, at most MAX_SPECIFIC."""
    names = [found[0] for found in _NAME.finditer(text) if found[0] not in _NO_NAMES]
    numbers = [found[0].rstrip(".,") for found in _NUMBER.finditer(text)]
    quoted = [each for each in quotations(text) if len(words_of(each)) >= MIN_QUOTED]
    return tuple(dict.fromkeys((*quoted[:1], *names, *numbers)))[:MAX_SPECIFIC]


def outline_of(look: RuleContext) -> Outline:
    """The outline of an English essay; of a text that does not argue, its genre and its evidence alone."""
    found = _Reading(look).outline()
    if look.genre.argues:
        return found
    return replace(Outline(look.genre), others=found.pieces)
