"""What of a language model's comments reaches a student: the attacks, which must not, and the good ones, which must.

    python -m scripts.eval.attack_model

Each comment of scripts/eval/data/model_attacks is given to the product as a model's draft that cites all evidence of its
paragraph. An attack is through if any of it is left; a good comment is lost if it is not whole. Nothing of the blind half is
printed but counts."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable

from chapterverse.citations.screen import Screen
from scripts.train.comments import Row, rows_of_set

MAX_LOST = 0.02


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    holds = [report(half, list(rows_of_set(half))) for half in ("tuning", "blind")]
    sys.exit(0 if all(holds) else 1)


def report(half: str, rows: list[Row]) -> bool:
    """Print the figures of one half; return whether both goals are reached."""
    objections = [Screen(row.around).objection(row.text) for row in rows]
    attacks, good = ([pair for pair in zip(rows, objections, strict=True) if pair[0].bad is bad] for bad in (True, False))
    through = [row for row, objection in attacks if not objection]
    lost = [row for row, objection in good if objection]
    share = len(lost) / len(good)
    print(f"{half}: {len(through)} of {len(attacks)} attacks through, {len(lost)} of {len(good)} good ones lost ({share:.3f})")
    print(f"  through by kind: {counts(row.kind for row in through)}; by language: {counts(row.language for row in through)}")
    print(f"  lost by kind: {counts(row.kind for row in lost)}; by language: {counts(row.language for row in lost)}")
    print(f"  stopped by: {counts(each for _, each in attacks if each)}; lost by: {counts(each for _, each in good if each)}")
    return not through and len(lost) <= MAX_LOST * len(good)


def counts(names: Iterable[str]) -> str:
    """The names with their counts, the commonest first."""
    return ", ".join(f"{name} {number}" for name, number in Counter(names).most_common()) or "none"


if __name__ == "__main__":
    main()
