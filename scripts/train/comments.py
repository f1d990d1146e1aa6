"""Fit the model that drops what a student must never read (citations/likeness.py).

    python -m scripts.train.comments [--write]

Learns from scripts/train/data/comments, written for it, and from the tuning half of scripts/eval/data/model_attacks; nothing of
its blind half is read, nor of unseen.txt there. The figures are cross-validated: a good comment is judged by a model that has
seen none on its paragraph, an attack by one that has seen none of its kind. The threshold is the one at which MISSED of the
attacks of kinds that were left out pass. --write: stores the model, fitted to all of them."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from chapterverse.citations.likeness import (
    BITS,
    CARD,
    FOLDER,
    STRANGE,
    WEIGHTS,
    CommentContext,
    Known,
    root_of,
    rows_of,
    strangeness,
    tokens_of,
)
from chapterverse.citations.screen import Screen

DATA = Path(__file__).parent / "data" / "comments"
ATTACKS = Path(__file__).parents[1] / "eval" / "data" / "model_attacks"
FOLDS = 8
INVERSE_REGULARIZATION = 30.0
MISSED = 0.03  # of the attacks of the tuning half that may pass a model that never saw their kind


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
    """The comments of DATA."""
    for path in sorted(DATA.glob("*.txt")):
        yield from rows_in(path)


def rows_in(path: Path) -> Iterator[Row]:
    """The comments of a file: "=" and a language begin a paragraph (p) with evidence (e); + is good, - an attack of a kind."""
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


Seen = Mapping[str, frozenset[str]]
"""The paragraphs on which good comments have a word of this root."""


def seen_in(rows: Iterable[Row]) -> Seen:
    """What the good ones of these comments have."""
    found: dict[str, set[str]] = {}
    for row in rows:
        for token in [] if row.bad else tokens_of(row.texts[0]):
            if token[0].isalpha():
                found.setdefault(root_of(token), set()).add(row.about)
    return {root: frozenset(paragraphs) for root, paragraphs in found.items()}


@dataclass(frozen=True)
class Texts:
    """All texts of comments with their pieces. pairs: the row, and whether the text is the whole comment or a sentence."""

    rows: Sequence[Row]

    @cached_property
    def pairs(self) -> list[tuple[Row, str, bool]]:
        return [(row, text, at == 0) for row in self.rows for at, text in enumerate(row.texts)]

    @cached_property
    def known(self) -> dict[CommentContext, Known]:
        return {around: Known(around) for around in {row.around for row in self.rows}}

    @cached_property
    def pieces(self) -> csr_matrix:
        found = [rows_of(text, self.known[row.around]) for row, text, _ in self.pairs]
        ends = np.cumsum([0, *map(len, found)])
        values = np.concatenate([np.full(len(one), 1 / np.sqrt(len(one))) for one in found])
        return csr_matrix((values, np.concatenate(found), ends), shape=(len(found), 1 << BITS))

    def features(self, seen: Seen) -> csr_matrix:
        """The pieces, and how strange each text is to good comments on other paragraphs."""
        counts: dict[str, dict[str, int]] = {
            about: {root: len(its - {about}) for root, its in seen.items()} for about in {row.about for row in self.rows}
        }
        strange = [strangeness(text, self.known[row.around], counts[row.about]) for row, text, _ in self.pairs]
        return hstack([self.pieces, csr_matrix(strange)]).tocsr()

    def fitted(self, learned: NDArray[np.bool_], seen: Seen) -> tuple[LogisticRegression, csr_matrix]:
        """The model of these comments, and all features: whole comments, and of good ones the sentences as well."""
        x, bad = self.features(seen), self.of(lambda row: row.bad)
        taken = self.of(lambda row: bool(learned[self.place[id(row)]])) & (
            ~bad | np.array([whole for _, _, whole in self.pairs])
        )
        model = LogisticRegression(
            C=INVERSE_REGULARIZATION, class_weight="balanced", max_iter=200, tol=1e-3, solver="liblinear", dual=True
        )
        return model.fit(x[taken], bad[taken]), x

    @cached_property
    def place(self) -> dict[int, int]:
        return {id(row): at for at, row in enumerate(self.rows)}

    def of(self, what: Callable[[Row], bool]) -> NDArray[np.bool_]:
        return np.array([what(row) for row, _, _ in self.pairs])

    def odds_without(self, judged: NDArray[np.bool_], learned: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The highest odds of the texts of each comment that is judged, by a model of the others that may be learned from."""
        seen = seen_in(row for row, its in zip(self.rows, learned, strict=True) if its)
        model, x = self.fitted(learned, seen)
        odds = model.decision_function(x)
        highest = np.full(len(self.rows), -np.inf)
        np.maximum.at(highest, [self.place[id(row)] for row, _, _ in self.pairs], odds)
        return np.where(judged, highest, np.nan)


def folds_of(names: Iterable[str]) -> dict[str, int]:
    """Each name in one of FOLDS groups of about the same number."""
    return {name: at % FOLDS for at, name in enumerate(np.random.default_rng(0).permutation(sorted(set(names))).tolist())}


def without_kinds(texts: Texts) -> NDArray[np.float64]:
    """The odds of each comment: of an attack without its kind, of a good one without its paragraph."""
    rows, odds = texts.rows, np.full(len(texts.rows), np.nan)
    kinds, paragraphs = folds_of(row.kind for row in rows if row.bad), folds_of(row.about for row in rows)
    for fold in range(FOLDS):
        of_kind = np.array([row.bad and kinds[row.kind] == fold for row in rows])
        on_paragraph = np.array([paragraphs[row.about] == fold for row in rows])
        bad = np.array([row.bad for row in rows])
        found = texts.odds_without(of_kind | (on_paragraph & ~bad), ~of_kind & ~on_paragraph)
        odds = np.where(np.isnan(found), odds, found)
    return odds


def without_languages(texts: Texts) -> NDArray[np.float64]:
    """The odds of each comment that is not English, without its language."""
    rows, odds = texts.rows, np.full(len(texts.rows), np.nan)
    for language in sorted({row.language for row in rows} - {"en"}):
        held = np.array([row.language == language for row in rows])
        found = texts.odds_without(held, ~held)
        odds = np.where(np.isnan(found), odds, found)
    return odds


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--languages", action="store_true", help="also leave each language out")
    given = parser.parse_args()
    own, tuning = list(own_rows()), list(rows_of_set("tuning"))
    texts = Texts([*own, *tuning])
    ruled = np.array([bool(Screen(row.around).objection_by_rules(row.text)) for row in texts.rows])
    bad = np.array([row.bad for row in texts.rows])
    of_tuning = np.arange(len(texts.rows)) >= len(own)
    odds = without_kinds(texts)
    last = np.sort(np.where(ruled, np.inf, odds)[bad & of_tuning])[int(MISSED * sum(bad & of_tuning))]
    threshold = round(float(last) - 0.005, 2)
    report("kinds left out", texts.rows, ruled | (odds >= threshold), of_tuning, threshold)
    if given.languages:
        others = without_languages(texts)
        seen = ~np.isnan(others)
        rows = [row for row, its in zip(texts.rows, seen, strict=True) if its]
        report("languages left out", rows, (ruled | (others >= threshold))[seen], of_tuning[seen], threshold)
    if given.write:
        seen = seen_in(texts.rows)
        model, _ = texts.fitted(np.ones(len(texts.rows), bool), seen)
        FOLDER.mkdir(exist_ok=True)
        np.savez_compressed(
            FOLDER / WEIGHTS,
            weights=model.coef_[0, :-STRANGE].astype(np.float16),
            of_strange=model.coef_[0, -STRANGE:].astype(np.float32),
            roots=np.array(list(seen)),
            paragraphs=np.array([len(its) for its in seen.values()], np.uint8),
        )
        card = {
            "bias": round(float(model.intercept_[0]), 4),
            "threshold": threshold,
            "learned_from": {"own": count(own), "tuning": count(tuning)},
        }
        (FOLDER / CARD).write_text(json.dumps(card, indent=1) + "\n", "utf-8")


def report(name: str, rows: Sequence[Row], dropped: NDArray[np.bool_], of_tuning: NDArray[np.bool_], threshold: float) -> None:
    """Print what passes and what is lost, of the tuning half and of our own comments."""
    bad = np.array([row.bad for row in rows])
    for where, its in (("tuning", of_tuning), ("own", ~of_tuning)):
        through = Counter(row.kind for row, here in zip(rows, its & bad & ~dropped, strict=True) if here)
        lost, good = int(sum(its & ~bad & dropped)), int(sum(its & ~bad))
        print(
            f"{name}, {where}, threshold {threshold}: {sum(through.values())} of {int(sum(its & bad))} attacks through "
            f"{dict(through.most_common())}, {lost} of {good} good ones lost ({lost / max(good, 1):.3f})"
        )


def count(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """How many comments of each kind and of each language."""
    return {"kinds": dict(Counter(row.kind for row in rows)), "languages": dict(Counter(row.language for row in rows))}


if __name__ == "__main__":
    main()
