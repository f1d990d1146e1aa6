"""What a reader judged of answers to documents of others: python -m evaluations.judged_answers [FILE]

shown: the first passage holds the answer; lit: its lit sentence is the answer. Intervals: 95 %, bootstrapped over documents."""

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "played" / "answers" / "judged.jsonl"
SEED, DRAWS = 7, 4000
NOTHING, MARKED = "low", "near"  # bands


def interval(rows: Sequence[dict[str, Any]], what: str) -> str:
    by = defaultdict[str, list[bool]](list)
    for row in rows:
        by[row["document"]].append(row[what])
    draw, documents = np.random.default_rng(SEED), list(by.values())
    drawn = (draw.integers(0, len(documents), len(documents)) for _ in range(DRAWS))
    means = [np.mean([each for at in some for each in documents[at]]) for some in drawn]
    return "–".join(f"{value:.2f}" for value in np.percentile(means, [2.5, 97.5]))


def main() -> None:
    file = Path(sys.argv[1]) if sys.argv[1:] else FILE
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    answered = [row for row in rows if row["kind"] == "answered"]
    for what in ("shown", "lit"):
        print(f"{what}: {sum(row[what] for row in answered)} of {len(answered)} ({interval(answered, what)})")
    for kind in ("absent", "foreign"):
        bands = [row["band"] for row in rows if row["kind"] == kind]
        print(f"{kind}: {len(bands)}, refused {bands.count(NOTHING)}, marked {bands.count(MARKED)}")


if __name__ == "__main__":
    main()
