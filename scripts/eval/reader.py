"""The trained reader on shelves that it was not trained on: which sentences are useful, and what they say of a claim.

    python -m scripts.eval.reader --corpus FOLDER --held SHELF     (make eval-reader CORPUS=… HELD=…)

Candidates are those judged in scripts/train/data. What is said of a claim is compared with what it was written as ("partly"
counts as neither)."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Annotated

import numpy as np
import typer

from chapterverse.core.ports import Chances, Pair
from chapterverse.infrastructure.llm.readers import TrainedReader
from evaluations.measures import auroc
from scripts.train.corpus import Corpus
from scripts.train.examples import RELATIONS, Example, Training


def read(reader: TrainedReader, examples: Sequence[Example]) -> list[Chances]:
    """The chances of each pair."""
    return [chances for chances in reader.chances([example.pair for example in examples]) if chances]


def area_of_useful(examples: Sequence[Example], chances: Sequence[Chances]) -> float:
    """AUROC of the chance that a candidate is useful."""
    useful, truth = np.array([found.useful for found in chances]), np.array([example.useful == 2 for example in examples])
    return auroc(useful[truth], useful[~truth])


def accuracy_of_relations(claims: Sequence[Example], chances: Sequence[Chances]) -> float:
    """The balanced accuracy of the likeliest of supports, contradicts and neither."""
    truth = np.array([RELATIONS.index("nothing") if one.relation == 1 else one.relation for one in claims])
    table = np.array([[one.supports, one.contradicts] for one in chances])
    likeliest = np.where(table.max(axis=1) < 0.5, 3, np.where(table[:, 0] > table[:, 1], 0, 2))
    return float(np.mean([(likeliest[truth == kind] == kind).mean() for kind in (0, 2, 3)]))


def milliseconds(reader: TrainedReader, pairs: Sequence[Pair]) -> float:
    """Of one pair, on all cores."""
    began = perf_counter()
    reader.chances(pairs)
    return 1_000 * (perf_counter() - began) / len(pairs)


def main(corpus: Annotated[Path, typer.Option()], held: Annotated[list[str], typer.Option()]) -> None:
    training, reader = Training(Corpus(corpus)), TrainedReader()
    judged, claims = list(training.judged(held)), list(training.claims(training.books_of(held)))
    print(f"{len(judged)} candidates; AUROC of useful {area_of_useful(judged, read(reader, judged)):.3f}")
    print(f"{len(claims)} claims; balanced accuracy {accuracy_of_relations(claims, read(reader, claims)):.3f}")
    print(f"{milliseconds(reader, [one.pair for one in judged[:256]]):.1f} ms a pair of paragraph and sentence")


if __name__ == "__main__":
    typer.run(main)
