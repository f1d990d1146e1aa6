"""Compare sentence segmenters on books and on annotated text, and print the tables of docs/quality.md.

    PYTHONPATH=src python -m scripts.eval.segmentation [SHARED] [--worst N] [--only NAME]

SHARED (else $CHAPTERVERSE_SHARED, else ../shared) holds data/sentences/ and goldbooks/. Segmenters that are not installed are
left out. A paragraph is its gold sentences joined by one space; boundaries inside it count, its end does not."""

import argparse
import gzip
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import groupby, islice
from pathlib import Path
from time import perf_counter

from bookreader.text.sentences import split_sentences

Span = tuple[int, int]
Segmenter = Callable[[str], list[Span]]


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
    cut: int = 0

    @property
    def precision(self) -> float:
        return self.hit / max(1, self.hit + self.false)

    @property
    def recall(self) -> float:
        return self.hit / max(1, self.hit + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.hit / max(1, 2 * self.hit + self.false + self.missed)


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
    score.cut += sum(any(start < end < stop for end in found) for start, stop in sure)
    return [describe(text, span, found) for span in wrong]


def describe(text: str, span: Span, found: Iterable[int]) -> str:
    """The wrong sentence with a bar wherever a boundary was put, and what follows it."""
    start, end = span
    marked = "".join(("|" if i in found else "") + text[i] for i in range(start, min(end + 30, len(text))))
    return ("CUT    " if any(start < i < end for i in found) else "JOINED ") + marked


CUTS = (  # "left | right" of a cut inside a sure sentence, where the gold joins by its own plain rule and we mean to cut
    ("after “etc.”", r"\betc\.\W*\|"),
    ("after “art.”, “no.” (the words)", r"\b(?:[Aa]rt|[Nn]o)\.\W*\|"),
    ("after a Roman numeral", r"\b[IVXLC]{2,}\.\W*\||\b[VX]\.\W*\|"),
    ("after the pronoun “I”", r"\bI\.\W*\|"),
    ("after two closing quotes set apart", r"[”’] [”’]\|"),
    ("before “(a)”, “(1)”", r"\| \((?:[a-z]+|\d+)\)"),
    ("before a figure", r"\| \d"),
    ("before ’Tis, ’Twas", r"\| ’T"),
)


def kind_of(wrong: str) -> str:
    """What stands where a sure sentence was cut; "other" too for one that was joined to its neighbour."""
    kinds = (kind for kind, at in CUTS if wrong.startswith("CUT") and re.search(at, wrong))
    return next(kinds, "other")


def table_of_cuts(data: dict[str, list[Paragraph]]) -> None:
    """What stands at the cuts inside sure sentences of the books."""
    books = [p for name, ps in data.items() if name not in OTHER_SETS for p in ps]
    wrong = [line for line in measure(books, split_sentences)[1] if line.startswith("CUT")]
    print()
    row(["cut", "sentences"])
    row(["---"] * 2)
    for entry in Counter(map(kind_of, wrong)).most_common():
        row(entry)


def read_lines(path: Path) -> Iterator[dict[str, object]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)


def golden_rules(shared: Path) -> list[Paragraph]:
    """Those rules that are about one paragraph: texts with line breaks, markup to clean or missing blanks are left out."""
    rows = read_lines(shared / "data/sentences/golden-rules/golden_rules_en.jsonl")
    return [[Gold(s) for s in row["sentences"]] for row in rows if " ".join(row["sentences"]) == row["text"]]


def documents(path: Path, first: int = 0, step: int = 1) -> list[Paragraph]:
    """Every step-th document, beginning with the first."""
    rows = islice(read_lines(path), first, None, step)
    return [[Gold(s) for s in paragraph] for row in rows for paragraph in row["paras"]]


def book(path: Path) -> list[Paragraph]:
    rows = groupby(read_lines(path), key=lambda row: row["paragraph"])
    return [[Gold(r["text"], r["sure_start"], r["sure_end"]) for r in group] for _, group in rows]


def sets(shared: Path) -> dict[str, list[Paragraph]]:
    """Name to paragraphs. Rules were written looking at the (seen) sets; the others were only measured."""
    sentences = shared / "data/sentences"
    gum = next(sentences.glob("ud-gum/gum_sentences_*.jsonl"))
    out = {
        "golden-rules (seen)": golden_rules(shared),
        "ud-ewt-test": documents(sentences / "ud-ewt-test/ewt_test_sentences.jsonl"),
        "ud-gum (seen)": documents(gum, 0, 2),
        "ud-gum": documents(gum, 1, 2),
    }
    for i, path in enumerate(sorted((shared / "goldbooks/pdf").glob("*.gold.jsonl.gz"))):
        out[path.name.split(".")[0] + ("" if i % 2 else " (seen)")] = book(path)
    return out


def tight(text: str, spans: Iterable[Span]) -> list[Span]:
    return [(e - len(text[s:e].lstrip()), s + len(text[s:e].rstrip())) for s, e in spans if text[s:e].strip()]


def with_nupunkt() -> Segmenter:
    from nupunkt import load

    spans = load("default").spans
    return lambda text: list(spans(text))


def with_blingfire() -> Segmenter:
    from blingfire import text_to_sentences_and_offsets

    return lambda text: tight(text, text_to_sentences_and_offsets(text)[1])


def with_pysbd() -> Segmenter:
    from pysbd import Segmenter as Pysbd

    pysbd = Pysbd(language="en", clean=False, char_span=True)
    return lambda text: tight(text, ((s.start, s.end) for s in pysbd.segment(text)))


def with_syntok() -> Segmenter:
    from syntok.segmenter import split
    from syntok.tokenizer import Tokenizer

    tokens = Tokenizer(emit_hyphen_or_underscore_sep=True, replace_not_contraction=False)
    return lambda text: [(s[0].offset, s[-1].offset + len(s[-1].value)) for s in split(tokens.tokenize(text)) if s]


def with_spacy(component: str) -> Segmenter:
    import spacy

    import scripts.eval.spacy_pipe  # noqa: F401  registers our component

    nlp = spacy.blank("en")
    nlp.add_pipe(component)
    nlp.max_length = 10**7
    return lambda text: tight(text, ((s.start_char, s.end_char) for s in nlp(text).sents))


SEGMENTERS: dict[str, tuple[str, Callable[[], Segmenter]]] = {
    "ours": ("spacy", lambda: split_sentences),
    "nupunkt": ("nupunkt", with_nupunkt),
    "blingfire": ("blingfire", with_blingfire),
    "syntok": ("syntok", with_syntok),
    "pysbd": ("pysbd", with_pysbd),
    "spaCy sentencizer": ("spacy", lambda: with_spacy("sentencizer")),
    "ours in spaCy": ("spacy", lambda: with_spacy("chapterverse_sentences")),
}


def measure(paragraphs: list[Paragraph], segmenter: Segmenter) -> tuple[Score, list[str]]:
    score = Score()
    return score, [line for paragraph in paragraphs for line in count(paragraph, segmenter, score)]


def speed(paragraphs: list[Paragraph], segmenter: Segmenter) -> float:
    """Sentences per second over the paragraphs, one thread."""
    texts = [joined(paragraph)[0] for paragraph in paragraphs]
    began = perf_counter()
    return sum(len(segmenter(text)) for text in texts) / (perf_counter() - began)


def row(cells: Iterable[object]) -> None:
    print("| " + " | ".join(f"{c:.4f}" if isinstance(c, float) else str(c) for c in cells) + " |")


def table_of_sets(data: dict[str, list[Paragraph]], segmenter: Segmenter, worst: int) -> None:
    row(["set", "sentences", "precision", "recall", "F1", "exact", "cut inside", "exact but for cuts we mean"])
    row(["---"] * 8)
    for name, paragraphs in data.items():
        s, wrong = measure(paragraphs, segmenter)
        n = max(1, s.sentences)
        meant = 1 - sum(kind_of(line) == "other" for line in wrong) / n
        row([name, s.sentences, s.precision, s.recall, s.f1, s.exact / n, s.cut, "" if name in OTHER_SETS else meant])
        for line in wrong[:worst]:
            print("   ", line, file=sys.stderr)


OTHER_SETS = ("golden-rules (seen)", "ud-ewt-test", "ud-gum (seen)", "ud-gum")


def grouped(data: dict[str, list[Paragraph]]) -> dict[str, list[Paragraph]]:
    """The 20 books as two groups, those seen while the rules were written and those held out."""
    out = {name: data[name] for name in OTHER_SETS}
    books = {name: paragraphs for name, paragraphs in data.items() if name not in OTHER_SETS}
    for group, seen in (("books seen", True), ("books held out", False)):
        out[group] = [p for name, ps in books.items() if name.endswith("(seen)") == seen for p in ps]
    return out


def table_of_segmenters(data: dict[str, list[Paragraph]]) -> None:
    """F1 / share of sentences exact per group of sets, and speed on a slice of the held-out books."""
    print()
    groups = grouped(data)
    row(["F1 / exact", *groups, "sentences/s"])
    row(["---"] * (len(groups) + 2))
    for name, (module, start) in SEGMENTERS.items():
        if find_spec(module) is None:
            print(f"{name}: not installed, left out", file=sys.stderr)
            continue
        segmenter = start()
        scores = [measure(paragraphs, segmenter)[0] for paragraphs in groups.values()]
        rate = speed(groups["books held out"][:600], segmenter)
        row([name, *(f"{s.f1:.3f} / {s.exact / max(1, s.sentences):.3f}" for s in scores), f"{rate:,.0f}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, default=Path(os.environ.get("CHAPTERVERSE_SHARED", "../shared")))
    parser.add_argument("--worst", type=int, default=0, help="show this many wrong sentences per set")
    parser.add_argument("--only", default="", help="only the sets whose name contains this, and no comparison")
    args = parser.parse_args()
    if not (args.shared / "data/sentences").is_dir():
        sys.exit(f"{args.shared} holds no data/sentences: give the shared folder as argument or in CHAPTERVERSE_SHARED.")
    data = {name: paragraphs for name, paragraphs in sets(args.shared).items() if args.only in name}
    table_of_sets(data, split_sentences, args.worst)
    if not args.only:
        table_of_cuts(data)
        table_of_segmenters(data)


if __name__ == "__main__":
    main()
