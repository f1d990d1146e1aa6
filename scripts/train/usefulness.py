"""Fit the model that says how likely a book's sentence is useful beside a paragraph (essays/usefulness.py).

    python -m scripts.train.usefulness --corpus FOLDER [--corpus FOLDER] [--held SHELF] [--write]

Learns from scripts/train/data/judged.jsonl, in a minute. The figures are cross-validated: the sentences of a shelf are judged
by a model that was fitted to other shelves. Shown is at most the best sentence of a paragraph. --held: shelves that are not
used at all, such as those of books on which the product is measured. --write: stores the model, fitted to all other shelves."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from chapterverse.core.book import Address, BookId, Chapter, Kind, Sentence, SentenceId
from chapterverse.core.hits import Vectors
from chapterverse.essays.model import Essay
from chapterverse.essays.queries import build_queries, texts_to_embed
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.usefulness import CARD, FEATURES, FOLDER, WEIGHTS, CandidateSignals, Numbers, features, words_in
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.infrastructure.embedding.model_files import model_name
from chapterverse.library.contexts import context_of
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.settings import read_settings
from evaluations.measures import auroc
from scripts.train.corpus import MODEL, BookSentence, Corpus
from scripts.train.examples import DATA, SEED, read_rows

PRIOR = 0.4  # scale of the vector beside the standardised features: the smaller, the less is learned from it
FOLDS = 5
CURVE = (1, 2, 4, 8)  # shelves
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
THRESHOLD, AGREED = 0.35, 0.55  # chances of this model and of the reader from which a sentence is shown (second_reading.py)
USEFUL = 2  # score
ENOUGH = 5  # useful sentences of a book, for a figure of its own


Book = tuple[dict[str, int], CandidateSignals]
"""The row of each sentence of a book by digest, and all its sentences as candidates."""


def as_candidates(corpus: Corpus, slug: str) -> Book:
    sentences, vectors = corpus.book(slug), corpus.vectors(slug)
    context = context_of(list(_as_parsed(sentences)), vectors)
    rows = {one.digest: row for row, one in reversed(list(enumerate(sentences)))}  # of equal ones the first
    words = words_in([one.text for one in sentences])
    return rows, CandidateSignals(vectors, context.directions.astype(np.float32), context.hubness, words)


def _as_parsed(sentences: Sequence[BookSentence]) -> Iterator[Sentence]:
    """The sentences as library/contexts.py expects them: in chapters and paragraphs."""
    chapters = {name: Chapter(at, None, name) for at, name in enumerate(dict.fromkeys(one.chapter for one in sentences))}
    for one in sentences:
        chapter, span = chapters[one.chapter], (0, len(one.text))
        address = Address(BookId(one.book), "", chapter, (), f"{one.paragraph}", one.paragraph, one.number, span, ())
        yield Sentence(SentenceId(one.id), one.text, Kind.SENTENCE, address, None, None)


@dataclass
class Judged:
    """A row for each judged candidate: features, vector, score, its book, and the paragraph and shelf it was judged for."""

    features: list[Numbers] = field(default_factory=list)
    vectors: list[NDArray[np.float32]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    books: list[str] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    shelves: list[str] = field(default_factory=list)

    def inputs(self) -> Numbers:
        """(n, features and dimensions), the features as they are."""
        return np.hstack([np.concatenate(self.features), np.stack(self.vectors) * PRIOR])


def judged_candidates(corpora: Sequence[Corpus], data: Path, held: Sequence[str]) -> Judged:
    """The judged candidates of all shelves but `held` whose sentence is in a corpus."""
    rows = {row["id"]: row for row in read_rows(data / "paragraphs.jsonl") if row["shelf"] not in held}
    judged = defaultdict[str, list[dict[str, object]]](list)
    for row in read_rows(data / "judged.jsonl"):
        if row["paragraph"] in rows:
            judged[str(row["paragraph"])].append(row)
    queries, found, books = dict(_queries({id: str(rows[id]["text"]) for id in judged})), Judged(), dict[str, Book]()
    corpus_of = {slug: corpus for corpus in corpora for its in corpus.shelves.values() for slug in its}
    for paragraph, its in judged.items():
        for slug in sorted({str(row["book"]) for row in its} & corpus_of.keys()):
            if slug not in books:
                books[slug] = as_candidates(corpus_of[slug], slug)
            row_of, candidates = books[slug]
            own = [row for row in its if row["book"] == slug and str(row["digest"]) in row_of]
            places = [row_of[str(row["digest"])] for row in own]
            vectors = candidates.vectors[places]
            some = CandidateSignals(vectors, candidates.around[places], candidates.hubness[places], candidates.words[places])
            found.features.append(features(queries[paragraph], some))
            found.vectors.extend(vectors)
            found.scores.extend(int(str(row["score"])) for row in own)
            found.books.extend([slug] * len(own))
            found.digests.extend(str(row["digest"]) for row in own)
            found.paragraphs.extend([paragraph] * len(own))
            found.shelves.extend([str(rows[paragraph]["shelf"])] * len(own))
    return found


def _queries(texts: dict[str, str]) -> Iterator[tuple[str, Vectors]]:
    """The vectors of a paragraph and of its key sentences, as the product searches for them, by id."""
    embedder = OnnxEmbedder(MODEL, read_settings().home / "models")
    for id, text in texts.items():
        essay = Essay(None, parse_essay(text).paragraphs)
        yield id, build_queries(essay, embedder.embed_queries(texts_to_embed(essay)), ESSAY_FEEDBACK.key_sentences).vectors


def fitted(inputs: Numbers, useful: NDArray[np.bool_]) -> tuple[Numbers, float]:
    """Weights of the inputs, and the bias."""
    known = inputs[:, : len(FEATURES)]
    mean, spread = known.mean(axis=0), known.std(axis=0)
    model = LogisticRegression(max_iter=300).fit(np.hstack([(known - mean) / spread, inputs[:, len(FEATURES) :]]), useful)
    weights = np.asarray(model.coef_[0], np.float64)
    weights[: len(FEATURES)] /= spread
    return weights, float(model.intercept_[0] - mean @ weights[: len(FEATURES)])


def cross_validated(inputs: Numbers, useful: NDArray[np.bool_], shelves: NDArray[np.str_], limit: int | None = None) -> Numbers:
    """The chance of each row, by a model that was fitted to other shelves, `limit` of them or all."""
    chances, random = np.zeros(len(useful)), np.random.default_rng(SEED)
    for some in np.array_split(random.permutation(np.unique(shelves)), FOLDS):
        own = np.isin(shelves, some)
        others = np.isin(shelves, random.permutation(np.setdiff1d(shelves, some))[:limit])
        weights, bias = fitted(inputs[others], useful[others])
        chances[own] = 1 / (1 + np.exp(-(inputs[own] @ weights + bias)))
    return chances


def figures(chances: Numbers, scores: NDArray[np.int_], paragraphs: NDArray[np.str_]) -> dict[str, object]:
    """AUROC, mean over paragraphs and over all; the share of paragraphs whose best is useful; what is shown, by threshold."""
    useful = scores == USEFUL
    places = [np.flatnonzero(paragraphs == one) for one in np.unique(paragraphs)]
    mixed = [its for its in places if useful[its].any() and not useful[its].all()]
    hold = [its for its in places if useful[its].any()]
    best = {int(its[np.argmax(chances[its])]): bool(useful[its].any()) for its in places}
    table = dict[str, dict[str, float]]()
    for threshold in THRESHOLDS:
        shown = [place for place in best if chances[place] >= threshold]
        shares = {name: float(np.mean(scores[shown] == score)) for name, score in (("useful", USEFUL), ("irrelevant", 0))}
        found = sum(scores[place] == USEFUL for place in shown) / len(hold)
        silent = sum(not holds and chances[place] < threshold for place, holds in best.items()) / (len(best) - len(hold))
        table[f"{threshold}"] = {"shown": len(shown), **shares, "found": float(found), "silent": float(silent)}
    return {
        "paragraphs": len(places),
        "candidates": len(scores),
        "auroc_within": float(np.mean([auroc(chances[its][useful[its]], chances[its][~useful[its]]) for its in mixed])),
        "auroc_all": float(auroc(chances[useful], chances[~useful])),
        "first_useful": float(np.mean([useful[its][np.argmax(chances[its])] for its in hold])),
        "thresholds": table,
    }


def learning_curve(inputs: Numbers, judged: Judged) -> dict[str, dict[str, float]]:
    """The AUROC by the number of shelves that the model was fitted to."""
    scores, shelves, paragraphs = np.array(judged.scores), np.array(judged.shelves), np.array(judged.paragraphs)
    table = dict[str, dict[str, float]]()
    for limit in CURVE:
        its = figures(cross_validated(inputs, scores == USEFUL, shelves, limit), scores, paragraphs)
        table[f"{limit}"] = {name: round(float(str(its[name])), 3) for name in ("auroc_within", "auroc_all")}
    return table


def by_book(chances: Numbers, scores: NDArray[np.int_], books: NDArray[np.str_]) -> dict[str, dict[str, float]]:
    """Candidates of each book, how many of them are useful, and the AUROC of these; for books with 5 useful ones or more."""
    useful, table = scores == USEFUL, dict[str, dict[str, float]]()
    for book in np.unique(books):
        own = books == book
        if (hits := int(useful[own].sum())) >= ENOUGH:
            area = auroc(chances[own & useful], chances[own & ~useful])
            table[str(book)] = {"candidates": int(own.sum()), "useful": hits, "auroc": round(float(area), 3)}
    return table


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--held", action="append", default=[], help="a shelf that is not used")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    judged = judged_candidates([Corpus(folder) for folder in given.corpus], given.data, given.held)
    inputs, scores = judged.inputs(), np.array(judged.scores)
    chances = cross_validated(inputs, scores == USEFUL, np.array(judged.shelves))
    measured = figures(chances, scores, np.array(judged.paragraphs))
    print(json.dumps(measured, indent=1))
    if given.write:
        weights, bias = fitted(inputs, scores == USEFUL)
        FOLDER.mkdir(parents=True, exist_ok=True)
        known, prior = weights[: len(FEATURES)], weights[len(FEATURES) :] * PRIOR
        np.savez(FOLDER / WEIGHTS, weights=known.astype(np.float32), prior=prior.astype(np.float32), bias=np.float32(bias))
        books = by_book(chances, scores, np.array(judged.books))
        card = {
            "model": model_name(MODEL),
            "threshold": THRESHOLD,
            "agreed": AGREED,
            "features": FEATURES,
            "not_used": given.held,
            **measured,
            "books": books,
            "by_shelves": learning_curve(inputs, judged),
        }
        (FOLDER / CARD).write_text(json.dumps(card, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
