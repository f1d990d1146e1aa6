"""What each step of re-scoring gains, by cross-validation over books, and what it costs: the tables of docs/quality.md.

    CHAPTERVERSE_HOME=HOME PYTHONPATH=src python -m scripts.eval.relevance [SHARED]

HOME holds the books that the cases are about (`chapterverse sources add SHARED/goldbooks/pdf/*.pdf`); SHARED (../shared) holds
retrieval/ and goldbooks/. Vectors are the stored ones, nearest sentences are found exactly, re-scoring is the product's own."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np

from chapterverse import composition
from chapterverse.core.book import Sentence
from chapterverse.core.hits import Scope, Vectors
from chapterverse.evaluation.search import LEVELS, Variant, reciprocal_ranks
from chapterverse.library.artefacts import indexed, load_book, load_vectors
from chapterverse.library.contexts import hubness, neighbourhoods, paragraph_means
from chapterverse.library.scope import open_books
from chapterverse.search.plan import ESSAY_FEEDBACK as PLAN
from chapterverse.settings import Settings
from evaluations.cases import (
    KnownBooks,
    know_books,
    read_variants,
)

GOALS = {("variants", "level2"): 0.92, ("variants", "level3"): 0.42, ("hard", "level2"): 0.47, ("hard", "level3"): 0.16}
CANDIDATES = PLAN.candidates_per_query
FOLDS, SHUFFLES = 5, 6
Weights = Mapping[str, float]


@dataclass(frozen=True)
class Corpus:
    """All indexed sentences, a row each."""

    sentences: Sequence[Sentence]
    vectors: Vectors
    books: Sequence[slice]
    known: KnownBooks

    @cached_property
    def rows(self) -> dict[str, int]:
        return {sentence.id: row for row, sentence in enumerate(self.sentences)}

    @cached_property
    def matrices(self) -> dict[str, np.ndarray]:
        """Parts that depend on the query: a vector a sentence."""
        around = self.by_book(neighbourhoods)
        paragraphs = self.by_book(paragraph_means)
        return {"neighbours": around, "paragraph": paragraphs, "surroundings": (around + paragraphs) / 2}

    @cached_property
    def hubs(self) -> np.ndarray:
        """A part that does not: a number a sentence."""
        return np.concatenate([hubness(self.vectors[book]) for book in self.books])

    def by_book(self, of: object) -> np.ndarray:
        return np.concatenate([of(self.sentences[book], self.vectors[book]) for book in self.books])  # type: ignore[operator]


@dataclass(frozen=True)
class Looked:
    """One query: the rows of its candidates, and what each part says of them."""

    rows: np.ndarray
    said: Mapping[str, np.ndarray]

    def scores(self, weights: Weights, limit: int = CANDIDATES) -> np.ndarray:
        return self.said["cosine"][:limit] + sum(weight * self.said[part][:limit] for part, weight in weights.items())


def look_up(corpus: Corpus, queries: Vectors, limit: int = 2 * CANDIDATES) -> list[Looked]:
    found = []
    for query in queries:
        cosines = corpus.vectors @ query
        rows = np.argpartition(-cosines, limit)[:limit]
        rows = rows[np.argsort(-cosines[rows])]
        said = {"cosine": cosines[rows]} | {name: matrix[rows] @ query for name, matrix in corpus.matrices.items()}
        found.append(Looked(rows, said | {"hubs": corpus.hubs[rows]}))
    return found


@dataclass(frozen=True)
class VariantSet:
    """One level of one file."""

    books: np.ndarray
    looked: Sequence[Looked]
    wanted: Sequence[frozenset[int]]

    def reciprocal(self, weights: Weights, limit: int = CANDIDATES) -> np.ndarray:
        return reciprocal_ranks([self._rank(number, weights, limit) for number in range(len(self.looked))])

    def _rank(self, number: int, weights: Weights, limit: int) -> int | None:
        looked, wanted = self.looked[number], self.wanted[number]
        scores = looked.scores(weights, limit)
        own = [scores[i] for i, row in enumerate(looked.rows[:limit]) if row in wanted]
        return 1 + int((scores > max(own)).sum()) if own else None


def variant_sets(corpus: Corpus, embed: object, variants: Sequence[Variant]) -> Iterator[tuple[str, VariantSet]]:
    books = np.array([variant.book for variant in variants])
    wanted = [frozenset(corpus.rows[id] for id in corpus.known.ids(one.book, one.sentence)) for one in variants]
    for level in LEVELS:
        vectors = embed([getattr(variant, level) for variant in variants])  # type: ignore[operator]
        yield level, VariantSet(books, look_up(corpus, vectors), wanted)


Sets = Mapping[tuple[str, str], VariantSet]


def print_steps(sets: Sets) -> None:
    best = {"surroundings": PLAN.context_weight, "hubs": -PLAN.hubness_penalty}
    steps: list[tuple[str, Weights, int]] = [
        ("cosine", {}, CANDIDATES),
        ("+ 0.6 paragraph", {"paragraph": 0.6}, CANDIDATES),
        ("+ 0.6 neighbours", {"neighbours": 0.6}, CANDIDATES),
        ("+ surroundings (both)", {"surroundings": PLAN.context_weight}, CANDIDATES),
        ("- hubs", {"hubs": -PLAN.hubness_penalty}, CANDIDATES),
        ("+ surroundings - hubs", best, CANDIDATES),
        ("the same, 50 candidates", best, 50),
        ("the same, 200 candidates", best, 200),
    ]
    print(f"| {'MRR':32} | " + " | ".join(f"{name} {level}" for name, level in sets) + " |")
    for name, weights, limit in steps:
        figures = (f"{one.reciprocal(weights, limit).mean():.3f}" for one in sets.values())
        print(f"| {name:32} | " + " | ".join(figures) + " |", flush=True)


def cross_validate(sets: Sets, grid: Mapping[str, Sequence[float]]) -> None:
    """Choose on 16 books, count on the other 4; SHUFFLES times 5 folds. Chosen by Σ log(MRR / goal) over levels 2 and 3."""
    judged = [sets[key] for key in GOALS]
    goals = list(GOALS.values())
    settings = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    found = [[one.reciprocal(weights) for one in judged] for weights in settings]
    names = np.unique(judged[0].books)
    chosen: Counter[str] = Counter()
    outside = np.zeros((SHUFFLES, len(judged)))
    for shuffle in range(SHUFFLES):
        order = np.random.default_rng(shuffle).permutation(names)
        for fold in range(FOLDS):
            held = [np.isin(one.books, order[fold::FOLDS]) for one in judged]
            worth = [
                sum(np.log(max(values[~mask].mean(), 1e-6) / goal) for values, mask, goal in zip(row, held, goals, strict=True))
                for row in found
            ]
            best = int(np.argmax(worth))
            chosen[str(settings[best])] += 1
            outside[shuffle] += [values[mask].sum() for values, mask in zip(found[best], held, strict=True)]
    worth = [sum(np.log(values.mean() / goal) for values, goal in zip(row, goals, strict=True)) for row in found]
    best = int(np.argmax(worth))
    print("goal        ", *(f"{goal:.3f}" for goal in goals))
    print("in-fold     ", *(f"{values.mean():.3f}" for values in found[best]), settings[best])
    print("out-of-fold ", *(f"{value:.3f}" for value in outside.mean(axis=0) / [len(one.looked) for one in judged]))
    print("chosen      ", *(f"{times} × {what}" for what, times in chosen.most_common(4)), sep="\n  ")


def open_corpus(settings: Settings) -> tuple[Corpus, object]:
    services = composition.compose(settings)
    scope = Scope(settings.school)
    opened = open_books(scope, services.catalog, services.embedder.model)
    sentences: list[Sentence] = []
    vectors, books = [], []
    for book in opened.values():
        its_sentences = indexed(load_book(services.bucket, book.key))
        books.append(slice(len(sentences), len(sentences) + len(its_sentences)))
        sentences += its_sentences
        vectors.append(load_vectors(services.bucket, book.key))
    known = know_books(scope, opened, services.catalog, services.bucket)
    return Corpus(sentences, np.concatenate(vectors), books, known), services.embedder.embed_queries


def main(shared: Path) -> None:
    corpus, embed = open_corpus(Settings())
    print(f"{len(corpus.books)} books, {len(corpus.sentences):,} sentences")
    files = {"variants": "variants.jsonl", "hard": "variants_hard.jsonl"}
    sets = {
        (name, level): one
        for name, file in files.items()
        for level, one in variant_sets(corpus, embed, read_variants((shared / "retrieval" / file).read_bytes()))
    }
    print_steps(sets)
    print()
    cross_validate(sets, {"surroundings": (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), "hubs": (-0.4, -0.5, -0.6, -0.7, -0.8, -0.9)})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared"))
