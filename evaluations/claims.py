"""How well citations are judged, by words and by the trained reader, on claims with known verdicts.

python -m evaluations.claims FILE… [--by words|reader]"""

import argparse
from functools import partial
from pathlib import Path

from chapterverse import composition
from chapterverse.citations.verdicts import judge_by_reading, judge_words
from evaluations.cases import read_claims
from evaluations.measures import CLAIM_MEASURES, JudgePairs, evaluate_claims


def judge_by(kind: str) -> JudgePairs:
    """The judge of that kind; words need no model."""
    if kind == "words":
        return lambda pairs: [judge_words(one) for one in pairs]
    return partial(judge_by_reading, read=composition.trained_reader().chances)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path, nargs="+")
    parser.add_argument("--by", choices=("words", "reader"), action="append")
    given = parser.parse_args()
    for file in given.claims:
        for kind in given.by or ("words", "reader"):
            metrics = evaluate_claims(read_claims(file.read_bytes()), judge_by(kind))
            print(f"{file.name}, by {kind}, {metrics.n} claims")
            for measure in CLAIM_MEASURES:
                if one := getattr(metrics, measure):
                    print(f"  {measure:24} {one.value:.3f} ({one.low:.3f} to {one.high:.3f}), n = {one.n}")
            for true, taken_for in metrics.confusion.items():
                print(f"  {true}: " + ", ".join(f"{number} taken for {taken}" for taken, number in taken_for.items()))


if __name__ == "__main__":
    main()
