"""What would be shown if the trained reader may reject what the usefulness model finds likely (essays/evidence.py).

    python -m scripts.train.second_reading --corpus FOLDER --held SHELF

Held: shelves that neither of the two was trained on. Candidates are those judged in scripts/train/data that are in the corpus;
shown is at most the best of a paragraph."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

import numpy as np

from chapterverse.core.names import fingerprint
from chapterverse.essays.evidence import READ
from chapterverse.essays.usefulness import Numbers, usefulness_model
from chapterverse.infrastructure.llm.readers import TrainedReader
from scripts.train.corpus import Corpus
from scripts.train.examples import DATA, Training
from scripts.train.usefulness import USEFUL, Judged, judged_candidates

LIKELY = (0.25, 0.3, 0.35, 0.4)  # chances by vectors
AGREED = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)  # chances by reading


def by_vectors(judged: Judged) -> Numbers:
    """The chance of each candidate by the usefulness model."""
    model = usefulness_model()
    sums = np.concatenate(judged.features) @ model.weights + np.stack(judged.vectors) @ model.prior + model.bias
    return np.asarray(1 / (1 + np.exp(-sums)), np.float64)


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--held", action="append", required=True)
    parser.add_argument("--data", type=Path, default=DATA)
    given = parser.parse_args()
    training = Training([Corpus(given.corpus)], given.data)
    judged = judged_candidates([Corpus(given.corpus)], given.data, [one for one in training.shelves if one not in given.held])
    pairs = {(one.group, fingerprint(one.pair.sentence, digits=8)): one.pair for one in training.judged(given.held)}
    likely, scores, paragraphs = by_vectors(judged), np.array(judged.scores), np.array(judged.paragraphs)
    places = [np.flatnonzero(paragraphs == one) for one in np.unique(paragraphs)]
    firsts = [its[np.argsort(-likely[its], kind="stable")[:READ]] for its in places]
    rows = [row for its in firsts for row in its if likely[row] >= LIKELY[0]]
    found = TrainedReader().chances([pairs[judged.paragraphs[row], judged.digests[row]] for row in rows])
    read = {row: one.useful for row, one in zip(rows, found, strict=True) if one}
    hold = sum((scores[its] == USEFUL).any() for its in places)
    print(f"{len(places)} paragraphs, of which {hold} have a useful sentence; {len(scores)} candidates")
    for threshold in LIKELY:
        for agreed in AGREED:
            kept = ([row for row in its if likely[row] >= threshold and read[row] >= agreed] for its in firsts)
            shown = [int(scores[its[0]]) for its in kept if its]
            useful, irrelevant = (shown.count(score) / max(1, len(shown)) for score in (USEFUL, 0))
            row = f"useful {useful:.2f}, irrelevant {irrelevant:.2f}, found {shown.count(USEFUL) / hold:.2f}"
            print(f"{threshold:.2f} {agreed:.2f}: {len(shown)} shown, {row}")


if __name__ == "__main__":
    main()
