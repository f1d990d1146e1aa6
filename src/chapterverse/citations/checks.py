"""Checks of a claim against the sentence cited for it: numbers, order, negation, names, quantifiers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from chapterverse.citations.model import ClaimPair
from chapterverse.citations.words import Clause, StemmedWord, antonyms_between, content_of, read_clauses, read_words
from chapterverse.core.words import EMPTY, ORDINALS, PART, TENS, TIMES, TITLES, UNITS, WHOLE
from chapterverse.messages import Message, message


class Weight(IntEnum):
    """Strength of a finding. DOUBT: the claim says more, or something else. AGAINST: probably the opposite; vectors may
    overrule. CERTAIN: the opposite; vectors do not overrule."""

    DOUBT = 1
    AGAINST = 2
    CERTAIN = 3


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """reason: one sentence for a student of twelve who also sees the sentence of the book."""

    weight: Weight
    reason: Message


REVERSED = message("comparison_reversed")

_COMPARISON = re.compile(
    r"\b(?:than|before|after|rather than|instead of|at the expense of|prior to|followed by|subordinate to)\b", re.IGNORECASE
)

_END = re.compile(r"[.;:?!—]")


def check_order(claim: str, sentence: str) -> ClaimFinding | None:
    """AGAINST if both compare with the same word ("than", "before") and have its two sides in reverse order."""
    for word, ours in _comparisons(claim):
        for same, theirs in _comparisons(sentence):
            if word == same and _is_reversed(ours, theirs):
                return ClaimFinding(Weight.AGAINST, REVERSED)
    return None


Sides = tuple[frozenset[str], frozenset[str]]


def _comparisons(text: str) -> Iterator[tuple[str, Sides]]:
    """The word of each comparison, and the stems that occur only before it and only after it."""
    for part in _END.split(text):
        for found in _COMPARISON.finditer(part):
            before, after = (content_of(read_clauses(side)) for side in (part[: found.start()], part[found.end() :]))
            yield found[0].lower(), (before - after, after - before)


def _is_reversed(ours: Sides, theirs: Sides) -> bool:
    straight = len(ours[0] & theirs[0]) + len(ours[1] & theirs[1])
    crossed = len(ours[0] & theirs[1]) + len(ours[1] & theirs[0])
    return crossed > straight and bool(ours[0] & theirs[1] and ours[1] & theirs[0])


_NUMBER = rf"(?:\d+(?:\s?[-–]\s?\d+)?|[ivxlc]+|{'|'.join(UNITS.split())})\b"
_PLACE = re.compile(rf"\b(?:pp?|pages?|ch|chap|chapters?|vol|volumes?)(?:\.\s?|\s){_NUMBER}", re.IGNORECASE)
_IN_BRACKETS = re.compile(rf"\(\s*[A-Z](?:[^()]{{0,100}}[\s,.]){_NUMBER}\s*\)")


def without_references(claim: str) -> str:
    """The claim without its references, "(Mill, p. 5)" or "in Chapter 2", which claim nothing of the world."""
    return _PLACE.sub(" ", _IN_BRACKETS.sub(" ", claim))


_NAME = re.compile(r"(?<=[^.!?“\"\s]\s)[A-Z][^\W\d_]+|(?<=\b[A-Z][a-z]\.\s)[A-Z][^\W\d_]+|\b[A-Z]{2,}\b")


def check_names(claim: str, sentence: str, around: str) -> ClaimFinding | None:
    """DOUBT if both have names and none in common. around: the neighbours and the title, which may hold the names as well.
    No more than a doubt, because of nicknames and titles ("the Pope")."""
    ours, theirs = read_names(claim), read_names(sentence)
    strange = [name for name in ours if name not in around and name not in sentence]
    if not strange or len(strange) < len(ours) or not theirs:
        return None
    return ClaimFinding(Weight.DOUBT, message("book_other_name", ours=strange[0], theirs=theirs[0]))


def read_names(text: str) -> list[str]:
    """Capitalized words except the first of a sentence, so a name there is missed."""
    return [name for name in dict.fromkeys(_NAME.findall(text)) if name.lower() not in EMPTY | TITLES]


FEW_CLAUSES = 2  # in a longer sentence a negation counts only in a clause that the other shares a word with
ONLY_YOU = message("negated_by_you")
ONLY_THE_BOOK = message("negated_by_book")
NEGATED = message("yes_against_no")


def check_polarity(claim: str, sentence: str) -> ClaimFinding | None:
    """AGAINST if exactly one of the two is negated, by a negation or an antonym. Both together cancel each other out.

    Tested in the whole text first; then for the words that both have, each in its clause, as NegEx does in clinical texts
    (Chapman et al. 2001)."""
    ours, theirs = read_clauses(claim), read_clauses(sentence)
    antonyms = antonyms_between(_words(ours), _words(theirs))
    one_sided = _denies(ours, theirs) or _denies(theirs, ours)
    if one_sided == bool(antonyms) and sum(_votes(ours, theirs, antonyms)) >= 0:
        return None
    if antonyms and not one_sided:
        return ClaimFinding(
            Weight.AGAINST, message("opposite_words", ours=antonyms[0][0].written, theirs=antonyms[0][1].written)
        )
    reason = NEGATED if not one_sided else ONLY_YOU if _has_negation(ours) else ONLY_THE_BOOK
    return ClaimFinding(Weight.AGAINST, reason)


def _words(clauses: Sequence[Clause]) -> list[StemmedWord]:
    return [word for clause in clauses for word in clause.words]


def _has_negation(clauses: Sequence[Clause]) -> bool:
    return any(clause.has_negation for clause in clauses)


def _denies(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Whether one has a negation near the words they share, and the other has no negation or half-negation."""
    near = one if len(one) <= FEW_CLAUSES else [clause for clause in one if clause.content & content_of(other)]
    return _has_negation(near) and not _has_negation(other) and not _may_negate(other, _words(one))


def _may_negate(clauses: Sequence[Clause], shared: Iterable[StemmedWord]) -> bool:
    """Whether there is a half-negation ("hardly", "lacks") other than a word that both have."""
    return bool({word for clause in clauses for word in clause.half_negations} - {word.text for word in shared})


def _votes(
    ours: Sequence[Clause], theirs: Sequence[Clause], antonyms: Sequence[tuple[StemmedWord, StemmedWord]]
) -> Iterator[int]:
    """1 for each shared word that both affirm or both negate, -1 for each that one of them negates."""
    for one in ours:
        for other in theirs:
            sign = _sign(one, other)
            yield from (sign for _ in one.content & other.content)
            yield from (-sign for a, b in antonyms if a in one.words and b in other.words)


def _sign(one: Clause, other: Clause) -> int:
    """1 if both clauses are negated or neither, -1 if one is, 0 if the other may be as well."""
    if one.negated == other.negated:
        return 1
    plain, denied = (other, one) if one.negated else (one, other)
    return 0 if _may_negate([plain], denied.words) else -1


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


class NumberKind(Enum):
    """Kind of a number; numbers of different kinds do not contradict each other."""

    COUNT = "count"
    PLACE = "place"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text. written: all its words as in the text; of: stem of the thing counted, empty if none is near."""

    value: float
    written: str
    of: str

    @property
    def kind(self) -> NumberKind:
        """By its form: "1746" is a YEAR, "ninth" or "9th" a PLACE, "nine" a COUNT."""
        last = self.written.lower().split()[-1]
        if last in _ORDINALS or _ORDINAL.fullmatch(last):
            return NumberKind.PLACE
        return NumberKind.YEAR if _YEAR.fullmatch(self.written) else NumberKind.COUNT


def check_numbers(claim: str, sentence: str, around: str) -> ClaimFinding | None:
    """DOUBT if a number of the claim is neither in the sentence nor around it; CERTAIN if the sentence has another one for the
    same thing, or if each has one number that the other lacks. around: neighbours and title."""
    ours, theirs = read_numbers(claim), read_numbers(sentence)
    known = {number.value for number in (*theirs, *read_numbers(around))}
    strange = [number for number in ours if number.value not in known]
    claimed = {number.value for number in ours}
    only_theirs = [number for number in theirs if number.value not in claimed]
    if not strange:
        return None
    for number in strange:
        if other := _instead_of(number, only_theirs):
            return ClaimFinding(Weight.CERTAIN, message("book_other_number", ours=number.written, theirs=other.written))
    exact = [number for number in strange if number.written.lower() not in _LOOSE]
    return ClaimFinding(Weight.DOUBT, message("number_not_in_book", ours=exact[0].written)) if exact else None


def read_numbers(text: str) -> list[Number]:
    """Numbers in digits and words, "1,234" and "two hundred and five"; without "one", which is mostly a pronoun."""
    return list(_numbers(read_words(text)))


def _instead_of(number: Number, others: Sequence[Number]) -> Number | None:
    """The sentence's number that contradicts the claim's; None if none does.

    It is the only one of the same thing; else the only one there, if it is of the same kind. Then it is never a duration,
    because a quarter of a year is the same as three months."""
    same = [other for other in others if other.of == number.of and (number.of or other.kind is number.kind)]
    only = len(others) == 1 and others[0].kind is number.kind and number.of not in TIMES and others[0].of not in TIMES
    return same[0] if len(same) == 1 else others[0] if only else None


def _numbers(words: Sequence[StemmedWord]) -> Iterator[Number]:
    at = 0
    while at < len(words):
        value, length = _number_at(words, at)
        if length:
            end = at + length
            written = " ".join(word.written for word in words[at:end])
            of = _COUNTED.get(words[at].text) or next((word.stem for word in words[end : end + REACH] if word.means), "")
            yield Number(value, written, of)
        at += length or 1


def _number_at(words: Sequence[StemmedWord], at: int) -> tuple[float, int]:
    """Value and length in words of the number that begins at a word; length 0 if none does."""
    total, part, length = 0.0, 0.0, 0
    for place, word in enumerate(words[at:], start=1):
        numeral = _numeral(word.text)
        if numeral is not None and (not length or _goes_on(total, part, numeral)):
            part, length = part + numeral, place
        elif word.text in _SCALES and length:
            total, part = (total, part * 100) if word.text == "hundred" else (total + part * _SCALES[word.text], 0.0)
            length = place
        elif word.text != "and" or total + part < 100:
            break
    return total + part, length


def _goes_on(total: float, part: float, numeral: float) -> bool:
    """Whether a number word continues a number: "twenty five", "two hundred five", not "ten twelve"."""
    after_hundreds = numeral < 100 and part % 100 == 0 and total + part > 0
    after_tens = numeral < 10 and part % 10 == 0 and part % 100 >= 20
    return after_hundreds or after_tens


def _numeral(text: str) -> float | None:
    plain = text.rstrip("stndrh").replace(",", "")
    if plain[:1].isdecimal():
        return float(plain) if plain.replace(".", "", 1).isdecimal() else None
    return _WORDS.get(text)


def check_quantifiers(claim: str, sentence: str) -> ClaimFinding | None:
    """DOUBT if the claim speaks of the whole ("always", "all") and the sentence only of a part ("sometimes", "some")."""
    ours, theirs = ({word.text for word in read_words(text.replace("at all", ""))} for text in (claim, sentence))
    whole, part = sorted(ours & WHOLE), sorted(theirs & PART)
    if not whole or not part or ours & PART or theirs & WHOLE:
        return None
    return ClaimFinding(Weight.DOUBT, message("book_more_careful", ours=whole[0], theirs=part[0]))


def run_checks(pair: ClaimPair) -> list[ClaimFinding]:
    """Findings of all checks, strongest first; none on a text that is not what is printed, for its numbers may be wrong."""
    if not pair.quotable:
        return []
    claim = without_references(pair.claim)
    found = (
        check_numbers(claim, pair.sentence, pair.around),
        check_order(claim, pair.sentence),
        check_polarity(claim, pair.sentence),
        check_names(claim, pair.sentence, pair.around),
        check_quantifiers(claim, pair.sentence),
    )
    return sorted((finding for finding in found if finding), key=lambda finding: -finding.weight)
