"""Fit the model that drops what a student must never read (citations/likeness.py).

    python -m scripts.train.comments [--write]

Learns from scripts/train/data/comments, written for it, and from the tuning half of scripts/eval/data/model_attacks; nothing of
its blind half is read. The figures are cross-validated over the paragraphs of the tuning half: a comment is judged by a model
that has seen none on its paragraph. --write: stores the model, fitted to all of them."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from chapterverse.citations.likeness import BITS, CARD, FOLDER, WEIGHTS, CommentContext, Known, rows_of
from chapterverse.citations.screen import Screen

DATA = Path(__file__).parent / "data" / "comments"
ATTACKS = Path(__file__).parents[1] / "eval" / "data" / "model_attacks"
FOLDS = 5
INVERSE_REGULARIZATION = 30.0
LOST = 0.03  # of the good comments that the model alone may lose, cross-validated


@dataclass(frozen=True)
class Row:
    """A comment. kind: of the attack, or "good"; about: what it is on, so that no paragraph is learned from and judged."""

    text: str
    bad: bool
    kind: str
    language: str
    about: str
    around: CommentContext

    @property
    def texts(self) -> list[str]:
        """What is judged: the whole, then each sentence."""
        return Screen(self.around).texts_of(self.text)


def own_rows() -> Iterator[Row]:
    """The comments of DATA: "=" and a language begin a paragraph (p) with evidence (e); + is good, - an attack of a kind."""
    for path in sorted(DATA.glob("*.txt")):
        for block in f"\n{path.read_text('utf-8')}".split("\n= ")[1:]:
            language, *lines = block.splitlines()
            paragraph = next(line[2:] for line in lines if line.startswith("p "))
            evidence = [line[2:].split(" | ") for line in lines if line.startswith("e ")]
            authors, titles, texts = (tuple(one[part] for one in evidence) for part in range(3))
            around = CommentContext(paragraph, texts, authors, titles)
            for line in lines:
                if line.startswith("+ "):
                    yield Row(line[2:], False, "good", language, paragraph, around)
                elif line.startswith("- "):
                    kind, text = line[2:].split(": ", 1)
                    yield Row(text, True, kind, language, paragraph, around)


def rows_of_set(name: str) -> Iterator[Row]:
    """The comments of one half of ATTACKS."""
    for file in ("attacks", "good"):
        for line in (ATTACKS / f"{file}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["set"] == name:
                its = row["evidence"]
                texts, authors, titles = (tuple(one[part] for one in its) for part in ("text", "author", "title"))
                around = CommentContext(row["paragraph"], texts, authors, titles)
                yield Row(row["comment"], file == "attacks", row["kind"], row["language"], row["paragraph"], around)


@dataclass(frozen=True)
class Learned:
    """Texts to learn from: the whole comments, and the sentences of good ones."""

    rows: Sequence[Row]

    def matrix(self) -> tuple[csr_matrix, NDArray[np.bool_], list[str]]:
        pairs = [(row, text) for row in self.rows for text in (row.texts[:1] if row.bad else row.texts)]
        return matrix(pairs), np.array([row.bad for row, _ in pairs]), [row.about for row, _ in pairs]


def matrix(pairs: Sequence[tuple[Row, str]]) -> csr_matrix:
    known = {row.around: Known(row.around) for row, _ in pairs}
    found = [rows_of(text, known[row.around]) for row, text in pairs]
    ends = np.cumsum([0, *map(len, found)])
    values = np.concatenate([np.full(len(one), 1 / np.sqrt(len(one))) for one in found])
    return csr_matrix((values, np.concatenate(found), ends), shape=(len(pairs), 1 << BITS))


def fitted(x: csr_matrix, y: NDArray[np.bool_]) -> LogisticRegression:
    model = LogisticRegression(C=INVERSE_REGULARIZATION, class_weight="balanced", max_iter=300, solver="liblinear")
    return model.fit(x, y)


def cross_validated(own: Learned, tuning: Sequence[Row]) -> NDArray[np.float64]:
    """The highest odds of each comment's texts."""
    from scipy.sparse import vstack

    x, y, _ = own.matrix()
    scores = np.zeros(len(tuning))
    paragraphs = sorted({row.about for row in tuning})
    for fold in range(FOLDS):
        held = set(paragraphs[fold::FOLDS])
        others, labels, _ = Learned([row for row in tuning if row.about not in held]).matrix()
        model = fitted(vstack([x, others]), np.concatenate([y, labels]))
        for at, row in enumerate(tuning):
            if row.about in held:
                scores[at] = model.decision_function(matrix([(row, text) for text in row.texts])).max()
    return scores


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    own, tuning = list(own_rows()), list(rows_of_set("tuning"))
    scores = cross_validated(Learned(own), tuning)
    ruled = np.array([bool(Screen(row.around).objection_by_rules(row.text)) for row in tuning])
    bad = np.array([row.bad for row in tuning])
    left = np.sort(scores[~bad & ~ruled])[::-1]
    print(f"good comments lost by rules: {int(sum(ruled & ~bad))} of {int(sum(~bad))}")
    for share in sorted({0.0, 0.01, 0.02, LOST, 0.05}):
        at = float(left[int(share * len(left))]) + 1e-6
        through = Counter(
            row.kind for row, score, gone in zip(tuning, scores, ruled, strict=True) if row.bad and not gone and score < at
        )
        much = f"{sum(through.values())} of {int(sum(bad))} attacks through {dict(through)}"
        print(f"threshold {at:.2f}: {share:.3f} of the good ones lost by the model, {much}")
    if given.write:
        x, y, _ = Learned([*own, *tuning]).matrix()
        model = fitted(x, y)
        FOLDER.mkdir(exist_ok=True)
        np.savez_compressed(FOLDER / WEIGHTS, weights=model.coef_[0].astype(np.float16))
        card = {
            "bias": round(float(model.intercept_[0]), 4),
            "threshold": round(float(left[int(LOST * len(left))]) + 1e-6, 2),
            "learned_from": {"own": count(own), "tuning": count(tuning)},
        }
        (FOLDER / CARD).write_text(json.dumps(card, indent=1) + "\n", "utf-8")


def count(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """How many comments of each kind and of each language."""
    return {"kinds": dict(Counter(row.kind for row in rows)), "languages": dict(Counter(row.language for row in rows))}


if __name__ == "__main__":
    main()
