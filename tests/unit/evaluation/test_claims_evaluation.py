from collections.abc import Sequence

import pytest

from chapterverse.citations.model import ClaimPair, Verdict, VerdictKind
from chapterverse.evaluation.cases import GoldClaim, JudgedSentence
from chapterverse.evaluation.claims import JudgePairs, evaluate_claims
from chapterverse.messages import plain

SUPPORTS, PARTLY, CONTRADICTS, NOT_FOUND = VerdictKind


def cases(*verdicts: VerdictKind) -> list[JudgedSentence]:
    """One sentence with so many claims."""
    claims = tuple(GoldClaim(text=f"Claim {number}.", verdict=verdict.value) for number, verdict in enumerate(verdicts))
    return [JudgedSentence(book="on-liberty", sentence="It stands.", previous="Before.", claims=claims)]


def saying(*verdicts: VerdictKind) -> JudgePairs:
    """A judge who gives these, in order."""
    return lambda said: [Verdict(kind, plain("Because.")) for kind, _ in zip(verdicts, said, strict=True)]


def test_partly_counts_as_supports_on_either_side() -> None:
    figures = evaluate_claims(cases(SUPPORTS, PARTLY, NOT_FOUND), saying(PARTLY, SUPPORTS, NOT_FOUND))

    assert figures.balanced_accuracy.value == 1


def test_every_class_counts_alike() -> None:
    figures = evaluate_claims(cases(SUPPORTS, SUPPORTS, SUPPORTS, CONTRADICTS), saying(*[SUPPORTS] * 4))

    assert figures.balanced_accuracy.value == 0.5
    assert figures.confusion[CONTRADICTS][SUPPORTS] == 1


def test_contradictions_are_told_apart_by_recall_and_precision() -> None:
    given = (CONTRADICTS, SUPPORTS, CONTRADICTS, CONTRADICTS, NOT_FOUND)

    figures = evaluate_claims(cases(CONTRADICTS, CONTRADICTS, SUPPORTS, NOT_FOUND, NOT_FOUND), saying(*given))

    assert figures.contradiction_recall
    assert figures.contradiction_precision
    assert figures.contradiction_recall.value == 0.5
    assert figures.contradiction_precision.value == pytest.approx(1 / 3)


def test_what_there_is_no_case_of_has_no_figure() -> None:
    found = evaluate_claims(cases(SUPPORTS), saying(SUPPORTS)).summary()

    assert found["contradiction_recall"] is None
    assert found["contradiction_precision"] is None
    assert found["n"] == 1


def test_a_claim_is_judged_beside_its_sentence_and_neighbours() -> None:
    seen: list[ClaimPair] = []

    def judge(said: Sequence[ClaimPair]) -> list[Verdict]:
        seen.extend(said)
        return [Verdict(SUPPORTS, plain("Because.")) for _ in said]

    evaluate_claims(cases(SUPPORTS), judge)

    assert seen == [ClaimPair("Claim 0.", "It stands.", "Before.", "", "On Liberty")]
