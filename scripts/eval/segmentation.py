"""Sentence boundaries on books and on annotated text, of ours and of spaCy: F1, share of sentences exact, and speed.

    python -m scripts.eval.segmentation [SHARED] [--worst N]

SHARED holds data/sentences/ and goldbooks/. A paragraph is its gold sentences
joined by one space; boundaries inside it count, its end does not. Rules were written looking at the (seen) sets."""

import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from time import perf_counter

import typer

from bookreader.text.sentences import split_sentences
from scripts.eval.shared import ADJACENT, Shared, shared_folder

Span = tuple[int, int]
Segmenter = Callable[[str], list[Span]]
TIMED = 600  # paragraphs


@dataclass(frozen=True)
class Gold:
    """A gold sentence; both ends are sure unless a careful reader could dispute them."""

    text: str
    sure_start: bool = True
    sure_end: bool = True


Paragraph = list[Gold]


@dataclass
class Score:
    """Counts over paragraphs; boundaries and sentences that are not sure are left out."""

    hit: int = 0
    false: int = 0
    missed: int = 0
    sentences: int = 0
    exact: int = 0

    def __str__(self) -> str:
        f1 = 2 * self.hit / max(1, 2 * self.hit + self.false + self.missed)
        return f"{f1:.3f} / {self.exact / max(1, self.sentences):.3f}"


def joined(paragraph: Paragraph) -> tuple[str, list[Span]]:
    """The paragraph's text and the span of each gold sentence in it."""
    spans, at = [], 0
    for gold in paragraph:
        spans.append((at, at + len(gold.text)))
        at += len(gold.text) + 1
    return " ".join(gold.text for gold in paragraph), spans


def count(paragraph: Paragraph, segmenter: Segmenter, score: Score) -> list[str]:
    """Add one paragraph to the score; returns the sure sentences that did not come back whole."""
    text, spans = joined(paragraph)
    got = segmenter(text)
    found = {end for _, end in got[:-1]}
    ends = {end: gold.sure_end for gold, (_, end) in zip(paragraph[:-1], spans, strict=False)}
    score.hit += sum(ends.get(end, False) for end in found)
    score.false += len(found - ends.keys())
    score.missed += sum(sure and end not in found for end, sure in ends.items())
    sure = [span for gold, span in zip(paragraph, spans, strict=True) if gold.sure_start and gold.sure_end]
    wrong = [span for span in sure if span not in set(got)]
    score.sentences += len(sure)
    score.exact += len(sure) - len(wrong)
    return ["".join(("|" if i in found else "") + text[i] for i in range(s, min(e + 30, len(text)))) for s, e in wrong]


def read_lines(path: Path) -> Iterator[dict[str, object]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)


def documents(path: Path, first: int = 0, step: int = 1) -> list[Paragraph]:
    """Every step-th document, beginning with the first."""
    rows = islice(read_lines(path), first, None, step)
    return [[Gold(s) for s in paragraph] for row in rows for paragraph in row["paras"]]


def book(path: Path) -> list[Paragraph]:
    rows = groupby(read_lines(path), key=lambda row: row["paragraph"])
    return [[Gold(r["text"], r["sure_start"], r["sure_end"]) for r in group] for _, group in rows]


def sets(shared: Path) -> dict[str, list[Paragraph]]:
    """Name to paragraphs."""
    sentences = shared_folder(shared, "data/sentences")
    gum = next(sentences.glob("ud-gum/gum_sentences_*.jsonl"))
    books = [book(path) for path in sorted((shared / "goldbooks/pdf").glob("*.gold.jsonl.gz"))]
    return {
        "books": [paragraph for one in books[1::2] for paragraph in one],
        "ud-gum": documents(gum, 1, 2),
        "ud-ewt-test": documents(sentences / "ud-ewt-test/ewt_test_sentences.jsonl"),
        "books (seen)": [paragraph for one in books[::2] for paragraph in one],
        "ud-gum (seen)": documents(gum, 0, 2),
    }


def tight(text: str, spans: Iterable[Span]) -> list[Span]:
    return [(e - len(text[s:e].lstrip()), s + len(text[s:e].rstrip())) for s, e in spans if text[s:e].strip()]


def with_spacy() -> Segmenter:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 10**7
    return lambda text: tight(text, ((s.start_char, s.end_char) for s in nlp(text).sents))


SEGMENTERS: dict[str, Callable[[], Segmenter]] = {"ours": lambda: split_sentences, "spaCy sentencizer": with_spacy}


def speed(paragraphs: list[Paragraph], segmenter: Segmenter) -> float:
    """Sentences per second over the paragraphs, one thread."""
    texts = [joined(paragraph)[0] for paragraph in paragraphs]
    began = perf_counter()
    return sum(len(segmenter(text)) for text in texts) / (perf_counter() - began)


def main(shared: Shared = ADJACENT, worst: int = 0) -> None:
    """Print the table; worst: so many wrong sentences of ours in each set, too."""
    data = sets(shared)
    print("| F1 / exact |", " | ".join(data), "| sentences/s |")
    print("|---" * (len(data) + 2) + "|")
    for name, start in SEGMENTERS.items():
        segmenter, scores = start(), {kind: Score() for kind in data}
        for kind, paragraphs in data.items():
            wrong = [line for paragraph in paragraphs for line in count(paragraph, segmenter, scores[kind])]
            print(*wrong[: worst * (name == "ours")], sep="\n", end="", file=sys.stderr)
        print(f"| {name} |", " | ".join(map(str, scores.values())), f"| {speed(data['books'][:TIMED], segmenter):,.0f} |")


if __name__ == "__main__":
    typer.run(main)
