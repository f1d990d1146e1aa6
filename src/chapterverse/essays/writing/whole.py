"""An essay with its outline, as the rules on its argument read it, and the words by which others speak in it."""

import re
from dataclasses import dataclass

from chapterverse.core.lazy import lazy
from chapterverse.core.turns import pausing
from chapterverse.essays.outline import Outline, Reason, Span
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.rules import RuleContext

_PEOPLE = (
    r"(?:people|persons|adults|parents|students|pupils|kids|teenagers|teachers|drivers|politicians|critics|opponents|sceptics"
    r"|skeptics|supporters|defenders|readers?|somebody|someone|others|they|you|one|he|she|it|who"
    r"|(?:my|our|his|her|your|an?|the) (?:\w+ ){0,2}\w+)"
)
_SAY = r"(?:say|think|argue|believe|claim|object|reply|answer|disagree|complain|wonder|ask|insist|point out|tell (?:me|us|you))"
OTHERS = re.compile(
    r"\b(?:although|though|granted|admittedly|even if|despite|in spite|on the other (?:hand|side)|however|opponents?|critics?"
    r"|of course|it is true|it['’]s true|true,|yes,|sure,|objections?|objected|oppos(?:e|es|ed|ing|ite)|supporters|defenders"
    r"|others|(?:some|many|most|other|few|a lot of|lots of|plenty of|all) (?:\w+ ){0,3}"
    r"(?:say|says|think|thinks|argue|believe|claim|disagree|object|feel|want|like|prefer|don['’]?t|do not|are against|complain)"
    r"|(?:people|adults|parents|teachers|students|drivers|they|you|one|some|somebody|someone) "
    r"(?:may|might|could|will|would|can|always|often)? ?(?:say|says|think|thinks|argue|claim|object|disagree|wonder|ask)"
    r"|those who|people who (?:say|think|disagree|don['’]?t|do not|want|like|believe)"
    r"|i (?:also )?(?:know|understand|admit|get|see|realize|realise) (?:that|why|how|it|what|who)"
    r"|disadvantages?|downsides?|drawbacks?|negatives?|cons|arguments? (?:for|against)|against (?:it|this|that|the idea)"
    r"|while (?:some|it|many|there|i)|even though|maybe you|you may|not every\w*|disagrees?|whereas"
    rf"|(?:will|would|may|might|could|can) (?:\w+ )?(?:be )?{_SAY}(?:ed)?|admit\w*|conced\w+|the other side)\b"
    r"|(?:\A|[.!?] )(?:But|Yet|Still|Nevertheless)\b",
    re.IGNORECASE,
)
"""Words of an essay that may name the other side."""

_VIEW = re.compile(
    r"\b(?:some|many|most|lots of|others?|(?:his|her|its|their) (?:defenders|readers)|opponents|critics"
    r"|supporters|somebody|someone|parents|adults|teachers|those who"
    r"|maybe you)\b[^.!?]{0,40}\b(?:say|says|said|think|thinks|argue|argues|believe|claim|object|disagree"
    r"|complain|feel|answer|reply|point out)\b"
    rf"|\b{_PEOPLE} (?:will|would|may|might|could) (?:\w+ )?{_SAY}\b"
    r"|\bit (?:will|would|may|might|could|can) be (?:objected|argued|said)\b",
    re.IGNORECASE,
)
"""Words that give the view of somebody else."""

TURNS = re.compile(r"\b(?:but|however|yet|still|nevertheless|not true|wrong)\b", re.IGNORECASE)
"""Words by which a sentence turns against the view that it gives."""

MINE = re.compile(r"\bi (?:\w+ )?(?:feel|think|believe)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Whole:
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
        return next((text for text, one in self.sentences if order(one) > order(place)), "")

    def block(self, reason: Reason) -> str:
        """The reason and what follows it in its paragraph, up to the next one."""
        here = reason.place
        its = [one.place.start for one in self.outline.reasons if one.place.paragraph == here.paragraph]
        return self.look.text(here.paragraph)[here.start : min((at for at in its if at > here.start), default=None)]

    @lazy
    def views(self) -> list[Span]:
        """The sentences that give the view of somebody else."""
        return [place for text, place in pausing(self.sentences) if view_in(text)]


def view_in(text: str) -> re.Match[str] | None:
    """Where the sentence gives the view of somebody else; None if it gives none, or the writer's own as well."""
    return None if MINE.search(text) else _VIEW.search(text)


def turns_against_a_view(text: str) -> bool:
    """Whether the sentence gives the view of somebody else, and turns against it."""
    view = view_in(text)
    return bool(view and TURNS.search(text, view.end()))


def order(place: Span) -> tuple[int, int]:
    """By what places are sorted."""
    return place.paragraph, place.start
