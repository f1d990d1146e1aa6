"""Whether claim and sentence say the opposite of each other: by "not" and its kind, and by words of opposite meaning."""

from collections.abc import Iterable, Iterator, Sequence

from chapterverse.evidence.checks.finding import Finding, Weight
from chapterverse.evidence.checks.opposites import opposites_between
from chapterverse.evidence.checks.words import Clause, Word, content_of, read_clauses
from chapterverse.messages import message

FEW_CLAUSES = 2  # in a longer sentence a negation counts only in a clause that the other shares a word with

ONLY_YOU = message("negated_by_you")
ONLY_THE_BOOK = message("negated_by_book")
TURNED = message("yes_against_no")


def check_polarity(claim: str, sentence: str) -> Finding | None:
    """A claim says the opposite of a sentence where it is turned round once: by a negation or by an opposite, not by both.

    Whether only one of the two has a negation is looked at first; then the words they share, each in its clause, as NegEx does
    in clinical texts (Chapman et al. 2001)."""
    ours, theirs = read_clauses(claim), read_clauses(sentence)
    opposites = opposites_between(_words(ours), _words(theirs))
    one_sided = _denies(ours, theirs) or _denies(theirs, ours)
    if one_sided == bool(opposites) and sum(_votes(ours, theirs, opposites)) >= 0:
        return None
    if opposites and not one_sided:
        return Finding(Weight.AGAINST, message("opposite_words", ours=opposites[0][0].written, theirs=opposites[0][1].written))
    reason = TURNED if not one_sided else ONLY_YOU if _has_negation(ours) else ONLY_THE_BOOK
    return Finding(Weight.AGAINST, reason)


def _words(clauses: Sequence[Clause]) -> list[Word]:
    return [word for clause in clauses for word in clause.words]


def _has_negation(clauses: Sequence[Clause]) -> bool:
    return any(clause.has_negation for clause in clauses)


def _denies(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Whether one has a negation, near what the two share, and the other nothing that may stand for it."""
    near = one if len(one) <= FEW_CLAUSES else [clause for clause in one if clause.content & content_of(other)]
    return _has_negation(near) and not _has_negation(other) and not _may_negate(other, _words(one))


def _may_negate(clauses: Sequence[Clause], shared: Iterable[Word]) -> bool:
    """Whether there is half a negation that is not simply a word that the two share."""
    return bool({word for clause in clauses for word in clause.half_negations} - {word.text for word in shared})


def _votes(ours: Sequence[Clause], theirs: Sequence[Clause], opposites: Sequence[tuple[Word, Word]]) -> Iterator[int]:
    """1 for each word that both say alike, -1 for each that one of them turns round."""
    for one in ours:
        for other in theirs:
            turned = _sign(one, other)
            yield from (turned for _ in one.content & other.content)
            yield from (-turned for a, b in opposites if a in one.words and b in other.words)


def _sign(one: Clause, other: Clause) -> int:
    """1 where both are negated or neither, -1 where one is, 0 where the other may be, too."""
    if one.negated == other.negated:
        return 1
    plain, denied = (other, one) if one.negated else (one, other)
    return 0 if _may_negate([plain], denied.words) else -1
