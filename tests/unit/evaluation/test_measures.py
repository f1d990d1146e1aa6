from collections.abc import Sequence

import numpy as np
import pytest

from chapterverse.citations.model import ClaimPair, Verdict, VerdictKind
from chapterverse.evaluation.search import mean_estimate, recall_at, reciprocal_ranks
from chapterverse.messages import plain
from evaluations.cases import GoldClaim, JudgedSentence
from evaluations.measures import (
    JudgePairs,
    auroc,
    auroc_estimate,
    balanced_accuracy_estimate,
    evaluate_claims,
)


def test_recall_counts_the_sentences_among_the_first_k() -> None:
    assert recall_at(5, [1, 5, 6, None]).tolist() == [1, 1, 0, 0]


def test_a_reciprocal_rank_is_nothing_where_the_sentence_was_not_found() -> None:
    assert reciprocal_ranks([1, 2, 4, None]).tolist() == [1, 0.5, 0.25, 0]


def test_auroc_is_the_share_of_pairs_in_the_right_order_and_half_of_the_ties() -> None:
    assert auroc(np.array([0.9, 0.5]), np.array([0.1, 0.5])) == pytest.approx(3.5 / 4)


def test_a_figure_stands_inside_its_interval() -> None:
    figure = mean_estimate(np.array([0.0, 1.0] * 50))

    assert figure.value == 0.5
    assert figure.low == pytest.approx(0.4, abs=0.02)
    assert figure.high == pytest.approx(0.6, abs=0.02)
    assert figure.n == 100


def test_more_cases_make_the_interval_narrower() -> None:
    few, many = (mean_estimate(np.array([0.0, 1.0] * cases)) for cases in (10, 1000))

    assert many.high - many.low < (few.high - few.low) / 5


def test_figures_are_the_same_at_every_run() -> None:
    assert mean_estimate(np.arange(9.0)) == mean_estimate(np.arange(9.0))


def test_perfect_separation_is_certain_however_the_cases_are_drawn() -> None:
    figure = auroc_estimate(np.array([0.8, 0.9]), np.array([0.1]))

    assert (figure.value, figure.low, figure.high, figure.n) == (1.0, 1.0, 1.0, 3)


def test_balanced_accuracy_counts_every_class_alike_whatever_its_size() -> None:
    figure = balanced_accuracy_estimate([np.ones(98), np.zeros(2)])

    assert (figure.value, figure.n) == (0.5, 100)


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
    found = evaluate_claims(cases(SUPPORTS), saying(SUPPORTS))

    assert found.contradiction_recall is None
    assert found.contradiction_precision is None
    assert found.n == 1


def test_a_claim_is_judged_beside_its_sentence_and_neighbours() -> None:
    seen: list[ClaimPair] = []

    def judge(said: Sequence[ClaimPair]) -> list[Verdict]:
        seen.extend(said)
        return [Verdict(SUPPORTS, plain("Because.")) for _ in said]

    evaluate_claims(cases(SUPPORTS), judge)

    assert seen == [ClaimPair("Claim 0.", "It stands.", "Before.", "", "On Liberty")]
