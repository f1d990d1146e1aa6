"""The weights of questions/units.py for the order of FAQ entries, fitted to two desks of our own (scripts/eval/desk.py).

    python -m scripts.eval.fit_entries [--home DIR]

Of the entries that a question finds, the one that answers it should score highest, as in scripts/eval/fit_units.py. Prints the
weights as they stand in the code, and by cross-validation over entries how often the right one is first, before and after."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chapterverse.core.hits import Scope
from chapterverse.questions.units import ENTRY_FEATURES, read_entries
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import HELPDESK
from scripts.eval.desk import asked, entries, open_desk
from scripts.eval.fit_units import order

FITTED, FOLDS, FIRST = ("residence", "exams"), 4, 3


@dataclass(frozen=True)
class Read:
    """A question with the features of the entries found, (n, len(ENTRY_FEATURES)), and which of them answers it, (n,)."""

    desk: str
    wanted: str
    rows: np.ndarray
    right: np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        read = [one for name in FITTED for one in read_all(name, given.home or Path(temporary))]
    folds = {wanted: at % FOLDS for at, wanted in enumerate(dict.fromkeys((one.desk, one.wanted) for one in read))}
    weights = [fit([one for one in read if folds[one.desk, one.wanted] != fold]) for fold in range(FOLDS)]
    for name in FITTED:
        its = [one for one in read if one.desk == name]
        places = [place(one, one.rows @ weights[folds[one.desk, one.wanted]]) for one in its]
        print(f"{name}, {len(its)}: first {before(its, 1):.3f} -> {np.mean([at < 1 for at in places]):.3f}", end="")
        print(f", among three {before(its, FIRST):.3f} -> {np.mean([at < FIRST for at in places]):.3f}")
    for feature, weight in zip(ENTRY_FEATURES, fit(read), strict=True):
        print(f'    "{feature}": {weight:.2f},')


def read_all(name: str, home: Path) -> Iterator[Read]:
    there = entries(name)
    desk, names = open_desk(home, f"{name}-whole", there), {one.question: one.name for one in there}
    known = set(names.values())
    for wanted, question in asked(name):
        if wanted in known:
            found = find_chunks(question, Scope(f"{name}-whole"), desk.services, HELPDESK)
            right = np.array([names[one.chunk.question or ""] == wanted for one in found])
            assert desk.services.words  # the desk has an index of words
            yield Read(name, wanted, read_entries(question, found, desk.services.words), right)


def fit(read: Sequence[Read]) -> np.ndarray:
    return order([one for one in read if one.right.any()])


def place(one: Read, scores: np.ndarray) -> int:
    """Of the right entry, from 0; the number of entries if it was not found."""
    return int((scores > scores[one.right].max()).sum()) if one.right.any() else len(scores)


def before(read: Sequence[Read], first: int) -> float:
    """Share of the questions of which the right entry is among the first that were found."""
    return float(np.mean([one.right[:first].any() for one in read]))


if __name__ == "__main__":
    main()
