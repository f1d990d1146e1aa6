"""The thresholds of verdicts, cross-validated over books: chosen on four fifths of the books, counted on the rest.

    verdicts.py CLAIMS.jsonl… [--shuffles N]

Prints what was chosen how often, and balanced accuracy in and out of fold. A few minutes."""

import argparse
from collections import Counter
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations import verdicts as verdict
from chapterverse.citations.model import VerdictKind
from chapterverse.citations.verdicts import judge_vectors, likenesses
from chapterverse.composition.models import embedder
from chapterverse.evaluation.cases import read_claims
from chapterverse.evaluation.measures import CLASSES, claim_pairs, three
from chapterverse.settings import Settings

FOLDS = 5
ABOUT = (0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38)
REFUTED = (-0.3, -0.16, -0.14, -0.12, -0.1, -0.08, -0.06)
TURNED = (-0.06, -0.05, -0.04, -0.03, -0.02, -0.01, 0.0, 0.02, 0.04, 0.08, 1.0)

Kinds = NDArray[np.object_]
Choice = tuple[float, float, float]


def balanced(true: Kinds, given: Kinds) -> float:
    return float(np.mean([np.mean(given[true == kind] == kind) for kind in CLASSES]))


def judged(claims: list, near: list) -> dict[Choice, Kinds]:
    """What each choice of thresholds makes of the claims."""
    found: dict[Choice, Kinds] = {}
    for about, refuted, turned in product(ABOUT, REFUTED, TURNED):
        with patch.multiple(verdict, ABOUT=about, REFUTED=refuted, TURNED=turned):
            kinds = [three(judge_vectors(said, its).kind) for said, its in zip(claims, near, strict=True)]
        found[about, refuted, turned] = np.array(kinds, object)
    return found


def out_of_fold(true: Kinds, books: NDArray[np.str_], given: dict[Choice, Kinds], seed: int) -> tuple[Kinds, Counter[Choice]]:
    """The verdicts by thresholds that were chosen on other books, and which those were."""
    shuffled = np.random.default_rng(seed).permutation(sorted(set(books)))
    verdicts, chosen = np.empty(len(true), object), Counter[Choice]()
    for fold in range(FOLDS):
        held_out = np.isin(books, shuffled[fold::FOLDS])
        best = max(given, key=lambda choice: balanced(true[~held_out], given[choice][~held_out]))
        verdicts[held_out] = given[best][held_out]
        chosen[best] += 1
    return verdicts, chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path, nargs="+")
    parser.add_argument("--shuffles", type=int, default=6)
    given = parser.parse_args()
    cases = [case for file in given.claims for case in read_claims(file.read_bytes())]
    claims = [said for case in cases for said in claim_pairs(case)]
    true = np.array([three(VerdictKind(claim.verdict)) for case in cases for claim in case.claims], object)
    books = np.array([case.book for case in cases for _ in case.claims])
    choices = judged(claims, likenesses(claims, embedder(Settings())))
    runs = [out_of_fold(true, books, choices, seed) for seed in range(given.shuffles)]
    print(f"{len(claims)} claims on {len(set(books))} books; about, refuted, turned:")
    for choice, times in sum((chosen for _, chosen in runs), Counter[Choice]()).most_common(5):
        print(f"  {choice}  chosen {times} times, in fold {balanced(true, choices[choice]):.3f}")
    print(f"out of fold {np.mean([balanced(true, verdicts) for verdicts, _ in runs]):.3f}")


if __name__ == "__main__":
    main()
