"""An essay with its outline, as the rules on its argument read it, and the words by which others speak in it."""

import re
from dataclasses import dataclass
from typing import Literal

from chapterverse.core.lazy import lazy
from chapterverse.core.ports import Signs
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import EssaySpan, Outline
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.rules import RuleContext

_PEOPLE = (
    r"(?:people|persons|adults|parents|students|pupils|kids|teenagers|teachers|drivers|politicians|critics|opponents|sceptics"
    r"|skeptics|supporters|defenders|readers?|somebody|someone|others|they|you|one|he|she|it|who"
    r"|(?:my|our|his|her|your|an?|the) (?:\w+ ){0,2}\w+)"
)
_SAY = r"(?:say|think|argue|believe|claim|object|reply|answer|disagree|complain|wonder|ask|insist|point out|tell (?:me|us|you))"
_VIEW = re.compile(
    r"\b(?:some|many|most|lots of|others?|(?:his|her|its|their) (?:defenders|readers)|opponents|critics"
    r"|supporters|somebody|someone|parents|adults|teachers|those who"
    r"|maybe you|your (?:article|writer|author)|(?:people|those|everyone|anyone) who (?:\w+ ){1,4}?)\b[^.!?]{0,55}"
    r"\b(?:say|says|said|think|thinks|argue|argues|believes?|claims?|object|disagree|complain|feel|answer|reply|point out)\b"
    rf"|\b{_PEOPLE} (?:will|would|may|might|could) (?:\w+ )?{_SAY}\b"
    r"|\bit (?:will|would|may|might|could|can) be (?:objected|argued|said)\b",
    re.IGNORECASE,
)
"""Words that give the view of somebody else."""

_WANT = (
    r"(?:wants?|likes?|agrees?|believes?|says?|said|thinks?|argues?|worr(?:y|ies)|disagrees?|complains?|fears?|hates?|objects?"
    r"|claims?|feels?)"
)
_OTHERS = re.compile(
    r"\b(?:(?:some|other|many|most|lots of|a lot of) (?:of the )?(?:\w+ )?(?:people|persons|students|pupils|kids|parents|adults"
    r"|teachers|drivers|neighbou?rs|residents)|others|opponents|critics|(?:people|those) (?=who)|(?:the|my|our) \w+)\b"
    r"(?: who| also| might| may| will| would| could| can)*"
    r"(?: (?!because|that|when|if|as|and|which)\w+){0,2}? "
    r"(?:(?:do|does|did)(?: not|n['’]?t) )?"
    rf"(?:{_WANT}|(?:are|is|be) (?:afraid|scared|against|worried|unhappy))\b",
    re.IGNORECASE,
)
"""Words that give the view of somebody else, also of one who is named only by a job or a place; they may introduce a source."""

_DISMISSES = re.compile(
    r"\b(?:(?:do|does|did|would|will)(?: not|n['’]?t) (?:really |even )?matter|dosen['’]?t matter"
    r"|(?:is|are|was)(?: not|n['’]?t) (?:really |even |such )?(?:an? |the |that )?(?:big |real |huge |serious )?"
    r"(?:problem|issue|deal)s?|(?:is|are)(?: not|n['’]?t) (?:really |even |all )?that (?:bad|much|hard|big|loud|many|expensive"
    r"|important|difficult|dangerous|far|long)|can(?:not|n['’]?t) be (?:that|so) \w+"
    r"|(?:advantages|benefits|pros|good (?:things|sides?|points)) (?:\w+ )?(?:more|outweigh|bigger|greater|stronger)"
    r"|more (?:good|advantages|benefits|positives|pros)\b[^.!?]{0,30}\bthan"
    r"|(?:are|['’]re|is|['’]s|there|their) (?:just|only|simply) (?:being |so )?(?:boring|jealous|lazy|mean|stupid|selfish|mad"
    r"|dumb|rude|complaining)|(?:should|can|could) (?:just|simply) \w+|stay at home|gets? used to|who cares"
    r"|(?:lots|loads|plenty) of money)\b",
    re.IGNORECASE,
)
"""Words that wave an objection away."""

TURNS = re.compile(r"\b(?:but|however|yet|still|nevertheless|not true|wrong)\b", re.IGNORECASE)
"""Words by which a sentence turns against the view that it gives."""

REPLY = re.compile(
    r"\A\W*(?:but|however|yet|still|nevertheless|even so|this is not|that is not|i disagree|in fact"
    r"|to (?:him|her|them|those)|what (?:answers|separates|decides)|i (?:don['’]?t|do not) (?:think|believe|agree))\b",
    re.IGNORECASE,
)
"""How a sentence begins that answers the view of somebody else."""

TORN = re.compile(r"\bbut (?:it |they |can |is |are )*(?:also|sometimes|not always)\b|\bat times\b", re.IGNORECASE)
"""Words of a sentence that takes both sides."""

MINE = re.compile(r"\bi (?:\w+ )?(?:feel|think|believe)\b", re.IGNORECASE)

_GIVE = r"(?:say|think|argue|believe|claim|object|feel|disagree|fear|answer|reply|insist|complain|prefer|point out|warn)s?"
_FOR_IT = (  # who speaks for the subject of an essay, and who against it
    re.compile(
        r"\A\W*(?:supporters|defenders|advocates|proponents|fans"
        r"|(?:people|those|everyone) who (?:like|love|want|support|defend))"
        rf"\b[^.!?]{{0,40}}\b{_GIVE}\b|\b(?:strongest|best|most common|main|usual|biggest) (?:arguments?|reasons?|points?)"
        r" (?:for|in favou?r of)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\A\W*(?:opponents|critics"
        r"|(?:people|those|everyone) who (?:hate|dislike|oppose|are against|do not like|don['’]t like))"
        rf"\b[^.!?]{{0,40}}\b{_GIVE}\b|\b(?:strongest|best|most common|main|usual|biggest) (?:arguments?|reasons?|points?)"
        r" against\b",
        re.IGNORECASE,
    ),
)
_TO_END = re.compile(r" (?:an? |the )?(?:clos|bann?|abolish|forbid|stop|end|remov)\w*", re.IGNORECASE)
_CONCEDES = re.compile(
    r"\A\W*(?:(?:that|this|it)(?: is|['’]s) (?:\w+ )?(?:true|right|fair|correct)|i (?:don['’]?t|do not|can(?:no|['’])t) deny"
    r"|i (?:get|understand|see) (?:that|this|it|why)|true\b|fair enough|they (?:are right|have a point))",
    re.IGNORECASE,
)
_AGAINST_IT = re.compile(
    r"\b(?:against|closed?|ban(?:ned)?|abolish\w*|forbid\w*|forbidden|stop(?:ped)?|end(?:ed)?|give up|remove\w*"
    r"|get rid|disagree|wrong|bad|cruel|harmful|unfair|not|no|never)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Whole:
    """An essay with its outline."""

    look: RuleContext
    outline: Outline

    @lazy
    def sentences(self) -> list[tuple[str, EssaySpan]]:
        """The student's own sentences, without salutation and closing."""
        return [
            (sentence, EssaySpan(at, start, end))
            for at, paragraph in enumerate(self.look.subject.essay.paragraphs)
            if self.look.roles[at] not in {Role.SALUTATION, Role.CLOSING}
            for own in (frozenset(paragraph.own),)
            for sentence, start, end in paragraph.placed
            if sentence in own
        ]

    @lazy
    def signs(self) -> dict[EssaySpan, Signs]:
        """What the reader of essays noticed at the student's own sentences, as far as it has read."""
        paragraphs = zip(self.look.subject.essay.paragraphs, self.look.signs, strict=False)
        every = {
            EssaySpan(at, start, end): signs
            for at, (paragraph, its) in enumerate(paragraphs)
            for (_, start, end), signs in zip(paragraph.placed, its, strict=True)
        }
        return {place: signs for _, place in self.sentences if (signs := every.get(place))}

    def text(self, place: EssaySpan) -> str:
        """The words at a place."""
        return self.look.text(place.paragraph)[place.start : place.end]

    def after(self, place: EssaySpan) -> str:
        """The sentence that follows; empty at the end."""
        return next((text for text, one in self.sentences if order(one) > order(place)), "")

    @lazy
    def views(self) -> list[EssaySpan]:
        """The sentences that give the view of somebody else."""
        return [place for text, place in pausing(self.sentences) if view_in(text)]


def view_in(text: str) -> re.Match[str] | None:
    """Where the sentence gives the view of somebody else; None if it gives none, or the writer's own as well."""
    return None if MINE.search(text) else _VIEW.search(text)


def is_dismissed(view: str, following: str) -> bool:
    """Whether a sentence gives the view of somebody else, and it is waved away there or in the words that follow."""
    found = view_in(view) or _OTHERS.search(view)
    if found is None or MINE.search(view, 0, found.start()):
        return False
    turn = TURNS.search(view, found.end())
    return dismisses(f"{view[turn.start() :] if turn else ''} {following}")


def dismisses(reply: str) -> bool:
    """Whether a reply waves away what it replies to."""
    return bool(_DISMISSES.search(reply))


def turns_against_a_view(text: str) -> bool:
    """Whether the sentence gives the view of somebody else, and turns against it."""
    return turn_in(text) is not None


def turn_in(text: str) -> int | None:
    """Where the sentence turns against the view of somebody else that it gives; None if it does not."""
    view = view_in(text)
    turn = TURNS.search(text, view.end()) if view else None
    return turn.start() if turn else None


def order(place: EssaySpan) -> tuple[int, int]:
    """By what places are sorted."""
    return place.paragraph, place.start


def comment_at(text: str, place: EssaySpan, rule: str) -> Comment:
    """A comment on the words at a place."""
    return Comment(place.paragraph, text, (place.start, place.end), rule=rule)


def side_of_argument(text: str) -> Literal["for", "against"] | None:
    """Whether the sentence gives the argument of those who are for something, or against it; None if it gives none."""
    found = [side.search(text) for side in _FOR_IT]
    if not any(found):
        return None
    is_against = found[1] is not None
    ends = any(one and _TO_END.match(text, one.end()) for one in found)  # "the best argument for closing it"
    return "against" if is_against != ends else "for"


def grants(text: str) -> bool:
    """Whether the sentence grants what the one before says."""
    return bool(_CONCEDES.match(text))


def speaks_against(text: str) -> bool:
    """Whether the sentence speaks against something."""
    return bool(_AGAINST_IT.search(text))
