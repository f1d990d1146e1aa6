"""The trained reader on shelves that it was not trained on: what would be shown, and what would be said of it, by threshold.

    python -m scripts.eval.reader --corpus FOLDER --held SHELF     (make eval-reader CORPUS=… HELD=…)

Candidates are those judged in scripts/train/data. Shown are at most two sentences of a paragraph, as in feedback. A claim's
verdict is compared with what it was written as ("partly" counts as neither)."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from chapterverse.core.ports import Chances, Pair
from chapterverse.essays.evidence import MAX_CHOSEN
from chapterverse.infrastructure.llm.readers import TrainedReader
from evaluations.measures import auroc
from scripts.train.corpus import Corpus
from scripts.train.examples import DATA, RELATIONS, USEFUL, Example, Training

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)
SURE = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def read(reader: TrainedReader, examples: Sequence[Example]) -> list[Chances]:
    """The chances of each pair."""
    return [chances for chances in reader.chances([example.pair for example in examples]) if chances]


def show_evidence(examples: Sequence[Example], chances: Sequence[Chances]) -> None:
    """What would be shown, by the threshold of usefulness."""
    groups = defaultdict[str, list[tuple[float, int]]](list)
    for example, found in zip(examples, chances, strict=True):
        groups[example.group].append((found.useful, example.useful))
    useful = np.array([found.useful for found in chances])
    truth = np.array([example.useful == 2 for example in examples])
    print(f"{len(examples)} candidates of {len(groups)} paragraphs; AUC of useful {auroc(useful[truth], useful[~truth]):.3f}")
    hold = [its for its in groups.values() if any(score == 2 for _, score in its)]
    print("threshold  shown  useful  on topic  irrelevant  found where one is  silent where none is")
    for threshold in THRESHOLDS:
        shown = {
            group: [one for one in sorted(its, reverse=True)[:MAX_CHOSEN] if one[0] >= threshold]
            for group, its in groups.items()
        }
        scores = [score for its in shown.values() for _, score in its]
        shares = [scores.count(score) / len(scores) if scores else float("nan") for score in (2, 1, 0)]
        found = sum(any(score == 2 for _, score in its) for its in shown.values()) / len(hold)
        none = [shown[group] for group, its in groups.items() if not any(score == 2 for _, score in its)]
        silent = sum(not its for its in none) / len(none)
        print(
            f"{threshold:9.2f} {len(scores):6} {shares[0]:7.2f} {shares[1]:9.2f} {shares[2]:11.2f} {found:19.2f} {silent:21.2f}"
        )


def show_claims(claims: Sequence[Example], chances: Sequence[Chances]) -> None:
    """Precision and recall of what would be said of claims, by the threshold of sureness; and the balanced accuracy of the
    likeliest of supports, contradicts and neither."""
    truth = np.array([RELATIONS.index("nothing") if one.relation == 1 else one.relation for one in claims])
    table = np.array([[one.supports, one.contradicts] for one in chances])
    likeliest = np.where(table.max(axis=1) < 0.5, 3, np.where(table[:, 0] > table[:, 1], 0, 2))
    balanced = np.mean([(likeliest[truth == kind] == kind).mean() for kind in (0, 2, 3)])
    print(f"{len(claims)} claims; balanced accuracy of three classes {balanced:.3f}")
    for column, kind in ((0, 0), (1, 2)):
        for sure in SURE:
            said = table[:, column] >= sure
            right = (truth[said] == kind).mean() if said.any() else float("nan")
            recall = said[truth == kind].mean()
            figures = f"precision {right:.2f}, recall {recall:.2f}, {said.sum()} said"
            print(f"{RELATIONS[kind]:12} from {sure:.2f}: {figures}")


def milliseconds(reader: TrainedReader, pairs: Sequence[Pair]) -> float:
    """Of one pair, on all cores."""
    from time import perf_counter

    began = perf_counter()
    reader.chances(pairs)
    return 1_000 * (perf_counter() - began) / len(pairs)


def main() -> None:
    arguments = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", type=Path, action="append", required=True)
    arguments.add_argument("--held", action="append", required=True)
    arguments.add_argument("--data", type=Path, default=DATA)
    given = arguments.parse_args()
    training, reader = Training([Corpus(folder) for folder in given.corpus], given.data), TrainedReader()
    judged, claims = list(training.judged(given.held)), list(training.claims(training.books_of(given.held)))
    print(", ".join(f"{name} {sum(one.useful == score for one in judged)}" for score, name in enumerate(USEFUL)))
    show_evidence(judged, read(reader, judged))
    show_claims(claims, read(reader, claims))
    print(f"{milliseconds(reader, [one.pair for one in judged[:256]]):.1f} ms a pair of paragraph and sentence")


if __name__ == "__main__":
    main()
