"""Other texts of paragraph and sentence, tried beside the product's way of choosing evidence: none chose better.

    python -m scripts.train.phrasings --corpus FOLDER --held SHELF

Held: a shelf that neither the usefulness model nor the trained reader was trained on. Each way scores the judged candidates of
a paragraph: by vectors all of them, by reading the FIRST that the usefulness model finds likeliest. A row: mean AUROC within
a paragraph; of the paragraphs with a useful candidate, how often is the best one useful; of the SHOWN surest bests of all
paragraphs, how many are useful, how many irrelevant."""

import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint
from chapterverse.core.ports import Pair
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.usefulness import Numbers
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from chapterverse.infrastructure.llm.cross_encoders import TrainedReader
from chapterverse.settings import read_settings
from evaluations.measures import auroc
from scripts.train.corpus import MODEL, Corpus
from scripts.train.examples import DATA, Training
from scripts.train.second_reading import by_vectors
from scripts.train.usefulness import USEFUL, judged_candidates

FIRST = 8  # candidates of a paragraph that are read
SHOWN = 0.3  # of the paragraphs
LEAST, LONG = 6, 14  # words of a clause, and of a sentence that is split, at least
FOLDS = 10
JOINTS = re.compile(
    r"[;:—]|,\s+(?=(?:and|but|or|nor|for|so|yet|because|when|while|if|unless|though|although|since|that|which|who|where|as)\b)"
    r"|\s(?=(?:when|if|because|unless|although|though|while|whereas)\s)"
)
HEDGES = re.compile(
    r"(?i)^(?:(?:and|but|so|because|also|then|however|therefore|first(?:ly)?|finally|for example|in conclusion|in my opinion"
    r"|of course|basically|personally|my opinion is(?: that)?|that(?:'s| is) why"
    r"|i (?:really |also |just )?(?:think|believe|feel|guess|mean|say|know)(?: that)?"
    r"|(?:this|it) (?:shows|means|proves)(?: us)? that|(?:some )?people (?:say|think|believe)(?: that)?)\b[\s,:]*)+"
)

Scores = Mapping[int, float]
"""By row of the judged candidates; a row without one is not chosen."""


def clauses(sentence: str) -> list[str]:
    """The parts of a long sentence, each of LEAST words or more; the sentence alone if it has one part."""
    if len(sentence.split()) < LONG:
        return [sentence]
    found, rest = list[str](), ""
    for part in JOINTS.split(sentence):
        rest = f"{rest} {part.strip(' ,')}".strip()
        if len(rest.split()) >= LEAST:
            found.append(rest)
            rest = ""
    if rest and found:
        found[-1] = f"{found[-1]} {rest}"
    return found or [sentence]


def plain(sentence: str) -> str:
    """The sentence without "In my opinion", "So I think that" and the like, if four words are left."""
    shorter = HEDGES.sub("", sentence)
    return shorter if len(shorter.split()) >= 4 else sentence


@dataclass
class Shelf:
    """The judged candidates of a shelf. likely: the chance by vectors; paragraphs: of each row; firsts: the rows to read."""

    pairs: Sequence[Pair]
    scores: Numbers
    likely: Numbers
    places: Sequence[Numbers]
    paragraphs: Numbers

    @property
    def firsts(self) -> list[int]:
        return [int(row) for its in self.places for row in its[np.argsort(-self.likely[its], kind="stable")[:FIRST]]]


def shelf_of(corpus: Corpus, data: Path, held: str) -> Shelf:
    training = Training([corpus], data)
    judged = judged_candidates([corpus], data, [one for one in training.shelves if one != held])
    known = {(one.group, fingerprint(one.pair.sentence, digits=8)): one.pair for one in training.judged([held])}
    pairs = [known[key] for key in zip(judged.paragraphs, judged.digests, strict=True)]
    paragraphs = np.unique(judged.paragraphs, return_inverse=True)[1]
    places = [np.flatnonzero(paragraphs == one) for one in range(paragraphs.max() + 1)]
    return Shelf(pairs, np.array(judged.scores), by_vectors(judged), places, paragraphs)


def own_sentences(text: str) -> list[str]:
    return [one for paragraph in parse_essay(text).paragraphs for one in paragraph.own]


def nearest_by(embed: Callable[[list[str]], Vectors], shelf: Shelf, written: Callable[[str], list[str]], split: bool) -> Scores:
    """The best cosine of what is `written` of a paragraph with each candidate, or with any of its clauses."""
    scores = dict[int, float]()
    for its in shelf.places:
        queries = embed(written(shelf.pairs[its[0]].text))
        parts = [[one, *clauses(one)] if split else [one] for one in (shelf.pairs[row].sentence for row in its)]
        best = (queries @ embed([part for some in parts for part in some]).T).max(axis=0)
        ends = np.cumsum([len(some) for some in parts])
        scores |= {int(row): float(own.max()) for row, own in zip(its, np.split(best, ends[:-1]), strict=True)}
    return scores


def read_as(reader: TrainedReader, shelf: Shelf, texts: Callable[[Pair], Sequence[Pair]]) -> Scores:
    """The trained reader's chance that a candidate is useful, the best of those of `texts`."""
    asked = [(row, pair) for row in shelf.firsts for pair in texts(shelf.pairs[row])]
    scores = dict[int, float]()
    for (row, _), found in zip(asked, reader.chances([pair for _, pair in asked]), strict=True):
        scores[row] = max(scores.get(row, 0.0), found.useful if found else 0.0)
    return scores


def together(shelf: Shelf, signals: Sequence[Scores]) -> Scores:
    """A logistic regression on all signals; each paragraph by one that was fitted to others."""
    rows = shelf.firsts
    inputs = np.array([[one[row] for one in signals] for row in rows])
    inputs = (inputs - inputs.mean(axis=0)) / inputs.std(axis=0)
    useful, groups = shelf.scores[rows] == USEFUL, shelf.paragraphs[rows]
    folds = GroupKFold(FOLDS)
    chances = cross_val_predict(LogisticRegression(), inputs, useful, groups=groups, cv=folds, method="predict_proba")[:, 1]
    return dict(zip(rows, map(float, chances), strict=True))


def figures(shelf: Shelf, scores: Scores) -> str:
    considered = [[int(row) for row in its if row in scores] for its in shelf.places]
    bests = sorted((max(rows, key=scores.__getitem__) for rows in considered), key=lambda row: -scores[row])
    hold = {int(shelf.paragraphs[row]) for row in np.flatnonzero(shelf.scores == USEFUL)}
    first = sum(shelf.scores[row] == USEFUL for row in bests) / len(hold)
    shown = shelf.scores[bests[: round(SHOWN * len(bests))]]
    areas = [
        auroc(np.array([scores[row] for row in good]), np.array([scores[row] for row in others]))
        for rows in considered
        for good, others in [([r for r in rows if shelf.scores[r] == USEFUL], [r for r in rows if shelf.scores[r] != USEFUL])]
        if good and others
    ]
    counted = f"{np.mean(shown == USEFUL):.2f} | {np.mean(shown == 0):.2f}"
    return f"{np.mean(areas):.3f} | {first:.2f} | {counted}"


def ways(shelf: Shelf, embed: Callable[[list[str]], Vectors], reader: TrainedReader) -> Iterator[tuple[str, Scores]]:
    def nearest(pair: Pair) -> str:
        sentences = [plain(one) for one in own_sentences(pair.text)] or [pair.text]
        return sentences[int(np.argmax(embed(sentences) @ embed([pair.sentence])[0]))]

    near = {pair: nearest(pair) for pair in (shelf.pairs[row] for row in shelf.firsts)}
    raw, mended = own_sentences, lambda text: [plain(part) for one in own_sentences(text) for part in clauses(one)]
    for name, written in (("paragraph and its sentences", lambda t: [t, *raw(t)]), ("its clauses without hedges", mended)):
        yield f"vectors, {name}", nearest_by(embed, shelf, written, split=False)
        yield f"vectors, {name}; clauses of the book", (split := nearest_by(embed, shelf, written, split=True))
    yield "usefulness model", (likely := {row: float(shelf.likely[row]) for row in shelf.firsts})
    yield "reader, paragraph", (whole := read_as(reader, shelf, lambda pair: [pair]))
    one = {name: read_as(reader, shelf, texts) for name, texts in _others(near).items()}
    yield from one.items()
    yield "reader, the better of paragraph and sentence", {r: max(whole[r], one["reader, nearest sentence"][r]) for r in whole}
    yield "all of these, logistic regression", together(shelf, [likely, whole, split, *one.values()])


def _others(near: Mapping[Pair, str]) -> dict[str, Callable[[Pair], Sequence[Pair]]]:
    return {
        "reader, nearest sentence": lambda pair: [Pair(near[pair], pair.sentence, pair.before, pair.after)],
        "reader, sentence and neighbours as one": lambda pair: [
            Pair(pair.text, " ".join((pair.before, pair.sentence, pair.after)))
        ],
        "reader, best clause": lambda pair: [Pair(near[pair], part, "", "") for part in clauses(pair.sentence)],
    }


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--held", required=True)
    parser.add_argument("--data", type=Path, default=DATA)
    given = parser.parse_args()
    embedder, known = OnnxEmbedder(MODEL, read_settings().home / "models"), dict[str, Vectors]()

    def embed(texts: list[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embedder.embed_queries(new), strict=True))
        return np.stack([known[text] for text in texts])

    shelf = shelf_of(Corpus(given.corpus), given.data, given.held)
    print("| | AUROC | best is useful | surest: useful | irrelevant |")
    for name, scores in ways(shelf, embed, TrainedReader()):
        print(f"| {name} | {figures(shelf, scores)} |", flush=True)


if __name__ == "__main__":
    main()
