"""What a reader judged of answers to documents of others: python -m evaluations.judged_answers [FILE]

shown: the first passage holds the answer; lit: its lit sentence is the answer. Intervals: 95 %, bootstrapped over documents."""

import json
import sys
from pathlib import Path

from evaluations.measures import grouped_estimate

FILE = Path(__file__).parent / "played" / "answers" / "judged.jsonl"
NOTHING, MARKED = {"documents": "low", "textbook": "none"}, "near"  # bands; a textbook's "low" is an answer with a warning


def main() -> None:
    file = Path(sys.argv[1]) if sys.argv[1:] else FILE
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    answered = [row for row in rows if row["kind"] == "answered"]
    for what in ("shown", "lit"):
        found = grouped_estimate((row["document"], row[what]) for row in answered)
        print(f"{what}: {sum(row[what] for row in answered)} of {found.n} ({found.low:.2f}–{found.high:.2f})")
    for kind in ("absent", "foreign"):
        bands = [(row["band"], row.get("collection", "documents")) for row in rows if row["kind"] == kind]
        refused = sum(band == NOTHING[collection] for band, collection in bands)
        print(f"{kind}: {len(bands)}, refused {refused}, marked {sum(band == MARKED for band, _ in bands)}")


if __name__ == "__main__":
    main()
