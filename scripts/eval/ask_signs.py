"""The weights of questions/judging.py, and how well they tell questions that are answered from those that are not.

    PYTHONPATH=src python -m scripts.eval.ask_signs [SHARED] [--cache FILE]

AUROC by cross-validation over documents (for the helpdesk: over its entries); each kind of question that has no answer counts
as much as another. Then the weights on all of it, as they stand in the code."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from chapterverse.evaluation.measures import auroc
from chapterverse.questions.model import Signals
from scripts.eval import ask_retriever
from scripts.eval.ask_arguments import read_arguments
from scripts.eval.ask_sets import Asked, helpdesk, squad, syllabi

FOLDS, RIDGE, STEPS = 10, 1.0, 40
ANSWERED = "answered"
Row = tuple[str, str, str, Sequence[float]]
"""Set, document, kind of question, signs."""


def main() -> None:
    shared = read_arguments(__doc__, "ask-lecture")
    texts = [*rows_of("syllabi", syllabi(shared)), *rows_of("SQuAD 2", squad(shared))]
    entries = [*_faq("question and answer", shared, answers=True), *_faq("question alone", shared, answers=False)]
    for name, rows in (("WEIGHTS_OF_TEXTS", texts), ("WEIGHTS_OF_ENTRIES", entries)):
        show(name, rows)


def _faq(name: str, shared: Path, *, answers: bool) -> Iterator[Row]:
    """Cross-validation over entries: the one found first is the document."""
    for removed in (False, True):
        for asked in helpdesk(shared, answers=answers, removed=removed):
            yield from rows_of(name, [asked])


def rows_of(name: str, sets: Sequence[Asked] | Iterator[Asked]) -> Iterator[Row]:
    for asked in sets:
        looked = ask_retriever.look_up(asked.texts, asked.questions)
        first = [asked.texts[int(hits[0].record.id)] for hits in looked.hits]
        for kind, text, signs in zip(asked.kinds, first, looked.signs(), strict=True):
            yield name, text if looked.entries else asked.name, kind, astuple(signs)


def show(name: str, rows: Sequence[Row]) -> None:
    out = out_of_fold(rows)
    cosine = np.array([row[3][0] for row in rows])
    for of_set in dict.fromkeys(row[0] for row in rows):
        for kind in dict.fromkeys(row[2] for row in rows if row[0] == of_set and row[2] != ANSWERED):
            figures = [told(rows, scores, of_set, kind) for scores in (cosine, out)]
            print(f"| {of_set}, {kind} | {figures[0]:.3f} | {figures[1]:.3f} |", flush=True)
    *weights, base = fit(rows).round(2).tolist()
    print(f"{name} = Weights({Signals(*weights)}, base={base})", flush=True)


def told(rows: Sequence[Row], scores: np.ndarray, of_set: str, kind: str) -> float:
    """AUROC of a set's answered questions against those of a kind."""
    of = [(score, row[2]) for row, score in zip(rows, scores, strict=True) if row[0] == of_set]
    return auroc(
        np.array([score for score, its in of if its == ANSWERED]), np.array([score for score, its in of if its == kind])
    )


def out_of_fold(rows: Sequence[Row]) -> np.ndarray:
    documents = sorted({(row[0], row[1]) for row in rows})
    np.random.default_rng(0).shuffle(documents)
    fold = {tuple(document): number % FOLDS for number, document in enumerate(documents)}
    folds = np.array([fold[row[0], row[1]] for row in rows])
    scores = np.zeros(len(rows))
    for number in range(FOLDS):
        *weights, base = fit([row for row, its in zip(rows, folds, strict=True) if its != number])
        scores[folds == number] = signals_of(rows)[folds == number] @ weights + base
    return scores


def signals_of(rows: Sequence[Row]) -> np.ndarray:
    return np.array([row[3] for row in rows])


def fit(rows: Sequence[Row]) -> np.ndarray:
    """Logistic regression by Newton's method with a ridge on the standardised signs; the base last."""
    given, good = signals_of(rows), np.array([row[2] == ANSWERED for row in rows], float)
    mean, spread = given.mean(0), given.std(0) + 1e-9
    with_base = np.c_[(given - mean) / spread, np.ones(len(given))]
    ridge = RIDGE * np.diag([*np.ones(given.shape[1]), 0.0])
    counts, weights = np.array(counted(rows)), np.zeros(with_base.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-with_base @ weights))
        slope = with_base.T @ (counts * (good - chance)) - ridge @ weights
        bend = (with_base * (counts * chance * (1 - chance))[:, None]).T @ with_base + ridge + 1e-9 * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    plain = weights[:-1] / spread
    return np.array([*plain, weights[-1] - plain @ mean])


def counted(rows: Sequence[Row]) -> Iterator[float]:
    """What each counts: of a set all answered questions 1,000 together, and all kinds of others 1,000."""
    number: Mapping[tuple[str, str], int] = {}
    for row in rows:
        number[row[0], row[2]] = number.get((row[0], row[2]), 0) + 1
    kinds = {name: sum(one == name and kind != ANSWERED for one, kind in number) for name in {row[0] for row in rows}}
    return [1000 / number[row[0], row[2]] / (1 if row[2] == ANSWERED else kinds[row[0]]) for row in rows]


if __name__ == "__main__":
    main()
