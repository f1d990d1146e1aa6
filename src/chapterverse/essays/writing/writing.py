"""What reviews are written with: language model, grammar checker, and their time limits."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from chapterverse.core.paid_model import PaidModel, no_school_model
from chapterverse.core.ports import ReadEssay
from chapterverse.essays import FEEDBACK_SECONDS
from chapterverse.essays.model import Dimension, Style


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that a grammar checker found. paragraph: its index; start, end: characters of its text; instead: a correction,
    None if unknown."""

    paragraph: int
    start: int
    end: int
    text: str
    instead: str | None
    dimension: Dimension


Proofreader = Callable[[Sequence[str], float], list[Mistake]]
"""The mistakes in some paragraphs, within so many seconds. Raises ProofreaderUnavailable."""

Dictionary = Callable[[Sequence[str], float], Mapping[str, Sequence[str]]]
"""The words of English that it does not have, each with what it offers instead, within so many seconds. Raises
ProofreaderUnavailable."""

BY_HARPER = {Dimension.EXPRESSIONS: "grammar, by Harper"}
BY_LANGUAGETOOL = {Dimension.EXPRESSIONS: "grammar, by LanguageTool", Dimension.FEATURES: "style, by LanguageTool"}
BY_GERMAN = {
    Dimension.EXPRESSIONS: "spelling and grammar of German, by LanguageTool",
    Dimension.FEATURES: "style, by LanguageTool",
}
_QUOTED = re.compile(r"“[^”]{0,3000}”|\"[^\"]+\"")
_ADDRESS = re.compile(r"\b(?:https?:|www\.)\s?(?:[\w/-]+\.\s?)*\S+|\b(?:[\w-]+\.\s?)+(?:com|org|edu|gov|net)\b(?:/\S*)?")


def counted(text: str, times: int) -> str:
    """The text of a comment that stands for so many places of an essay."""
    return text if times == 1 else f"{text} There are {times} of these in your essay."


def not_corrected(text: str) -> list[tuple[int, int]]:
    """The spans of closed quotations, marks included, and of web addresses: no words of the writer's own."""
    return [found.span() for found in _QUOTED.finditer(text)] + web_addresses(text)


def web_addresses(text: str) -> list[tuple[int, int]]:
    """The spans of web addresses, also with blanks after their dots."""
    return [found.span() for found in _ADDRESS.finditer(text)]


@dataclass(frozen=True)
class Writing:
    """What reviews are written with, and for how long.

    paid: the language model, None if only rules write. proofreader: the grammar checker, None without one. seconds: for the
    whole feedback (S1, "Latency"); model_seconds and proof_seconds: of these, for the language model and the grammar checker,
    which work in parallel. proofread: what the grammar checker checks. dictionary: asked about each word that looks misspelt,
    None without one. german: one for German essays, None
    without one. clock: as time.monotonic. school_model: of a school that has set up one."""

    style: Style = field(default_factory=Style)
    paid: PaidModel | None = None
    seconds: float = FEEDBACK_SECONDS
    model_seconds: float = 2.0
    proofreader: Proofreader | None = None
    dictionary: Dictionary | None = None
    german: Proofreader | None = None
    proof_seconds: float = 2.0
    proofread: Mapping[Dimension, str] = field(default_factory=lambda: BY_LANGUAGETOOL)
    read_essay: ReadEssay | None = None
    read_seconds: float = 1.0
    clock: Callable[[], float] = monotonic
    school_model: Callable[[str], PaidModel | None] = no_school_model

    def for_school(self, school: str) -> "Writing":
        """The same with the school's own language model, where the operator has set none. Raises CatalogUnavailable."""
        return self if self.paid else replace(self, paid=self.school_model(school))
