"""Corrections of spelling and grammar without a language model: those that are sure, and nothing else."""

import re
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import TypeVar

from chapterverse.core.turns import at_work, pausing
from chapterverse.essays.model import Correction, Essay, overlaps
from chapterverse.essays.proofreading.harper import HARPER, CheckerUnavailable, Engine, misspelt_in
from chapterverse.essays.proofreading.words import Words, confused_in, marks_in
from chapterverse.messages import Message, message

T = TypeVar("T")
NOT_ALL = message("proofreading_not_all")
_QUOTED = re.compile(r"[“„][^”“]{0,3000}[”“]|\"[^\"]+\"|»[^«]+«|«[^»]+»")
_ADDRESS = re.compile(r"\b(?:https?:|www\.)\s?(?:[\w/-]+\.\s?)*\S+|\b(?:[\w-]+\.\s?)+(?:com|org|edu|gov|net|html?)\b(?:/\S*)?")


@dataclass(frozen=True, slots=True)
class Proofread:
    """The corrections of an essay in reading order, none of which overlap. notes: what was not checked."""

    corrections: Sequence[Correction] = ()
    notes: tuple[Message, ...] = ()


def proofread(essay: Essay, language: str, up: float) -> Proofread:
    """The corrections of an English essay, outside quotations and web addresses; none in another language. up: a time of
    at_work(); what is not checked by then is left out."""
    return in_english([each.text for each in essay.paragraphs], up) if language == "en" else Proofread()


def in_english(paragraphs: Sequence[str], up: float, harper: Engine = HARPER) -> Proofread:
    """The corrections of English by the pairs of words, the marks, and Harper's grammar and dictionary."""
    not_own = (_QUOTED, _ADDRESS)  # words of closed quotations, marks included, and of web addresses
    left_alone = [[found.span() for each in not_own for found in each.finditer(text)] for text in paragraphs]
    words = [Words(text, at) for at, text in enumerate(paragraphs)]
    in_time = takewhile(lambda _: at_work() < up, pausing(words))
    found = [[*confused_in(its), *marks_in(its)] for its in in_time]
    checked = _or_none(lambda: harper.corrections(words, up))
    spelling = _or_none(lambda: [*misspelt_in(words, left_alone, harper, up)])
    complete = checked is not None and spelling is not None and len(found) == len(paragraphs)
    every = [*chain(*found), *(checked or ()), *(spelling or ())]
    return Proofread(_without_overlaps(every, left_alone, paragraphs), () if complete else (NOT_ALL,))


def _or_none(ask: Callable[[], T]) -> T | None:
    """What is answered, None if nothing is."""
    try:
        return ask()
    except CheckerUnavailable:
        return None


def _without_overlaps(
    found: Sequence[Correction], left_alone: Sequence[Sequence[tuple[int, int]]], paragraphs: Sequence[str]
) -> list[Correction]:
    """The corrections in reading order, of those that overlap the first one found, a capital last; none where nothing is
    corrected, or to be corrected."""
    taken: list[list[tuple[int, int]]] = [[] for _ in paragraphs]  # in order, none overlaps: only the two beside one matter
    written = [paragraphs[one.paragraph][slice(*one.about)] for _, one in found]
    capitals = [words.lower() == one.instead.lower() for words, (_, one) in zip(written, found, strict=True)]
    remaining = []
    for place in sorted(range(len(found)), key=capitals.__getitem__):
        one, others = found[place][1], taken[found[place][1].paragraph]
        at = bisect(others, one.about)
        neighbours = (*left_alone[one.paragraph], *others[max(at - 1, 0) : at + 1])
        if not overlaps(one.about, neighbours) and written[place] != one.instead:
            others.insert(at, one.about)
            remaining.append(found[place])
    return sorted(remaining, key=lambda each: (each[1].paragraph, each[1].about))
