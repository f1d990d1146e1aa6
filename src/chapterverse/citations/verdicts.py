"""Verdicts: whether a sentence of a book supports a claim, by words or by the trained reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from chapterverse.citations.checks import ClaimFinding, Weight, run_checks
from chapterverse.citations.model import BY_RELATION, Cited, ClaimPair, Relation, Verdict, VerdictKind, claim_pair
from chapterverse.citations.words import content_of, read_clauses
from chapterverse.core.ports import Chances, Pair, Read
from chapterverse.messages import Message, message

SHARED_WORDS = 0.08  # share of the claim's content words that a sentence about it must have
MAX_CLAIM_WORDS = 60  # a longer claim is a paragraph; one finding does not contradict all of it
ALIKE = message("book_may_be_same")
NOT_ABOUT = message("book_does_not_tell")


def judge_by_words(cited: Sequence[Cited]) -> list[Verdict]:
    """Verdicts by words alone, without a model: a JudgeAll."""
    return [judge_words(claim_pair(claim, evidence)) for claim, evidence in cited]


def judge_words(pair: ClaimPair) -> Verdict:
    """Verdict by words alone: nothing in words bears a claim out."""
    shared = content_of(read_clauses(pair.claim)) & content_of(read_clauses(pair.sentence))
    if len(shared) < SHARED_WORDS * len(content_of(read_clauses(pair.claim))) or not shared:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    findings = run_checks(pair)
    return _of(findings[0], pair) if findings else Verdict(VerdictKind.PARTLY, ALIKE)


def _of(worst: ClaimFinding, pair: ClaimPair) -> Verdict:
    against = worst.weight > Weight.DOUBT and len(pair.claim.split()) <= MAX_CLAIM_WORDS
    return Verdict(VerdictKind.CONTRADICTS if against else VerdictKind.PARTLY, worst.reason)


def objection(pair: ClaimPair) -> Message | None:
    """What the checks on words and numbers have against saying that the sentence supports the claim; None if nothing."""
    return next((finding.reason for finding in run_checks(pair)), None)


SURE = 0.9  # chance from which it is said that the book says the same, or otherwise


def relation_of(chances: Chances) -> Relation:
    """The relation that the reader is sure of; else BACKGROUND: something to read."""
    if chances.contradicts >= SURE:
        return Relation.CONTRADICTS
    return Relation.SUPPORTS if chances.supports >= SURE else Relation.BACKGROUND


def judge_by_reading(pairs: Sequence[ClaimPair], read: Read) -> list[Verdict]:
    """A verdict by the trained reader for each pair, in order; what a check finds against a claim is never SUPPORTS. Raises
    ModelUnavailable."""
    found = read([Pair(one.claim, one.sentence, one.previous, one.next) for one in pairs], inf)
    verdicts = [(pair, BY_RELATION[relation_of(chances)]) for pair, chances in zip(pairs, found, strict=True) if chances]
    return [_checked(its, pair) for pair, its in verdicts]


def _checked(verdict: Verdict, pair: ClaimPair) -> Verdict:
    if verdict.kind is VerdictKind.SUPPORTS and (reason := objection(pair)):
        return Verdict(VerdictKind.PARTLY, message("check_the_meaning", reason=reason))
    return verdict


@dataclass(frozen=True, slots=True)
class JudgeByReading:
    """The JudgeAll of answers: the trained reader, and words where the source has another number for the same thing."""

    read: Read

    def __call__(self, cited: Sequence[Cited]) -> list[Verdict]:
        pairs = [claim_pair(claim, evidence) for claim, evidence in cited]
        verdicts = judge_by_reading(pairs, self.read)
        return [judge_words(pair) if _has_other_number(pair) else its for pair, its in zip(pairs, verdicts, strict=True)]


def _has_other_number(pair: ClaimPair) -> bool:
    return any(finding.weight is Weight.CERTAIN for finding in run_checks(pair))
