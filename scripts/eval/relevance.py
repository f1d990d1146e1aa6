"""What each step of re-scoring gains, by cross-validation over books, and what it costs: the tables of docs/quality.md.

    CHAPTERVERSE_HOME=HOME PYTHONPATH=src python -m scripts.eval.relevance [SHARED]

HOME holds the books that the cases are about (`chapterverse books add SHARED/goldbooks/pdf/*.pdf`); SHARED (../shared) holds
retrieval/ and goldbooks/. Vectors are the stored ones, nearest sentences are found exactly, re-scoring is the product's own."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np

from bookreader.text.sentences import split_sentences
from chapterverse import composition
from chapterverse.core.book import Sentence
from chapterverse.core.hits import Scope, Vectors
from chapterverse.core.names import slug
from chapterverse.essays.queries import best_of, centrality
from chapterverse.evaluation.search import LEVELS, Variant, reciprocal_ranks
from chapterverse.library.artefacts import indexed, load_book, load_vectors
from chapterverse.library.contexts import hubness, neighbourhoods, paragraph_means
from chapterverse.library.scope import open_books
from chapterverse.search.plan import ESSAY_FEEDBACK as PLAN
from chapterverse.settings import Settings
from evaluations.cases import (
    GoldEssay,
    GoldSentence,
    KnownBooks,
    know_books,
    read_essays,
    read_gold,
    read_variants,
)
from evaluations.measures import auroc

OWN_ESSAYS = Path(__file__).parent / "data" / "essays_tuning.jsonl"
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
    def matrices(self) -> dict[str, Vectors]:
        """Parts that depend on the query: a vector a sentence."""
        around = self.by_book(neighbourhoods)
        paragraphs = self.by_book(paragraph_means)
        mean = self.vectors.mean(axis=0)
        return {
            "neighbours": around,
            "paragraph": paragraphs,
            "surroundings": (around + paragraphs) / 2,
            "chapter": self.by_book(chapter_means),
            "centred": unit(self.vectors - mean),
        }

    @cached_property
    def numbers(self) -> dict[str, Vectors]:
        """Parts that do not: a number a sentence."""
        words = np.array([len(sentence.text.split()) for sentence in self.sentences])
        return {
            "hubs": np.concatenate([hubness(self.vectors[book]) for book in self.books]),
            "hubs among 4,000 of the school": school_hubs(self.vectors),
            "length": np.minimum(words, 25).astype(np.float32) / 25,
        }

    def by_book(self, of: object) -> Vectors:
        return np.concatenate([of(self.sentences[book], self.vectors[book]) for book in self.books])  # type: ignore[operator]


def unit(rows: Vectors) -> Vectors:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def chapter_means(sentences: Sequence[Sentence], vectors: Vectors) -> Vectors:
    chapters = np.array([sentence.address.chapter.index for sentence in sentences]) + 1
    sums = np.zeros((chapters.max() + 1, vectors.shape[1]), np.float32)
    np.add.at(sums, chapters, vectors)
    return unit(sums)[chapters]


def school_hubs(vectors: Vectors) -> Vectors:
    """Mean cosine to the 10 nearest of 4,000 sentences drawn from all books; a sentence drawn is left out for itself."""
    drawn = np.random.default_rng(0).permutation(len(vectors))[:4000]
    found = []
    for start in range(0, len(vectors), 2000):
        cosines = vectors[start : start + 2000] @ vectors[drawn].T
        cosines[cosines > 0.9999] = -1
        found.append(np.partition(cosines, -10, axis=1)[:, -10:].mean(axis=1))
    return np.concatenate(found)


@dataclass(frozen=True)
class Looked:
    """One query: the rows of its candidates, and what each part says of them."""

    rows: np.ndarray
    said: Mapping[str, np.ndarray]

    def scores(self, weights: Weights, limit: int = CANDIDATES) -> np.ndarray:
        return self.said["cosine"][:limit] + sum(weight * self.said[part][:limit] for part, weight in weights.items())


def look_up(corpus: Corpus, queries: Vectors, limit: int = 2 * CANDIDATES) -> list[Looked]:
    found = []
    mean = corpus.vectors.mean(axis=0)
    for query in queries:
        cosines = corpus.vectors @ query
        rows = np.argpartition(-cosines, limit)[:limit]
        rows = rows[np.argsort(-cosines[rows])]
        said = {"cosine": cosines[rows]} | {name: matrix[rows] @ query for name, matrix in corpus.matrices.items()}
        said["centred"] = corpus.matrices["centred"][rows] @ unit((query - mean)[None])[0]
        found.append(Looked(rows, said | {name: numbers[rows] for name, numbers in corpus.numbers.items()}))
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
        ("+ 0.1 chapter", best | {"chapter": 0.1}, CANDIDATES),
        ("+ 0.1 length", best | {"length": 0.1}, CANDIDATES),
        ("+ 0.5 centred", best | {"centred": 0.5}, CANDIDATES),
        ("- 0.2 school hubs", best | {"hubs among 4,000 of the school": -0.2}, CANDIDATES),
        ("school hubs in place of hubs", {"surroundings": 0.6, "hubs among 4,000 of the school": -0.7}, CANDIDATES),
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


@dataclass(frozen=True)
class LookedParagraph:
    """A paragraph of an essay: itself and its sentences looked up; near: rows of its gold and of what stands next to it."""

    looked: Sequence[Looked]
    order: Sequence[int]  # sentences by how much they say of the paragraph
    near: frozenset[int]
    has_gold: bool

    def queries(self, keys: int) -> list[Looked]:
        return [self.looked[0], *(self.looked[1 + i] for i in sorted(self.order[:keys]))]


def look_up_essays(
    corpus: Corpus, embed: object, essays: Sequence[GoldEssay], gold: Mapping[str, Sequence[GoldSentence]]
) -> list[LookedParagraph]:
    found = []
    places = {}
    for id, place in corpus.known.places.items():
        places.setdefault(place, set()).add(corpus.rows[id])
    for paragraph in (paragraph for essay in essays for paragraph in essay.paragraphs):
        sentences = [paragraph.text[a:b] for a, b in split_sentences(paragraph.text)]
        vectors = embed([paragraph.text, *sentences])  # type: ignore[operator]
        order = [best_of(centrality(vectors[0], vectors[1:]), keys) for keys in range(1, len(sentences) + 1)]
        ranked = [next(iter(set(new) - set(old))) for old, new in zip([[], *order], order, strict=False) if set(new) - set(old)]
        near = {row for one in paragraph.evidence for place in corpus.known.near(one, gold) for row in places.get(place, ())}
        found.append(LookedParagraph(look_up(corpus, vectors), ranked, frozenset(near), bool(paragraph.evidence)))
    return found


def print_essays(sets: Mapping[str, Sequence[LookedParagraph]]) -> None:
    best = {"surroundings": PLAN.context_weight, "hubs": -PLAN.hubness_penalty}
    print(f"\n{'nothing_auroc':44}" + " ".join(f"{name:>8}" for name in sets))
    for name, weights in (("cosine", {}), ("re-scored", best)):
        for keys, agreeing in product((2, 3, 4), (1, 2, 9)):
            how = {1: "the best query", 2: "mean of the two best", 9: "mean of all"}[agreeing]
            figures = (f"{nothing_auroc(one, weights, keys, agreeing):8.3f}" for one in sets.values())
            print(f"{name}, {keys} key sentences, {how:24}" + " ".join(figures))
    print("\nparagraphs whose best sentence is in or next to the gold")
    for name, weights in (("cosine", {}), ("re-scored", best)):
        for fusion, weight in product(("max", "sum of 10", "ranks of 10"), (1.0, 0.85, 0.7)):
            figures = (f"{near_gold(one, weights, fusion, weight):8.3f}" for one in sets.values())
            print(f"{name}, {fusion}, key sentences × {weight:<20}" + " ".join(figures), flush=True)


def nothing_auroc(paragraphs: Sequence[LookedParagraph], weights: Weights, keys: int, agreeing: int) -> float:
    sides: dict[bool, list[float]] = {True: [], False: []}
    for one in paragraphs:
        best = sorted((float(query.scores(weights).max()) for query in one.queries(keys)), reverse=True)[:agreeing]
        sides[one.has_gold].append(sum(best) / len(best))
    return auroc(np.array(sides[True]), np.array(sides[False]))


def near_gold(paragraphs: Sequence[LookedParagraph], weights: Weights, fusion: str, key_weight: float) -> float:
    with_gold = [one for one in paragraphs if one.has_gold]
    return sum(best_row(one, weights, fusion, key_weight) in one.near for one in with_gold) / len(with_gold)


def best_row(paragraph: LookedParagraph, weights: Weights, fusion: str, key_weight: float) -> int:
    points: Counter[int] = Counter()
    for number, query in enumerate(paragraph.queries(PLAN.key_sentences)):
        scores = query.scores(weights)
        for rank, i in enumerate(np.argsort(-scores)[: 1 if fusion == "max" else 10], start=1):
            worth = (1 / (60 + rank) if fusion == "ranks of 10" else scores[i]) * (key_weight if number else 1)
            row = int(query.rows[i])
            points[row] = max(points[row], worth) if fusion == "max" else points[row] + worth
    return points.most_common(1)[0][0]


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
    folder = shared / "goldbooks" / "pdf"
    gold = {slug(file.name.split(".")[0]): read_gold(file.read_bytes()) for file in folder.glob("*.gold.jsonl.gz")}
    essays = {"tuning": OWN_ESSAYS, "final": shared / "retrieval" / "essays.jsonl"}
    print_essays({name: look_up_essays(corpus, embed, read_essays(file.read_bytes()), gold) for name, file in essays.items()})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared"))
