"""Fit the model that says how likely a book's sentence is useful beside a paragraph (essays/evidence.py).

    python -m scripts.train.usefulness CORPUS [--held SHELF] [--write]

Learns from scripts/train/data/judged.jsonl, in a minute. The figures are cross-validated: the sentences of a shelf are judged
by a model that was fitted to other shelves. Shown is at most the best sentence of a paragraph. --held: shelves that are not
used at all, such as those of books on which the product is measured. --write: stores the model, fitted to all other shelves."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from chapterverse.core.book import Address, BookId, Chapter, Kind, Sentence, SentenceId
from chapterverse.core.hits import Vectors
from chapterverse.essays.evidence import (
    CARD,
    FEATURES,
    FOLDER,
    WEIGHTS,
    CandidateSignals,
    Numbers,
    build_queries,
    features,
    texts_to_embed,
)
from chapterverse.essays.model import Essay
from chapterverse.essays.text import parse_essay
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.infrastructure.embedding.model_files import plain_name
from chapterverse.library.artefacts import context_of
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.settings import read_settings
from evaluations.measures import auroc
from scripts.train.corpus import MODEL, BookSentence, Corpus
from scripts.train.examples import DATA, SEED, read_rows

PRIOR = 0.4  # scale of the vector beside the standardised features: the smaller, the less is learned from it
FOLDS, USEFUL = 5, 2  # of cross-validation; score
THRESHOLD, AGREED = 0.35, 0.55  # chances of this model and of the reader from which a sentence is shown


Book = tuple[dict[str, int], CandidateSignals]
"""The row of each sentence of a book by digest, and all its sentences as candidates."""


def as_candidates(corpus: Corpus, slug: str) -> Book:
    sentences, vectors = corpus.book(slug), corpus.vectors(slug)
    around, hubness = context_of(list(_as_parsed(sentences)), vectors)
    rows = {one.digest: row for row, one in reversed(list(enumerate(sentences)))}  # of equal ones the first
    words = np.array([len(one.text.split()) for one in sentences])
    return rows, CandidateSignals(vectors, around.astype(np.float32), hubness, words)


def _as_parsed(sentences: Sequence[BookSentence]) -> Iterator[Sentence]:
    """The sentences as library/artefacts.py expects them: in chapters and paragraphs."""
    chapters = {name: Chapter(at, None, name) for at, name in enumerate(dict.fromkeys(one.chapter for one in sentences))}
    for one in sentences:
        chapter, span = chapters[one.chapter], (0, len(one.text))
        address = Address(BookId(one.book), "", chapter, (), f"{one.paragraph}", one.paragraph, one.number, span, ())
        yield Sentence(SentenceId(one.id), one.text, Kind.SENTENCE, address, None, None)


@dataclass
class Judged:
    """A row for each judged candidate: features, vector, score, and the paragraph and shelf it was judged for."""

    features: list[Numbers] = field(default_factory=list)
    vectors: list[NDArray[np.float32]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    shelves: list[str] = field(default_factory=list)

    def inputs(self) -> Numbers:
        """(n, features and dimensions), the features as they are."""
        return np.hstack([np.concatenate(self.features), np.stack(self.vectors) * PRIOR])


def judged_candidates(corpus: Corpus, held: Sequence[str]) -> Judged:
    """The judged candidates of all shelves but `held` whose sentence is in the corpus."""
    rows = {row["id"]: row for row in read_rows(DATA / "paragraphs.jsonl") if row["shelf"] not in held}
    judged = defaultdict[str, list[dict[str, object]]](list)
    for row in read_rows(DATA / "judged.jsonl"):
        if row["paragraph"] in rows:
            judged[str(row["paragraph"])].append(row)
    queries, found, books = dict(_queries({id: str(rows[id]["text"]) for id in judged})), Judged(), dict[str, Book]()
    there = {slug for its in corpus.shelves.values() for slug in its}
    for paragraph, its in judged.items():
        for slug in sorted({str(row["book"]) for row in its} & there):
            if slug not in books:
                books[slug] = as_candidates(corpus, slug)
            row_of, candidates = books[slug]
            own = [row for row in its if row["book"] == slug and str(row["digest"]) in row_of]
            places = [row_of[str(row["digest"])] for row in own]
            vectors = candidates.vectors[places]
            some = CandidateSignals(vectors, candidates.around[places], candidates.hubness[places], candidates.words[places])
            found.features.append(features(queries[paragraph], some))
            found.vectors.extend(vectors)
            found.scores.extend(int(str(row["score"])) for row in own)
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


def cross_validated(inputs: Numbers, useful: NDArray[np.bool_], shelves: NDArray[np.str_]) -> Numbers:
    """The chance of each row, by a model that was fitted to other shelves."""
    chances, random = np.zeros(len(useful)), np.random.default_rng(SEED)
    for some in np.array_split(random.permutation(np.unique(shelves)), FOLDS):
        own = np.isin(shelves, some)
        weights, bias = fitted(inputs[~own], useful[~own])
        chances[own] = 1 / (1 + np.exp(-(inputs[own] @ weights + bias)))
    return chances


def figures(chances: Numbers, scores: NDArray[np.int_], paragraphs: NDArray[np.str_]) -> dict[str, float]:
    """AUROC, mean over paragraphs and over all; the share of paragraphs whose best is useful."""
    useful = scores == USEFUL
    places = [np.flatnonzero(paragraphs == one) for one in np.unique(paragraphs)]
    mixed = [its for its in places if useful[its].any() and not useful[its].all()]
    hold = [its for its in places if useful[its].any()]
    return {
        "paragraphs": len(places),
        "candidates": len(scores),
        "auroc_within": float(np.mean([auroc(chances[its][useful[its]], chances[its][~useful[its]]) for its in mixed])),
        "auroc_all": float(auroc(chances[useful], chances[~useful])),
        "first_useful": float(np.mean([useful[its][np.argmax(chances[its])] for its in hold])),
    }


def main(corpus: Path, held: Annotated[list[str], typer.Option()] = [], write: bool = False) -> None:  # noqa: B006
    judged = judged_candidates(Corpus(corpus), held)
    inputs, scores = judged.inputs(), np.array(judged.scores)
    chances = cross_validated(inputs, scores == USEFUL, np.array(judged.shelves))
    measured = figures(chances, scores, np.array(judged.paragraphs))
    print(json.dumps(measured, indent=1))
    if write:
        weights, bias = fitted(inputs, scores == USEFUL)
        FOLDER.mkdir(parents=True, exist_ok=True)
        known, prior = weights[: len(FEATURES)], weights[len(FEATURES) :] * PRIOR
        np.savez(FOLDER / WEIGHTS, weights=known.astype(np.float32), prior=prior.astype(np.float32), bias=np.float32(bias))
        card = {
            "model": plain_name(MODEL),
            "threshold": THRESHOLD,
            "agreed": AGREED,
            "features": FEATURES,
            "not_used": held,
            **measured,
        }
        (FOLDER / CARD).write_text(json.dumps(card, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    typer.run(main)
