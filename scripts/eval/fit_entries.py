"""The weights of questions/units.py for FAQ entries, fitted to two desks of our own (scripts/eval/desk.py) and to the lists
that the reader of answers has not learned from (scripts/train/data/answers).

    python -m scripts.eval.fit_entries [--home DIR]

Of the entries that a question finds, the one that answers it should score highest, and the best score should tell whether
any does, as in scripts/eval/fit_units.py. Prints the weights as they stand in the code, and by cross-validation over lists how
often the right one is first, before and after, and what a threshold does."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chapterverse.core.hits import Scope
from chapterverse.evaluation.measures import auroc
from chapterverse.questions.units import ENTRY_FEATURES, read_entries
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import HELPDESK
from scripts.eval.desk import NONE, Entry, asked, entries, open_desk
from scripts.eval.fit_units import KINDS, fit
from scripts.train.found_passages import is_held_out, list_questions, lists

FITTED, FOLDS, FIRST = ("residence", "exams"), 3, 3
CHANCES, LEADS, NEAR = (0.3, 0.4, 0.5, 0.6, 0.7), (0.5, 1.0, 1.5), (0.02, 0.05, 0.1, 0.2)
ANSWERED, NO_ANSWER = KINDS


@dataclass(frozen=True)
class Read:
    """A question with the features of the entries found, (n, len(ENTRY_FEATURES)), and which of them answers it, (n,)."""

    desk: str
    wanted: str
    rows: np.ndarray
    right: np.ndarray

    @property
    def kind(self) -> str:
        return NO_ANSWER if self.wanted == NONE else ANSWERED


@dataclass(frozen=True)
class Best:
    """The best entry of a question. second: score of the next one."""

    read: Read
    score: float
    second: float
    is_right: bool

    @property
    def lead(self) -> float:
        return self.score - self.second


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        home = given.home or Path(temporary)
        read = [one for name, there, its in lists_of_questions() for one in read_all(name, there, its, home)]
    folds = {desk: at % FOLDS for at, desk in enumerate(dict.fromkeys(one.desk for one in read))}
    weights = [fit([one for one in read if folds[one.desk] != fold]) for fold in range(FOLDS)]
    scores = [one.rows @ weights[folds[one.desk]][0] + weights[folds[one.desk]][1] for one in read]
    for name in folds:
        its = [(one, score) for one, score in zip(read, scores, strict=True) if one.desk == name and one.kind == ANSWERED]
        places, known = [place(one, score) for one, score in its], [one for one, _ in its]
        print(f"{name}, {len(its)}: first {before(known, 1):.3f} -> {np.mean([at < 1 for at in places]):.3f}", end="")
        print(f", among three {before(known, FIRST):.3f} -> {np.mean([at < FIRST for at in places]):.3f}")
    best = [Best(one, *sorted(score)[-1:-3:-1], place(one, score) == 0) for one, score in zip(read, scores, strict=True)]
    known, none = ([one for one in best if one.read.kind == kind] for kind in (ANSWERED, NO_ANSWER))
    print(f"AUROC {auroc(*(np.array([one.score for one in its]) for its in (known, none))):.3f}")
    for chance, lead in product(CHANCES, LEADS):
        shown, wrongly = (
            [one.score >= log(chance / (1 - chance)) and one.lead >= lead for one in its] for its in (known, none)
        )
        right = [one.is_right for one, is_shown in zip(known, shown, strict=True) if is_shown]
        print(f"from {chance:.2f}, lead {lead:.1f}: shown {np.mean(shown):.3f}, of these right {np.mean(right):.3f}", end="")
        print(f", without an entry shown {np.mean(wrongly):.3f}")
    for chance in NEAR:
        named, wrongly = (np.mean([one.score >= log(chance / (1 - chance)) for one in its]) for its in (known, none))
        print(f"named from {chance:.2f}: {named:.3f}, without an entry {wrongly:.3f}")
    final, base = fit(read)
    for feature, weight in zip(ENTRY_FEATURES, final, strict=True):
        print(f'    "{feature}": {weight:.2f},')
    print(f"ENTRY_BASE = {base:.2f}")


def lists_of_questions() -> Iterator[tuple[str, list[Entry], list[tuple[str, str]]]]:
    """Name, entries, and questions with the name of the entry that answers."""
    for name in FITTED:
        yield name, entries(name), asked(name)
    its = [one for one in list_questions() if one.is_held_out]
    for name, rows in lists().items():
        if is_held_out(name):
            questions = [(one.places[0] if one.places else NONE, one.question) for one in its if one.source == name]
            yield name, [Entry(*row) for row in rows], questions


def read_all(name: str, there: Sequence[Entry], questions: Sequence[tuple[str, str]], home: Path) -> Iterator[Read]:
    desk, names = open_desk(home, f"{name}-whole", there), {one.question: one.name for one in there}
    for wanted, question in questions:
        found = find_chunks(question, Scope(f"{name}-whole"), desk.services, HELPDESK)
        right = np.array([names[one.chunk.question or ""] == wanted for one in found])
        rows = read_entries(question, found, desk.services)
        assert rows is not None  # the desk has an index of words and a reader
        yield Read(name, wanted if wanted in names.values() else NONE, rows, right)


def place(one: Read, scores: np.ndarray) -> int:
    """Of the right entry, from 0; the number of entries if it was not found."""
    return int((scores > scores[one.right].max()).sum()) if one.right.any() else len(scores)


def before(read: Sequence[Read], first: int) -> float:
    """Share of the questions of which the right entry is among the first that were found."""
    return float(np.mean([one.right[:first].any() for one in read]))


if __name__ == "__main__":
    main()
