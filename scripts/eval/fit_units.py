"""The weights of questions/units.py, fitted to questions of our own: on six documents (scripts/eval/data/questions), and on
those that the reader of answers has not learned from (scripts/train/data/answers).

    python -m scripts.eval.fit_units [--home DIR]

First the order: of the units of a question, one that answers it should score highest (a softmax over them, with a ridge). Then
the odds: the best unit's score against questions without an answer, each kind of question counting as much. Prints the weights
as they stand in the code, and the figures by cross-validation over documents."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import numpy as np

from chapterverse.core.hits import Scope
from chapterverse.evaluation.measures import auroc
from chapterverse.questions.units import FEATURES, READ_CHUNKS, read_units
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DOCUMENT_QA
from chapterverse.settings import read_settings
from scripts.eval.written_courses import TUNING, AskedQuestion, cases, has_words, stored
from scripts.train.found_passages import document_questions, found_chunks

KINDS, THRESHOLDS = ("answered", "no answer"), (0.4, 0.5, 0.6, 0.7, 0.8)
RIDGE, STEPS, DAMPING, SCHOOL, FOLDS = 0.02, 30, 0.5, "eval", 5


@dataclass(frozen=True)
class Read:
    """A question with the features of its units, (n, len(FEATURES)), and which of them answer it, (n,)."""

    case: AskedQuestion
    rows: np.ndarray
    right: np.ndarray

    @property
    def kind(self) -> str:
        return self.case.kind


class HasRows(Protocol):
    """Candidates of a question of some kind, with their features, (n, d), and which are right, (n,)."""

    @property
    def kind(self) -> str: ...
    @property
    def rows(self) -> np.ndarray: ...
    @property
    def right(self) -> np.ndarray: ...


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        read = list(read_all(given.home or Path(temporary)))
    folds = {name: at % FOLDS for at, name in enumerate(dict.fromkeys(one.case.document for one in read))}
    weights = [fit([one for one in read if folds[one.case.document] != fold]) for fold in range(FOLDS)]
    its = [(one, one.rows @ weights[folds[one.case.document]][0]) for one in read]
    scores = [float(score.max() + weights[folds[one.case.document]][1]) for one, score in its]
    first = {"tuning": list[bool](), "held out": list[bool]()}
    for one, score in its:
        if one.kind == "answered":
            first["tuning" if one.case.document in TUNING else "held out"].append(bool(one.right[np.argmax(score)]))
    kinds = [one.kind for one in read]
    print(f"first unit right: {', '.join(f'{name} {np.mean(right):.3f}' for name, right in first.items())}")
    for kind in ("no answer", "other document"):
        of = [np.array([score for score, its in zip(scores, kinds, strict=True) if its == one]) for one in ("answered", kind)]
        print(f"AUROC, answered against {kind}: {auroc(*of):.3f}")
    print("threshold: answered that reach it, without an answer refused, by cross-validation")
    answered, none = (np.array([score for score, its in zip(scores, kinds, strict=True) if its == one]) for one in KINDS)
    for chance in THRESHOLDS:
        score = log(chance / (1 - chance))
        print(f"  {chance:.1f} {(answered >= score).mean():.3f} {(none < score).mean():.3f}")
    final, base = fit(read)
    for name, weight in zip(FEATURES, final, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"BASE = {base:.2f}")


def read_all(home: Path) -> Iterator[Read]:
    settings = read_settings().model_copy(update={"home": home.absolute(), "school": SCHOOL})
    services, books = stored(settings)
    plan = replace(DOCUMENT_QA, limit=READ_CHUNKS, hits_per_query=READ_CHUNKS)
    for case in cases(TUNING):
        found = find_chunks(case.question, Scope(SCHOOL, (books[case.document],)), services, plan)
        candidates, _, rows = read_units(case.question, found, services)
        yield Read(case, rows, np.array([has_words(case.answer, one.text) for one in candidates]))
    for one, found in found_chunks((one for one in document_questions() if one.is_held_out), settings, services):
        candidates, _, rows = read_units(one.question, found, services)
        right = [any(has_words(words, unit.text) for words in one.places) for unit in candidates]
        case = AskedQuestion(one.question, one.source, " ".join(one.places), "answered" if one.places else "no answer")
        yield Read(case, rows, np.array(right))


def fit(read: Sequence[HasRows]) -> tuple[np.ndarray, float]:
    """Weights and base, on the scale of log odds."""
    weights = order([one for one in read if one.right.any()])
    best = np.array([(one.rows @ weights).max() for one in read])
    slope, base = odds(best, np.array([one.kind for one in read]))
    return weights * slope, base


def order(read: Sequence[HasRows]) -> np.ndarray:
    """The weights that put what is right first, by Newton's method on the standardised features."""
    rows = np.concatenate([one.rows for one in read])
    spread = rows.std(0) + 1e-9
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        slope, bend = -RIDGE * len(read) * weights, RIDGE * len(read) * np.eye(len(weights))
        for one in read:
            given = one.rows / spread
            chance, wanted = softmax(given @ weights), softmax(np.where(one.right, given @ weights, -np.inf))
            slope += given.T @ (wanted - chance)
            middle = given - chance @ given
            bend += (middle * chance[:, None]).T @ middle
        weights += DAMPING * np.linalg.solve(bend, slope)
    return np.asarray(weights / spread)


def softmax(scores: np.ndarray) -> np.ndarray:
    chance = np.exp(scores - scores.max())
    return np.asarray(chance / chance.sum())


def odds(best: np.ndarray, kinds: np.ndarray) -> tuple[float, float]:
    """Slope and base of a logistic regression."""
    right = (kinds == "answered").astype(float)
    others = set(kinds) - {"answered"}
    counts = np.ones(len(best))
    for kind in others:
        counts[kinds == kind] = right.sum() / len(others) / (kinds == kind).sum()
    given, found = np.c_[best, np.ones(len(best))], np.zeros(2)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-given @ found))
        bend = (given * (counts * chance * (1 - chance))[:, None]).T @ given + 1e-6 * np.eye(2)
        found += np.linalg.solve(bend, given.T @ (counts * (right - chance)))
    return float(found[0]), float(found[1])


if __name__ == "__main__":
    main()
