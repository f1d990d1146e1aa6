"""Proofread an essay without a language model: corrections that are sure, and nothing else."""

import re
from bisect import bisect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import TypeVar

from chapterverse.core.turns import at_work, pausing
from chapterverse.essays.model import Essay, overlaps
from chapterverse.essays.proofreading.harper import CheckerUnavailable, engine
from chapterverse.essays.proofreading.rules import RULES, Correction, Words, confused_in, found_in, marks_in
from chapterverse.essays.proofreading.spelling import Dictionary, misspelt_in, names_in
from chapterverse.essays.proofreading.words import pair
from chapterverse.messages import Message, message

T = TypeVar("T")
Checker = Callable[[Sequence[str], float], list[Correction]]
"""The mistakes in some paragraphs, within so many seconds. Raises CheckerUnavailable."""
NOT_ALL = message("proofreading_not_all")
_QUOTED = re.compile(r"[“„][^”“]{0,3000}[”“]|\"[^\"]+\"|»[^«]+«|«[^»]+»")
_ADDRESS = re.compile(r"\b(?:https?:|www\.)\s?(?:[\w/-]+\.\s?)*\S+|\b(?:[\w-]+\.\s?)+(?:com|org|edu|gov|net|html?)\b(?:/\S*)?")


@dataclass(frozen=True, slots=True)
class Proofread:
    """The corrections of an essay in reading order, none of which overlap. notes: what was not checked."""

    corrections: tuple[Correction, ...] = ()
    notes: tuple[Message, ...] = ()


def load_checkers() -> None:
    """Read the counts of pairs of words, and begin to load Harper."""
    engine()
    pair("", "")


def proofread(essay: Essay, language: str, up: float) -> Proofread:
    """The corrections of an English essay, outside quotations and web addresses; none in another language. up: a time of
    at_work(); what is not checked by then is left out."""
    paragraphs = [each.text for each in essay.paragraphs]
    return in_english(paragraphs, engine().corrections, engine().unknown, up) if language == "en" else Proofread()


def in_english(paragraphs: Sequence[str], checker: Checker, dictionary: Dictionary, up: float) -> Proofread:
    """The corrections of English by the tables, the pairs of words, the marks, a grammar checker and a dictionary."""
    left_alone = [not_corrected(text) for text in paragraphs]
    words = [Words(text, at) for at, text in enumerate(paragraphs)]
    in_time = takewhile(lambda _: at_work() < up, pausing(words))
    found = [[*found_in(its, RULES, lambda: at_work() > up), *confused_in(its), *marks_in(its)] for its in in_time]
    checked = _or_none(lambda: checker(paragraphs, max(up - at_work(), 0)))
    names = names_in(words)
    spelling = _or_none(lambda: [*misspelt_in(words, names, left_alone, dictionary, max(up - at_work(), 0))])
    by_checker = (one for one in checked or () if not _is_of_name(one, paragraphs, names))
    every = sorted(
        (*chain(*found), *by_checker, *(spelling or ())), key=lambda one: one.kind == "capitals"
    )  # a word before its capital
    complete = checked is not None and spelling is not None and len(found) == len(paragraphs)
    return Proofread(_without_overlaps(every, left_alone, paragraphs), () if complete else (NOT_ALL,))


def _is_of_name(one: Correction, paragraphs: Sequence[str], names: Collection[str]) -> bool:
    words = paragraphs[one.paragraph][slice(*one.span)]
    return one.kind == "spelling" and words[:1].isupper() and words.lower() in names


def _or_none(ask: Callable[[], T]) -> T | None:
    """What is answered, None if nothing is."""
    try:
        return ask()
    except CheckerUnavailable:
        return None


def _without_overlaps(
    found: Sequence[Correction], left_alone: Sequence[Sequence[tuple[int, int]]], paragraphs: Sequence[str]
) -> tuple[Correction, ...]:
    """The corrections in reading order, of those that overlap the first one found, none where nothing is corrected."""
    taken: list[list[tuple[int, int]]] = [[] for _ in paragraphs]  # in order, none overlaps: only the two beside one matter
    remaining = []
    for one in found:
        others = taken[one.paragraph]
        at = bisect(others, one.span)
        neighbours = (*left_alone[one.paragraph], *others[max(at - 1, 0) : at + 1])
        if not overlaps(one.span, neighbours) and paragraphs[one.paragraph][slice(*one.span)] != one.instead:
            others.insert(at, one.span)
            remaining.append(one)
    return tuple(sorted(remaining, key=lambda one: (one.paragraph, one.span)))


def not_corrected(text: str) -> list[tuple[int, int]]:
    """The spans of closed quotations, marks included, and of web addresses: no words of the writer's own."""
    return [found.span() for pattern in (_QUOTED, _ADDRESS) for found in pattern.finditer(text)]
