"""Numbers and dates: those of the claim have to be the book's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from chapterverse.evidence.checks.finding import Finding, Weight
from chapterverse.evidence.checks.vocabulary import ORDINALS, TENS, TIMES, UNITS
from chapterverse.evidence.checks.words import Word, read_words
from chapterverse.messages import message

_UNITS = dict(zip(UNITS.split(), range(2, 20), strict=True))
_TENS = dict(zip(TENS.split(), range(20, 100, 10), strict=True))
_ORDINALS = dict(zip(ORDINALS.split(), range(3, 21), strict=True))
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_LOOSE = {"single": 1, "once": 1, "twice": 2, "double": 2, "triple": 3, "second": 2}  # not always numbers
_WORDS = {**_LOOSE, **_UNITS, **_TENS, **_ORDINALS, "dozen": 12}
_COUNTED = {"once": "time", "twice": "time"}
REACH = 3  # words after a number within which the thing counted stands


_ORDINAL = re.compile(r"[\d,]+(?:st|nd|rd|th)")
_YEAR = re.compile(r"1\d{3}|20\d{2}")


class Kind(Enum):
    """What a number says; one of another kind is not the other one's opposite."""

    COUNT = "count"
    PLACE = "place"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Number:
    """value; written: as in the text, with all its words; of: the stem of the thing counted, empty if none is near."""

    value: float
    written: str
    of: str

    @property
    def kind(self) -> Kind:
        """As it is written: "1746", "ninth" or "9th", "nine"."""
        last = self.written.lower().split()[-1]
        if last in _ORDINALS or _ORDINAL.fullmatch(last):
            return Kind.PLACE
        return Kind.YEAR if _YEAR.fullmatch(self.written) else Kind.COUNT


def check_numbers(claim: str, sentence: str, around: str) -> Finding | None:
    """around: the sentences before and after. A number that is nowhere there is a DOUBT; where the sentence has another one for
    the same thing, or where each has a number of its own that the other lacks, it is CERTAIN that they differ."""
    ours, theirs = read_numbers(claim), read_numbers(sentence)
    known = {number.value for number in (*theirs, *read_numbers(around))}
    strange = [number for number in ours if number.value not in known]
    said = {number.value for number in ours}
    unsaid = [number for number in theirs if number.value not in said]
    if not strange:
        return None
    for number in strange:
        if other := _instead_of(number, unsaid):
            return Finding(Weight.CERTAIN, message("book_other_number", ours=number.written, theirs=other.written))
    exact = [number for number in strange if number.written.lower() not in _LOOSE]
    return Finding(Weight.DOUBT, message("number_not_in_book", ours=exact[0].written)) if exact else None


def read_numbers(text: str) -> list[Number]:
    """Of figures and words, "1,234" and "two hundred and five"; "one" is left out, because it is mostly a pronoun."""
    return list(_numbers(read_words(text)))


def _instead_of(number: Number, others: Sequence[Number]) -> Number | None:
    """The only one of the same thing, or the only one there is; but not a quarter of a year for three months, nor the ninth
    circuit for a year."""
    same = [other for other in others if other.of == number.of and (number.of or other.kind is number.kind)]
    only = len(others) == 1 and others[0].kind is number.kind and number.of not in TIMES and others[0].of not in TIMES
    return same[0] if len(same) == 1 else others[0] if only else None


def _numbers(words: Sequence[Word]) -> Iterator[Number]:
    at = 0
    while at < len(words):
        value, length = _number_at(words, at)
        if length:
            end = at + length
            written = " ".join(word.written for word in words[at:end])
            of = _COUNTED.get(words[at].text) or next((word.stem for word in words[end : end + REACH] if word.means), "")
            yield Number(value, written, of)
        at += length or 1


def _number_at(words: Sequence[Word], at: int) -> tuple[float, int]:
    """The number that begins at a word and how many words it has; 0 words where none begins there."""
    total, part, length = 0.0, 0.0, 0
    for place, word in enumerate(words[at:], start=1):
        figure = _figure(word.text)
        if figure is not None and (not length or _goes_on(total, part, figure)):
            part, length = part + figure, place
        elif word.text in _SCALES and length:
            total, part = (total, part * 100) if word.text == "hundred" else (total + part * _SCALES[word.text], 0.0)
            length = place
        elif word.text != "and" or total + part < 100:
            break
    return total + part, length


def _goes_on(total: float, part: float, figure: float) -> bool:
    """Whether a number word continues the number before it: "twenty five", "two hundred five", not "ten twelve"."""
    after_hundreds = figure < 100 and part % 100 == 0 and total + part > 0
    after_tens = figure < 10 and part % 10 == 0 and part % 100 >= 20
    return after_hundreds or after_tens


def _figure(text: str) -> float | None:
    plain = text.rstrip("stndrh").replace(",", "")
    if plain[:1].isdecimal():
        return float(plain) if plain.replace(".", "", 1).isdecimal() else None
    return _WORDS.get(text)
