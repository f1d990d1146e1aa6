"""Which sentences say what a paragraph says: ways to choose them against what people marked.

    python -m scripts.eval.key_sentences [SHARED]        (make eval-key-sentences)

SHARED/data/essays/arg-microtexts-en: short argumentative texts, whose central claim is what all else in their argument graph
supports or attacks (Peldszus & Stede 2015). A figure is the share of texts with such a sentence among the first k chosen."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
import typer

from bookreader.text.sentences import split_sentences
from chapterverse import composition
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.essays.model import Paragraph
from chapterverse.essays.queries import Scores, centrality
from chapterverse.evaluation.search import mean_estimate
from chapterverse.settings import Settings
from scripts.eval.shared import ADJACENT, Shared

KEYS = (1, 2, 3)
Chooser = Callable[["Case"], Scores]


@dataclass(frozen=True, eq=False)
class Case:
    """gold: places of the sentences that people marked."""

    paragraph: Paragraph
    gold: frozenset[int]
    vectors: Vectors


def microtexts(shared: Path) -> Iterator[tuple[Paragraph, frozenset[int]]]:
    for file in sorted((shared / "data" / "essays" / "arg-microtexts-en").glob("*.xml")):
        paragraph = as_paragraph(file.with_suffix(".txt").read_text("utf-8").strip())
        yield paragraph, holding(central_claim(ET.parse(file).getroot()), paragraph)  # a corpus named by hand


def central_claim(graph: ET.Element) -> list[str]:
    """The units of text of the one node from which no edge leads to another."""
    edges = [edge.attrib for edge in graph.iter("edge")]
    supporting = {edge["src"] for edge in edges if edge["type"] != "seg"}
    [centre] = [node.attrib["id"] for node in graph.iter("adu") if node.attrib["id"] not in supporting]
    units = {edge["src"] for edge in edges if edge["type"] == "seg" and edge["trg"] == centre}
    return [unit.text or "" for unit in graph.iter("edu") if unit.attrib["id"] in units]


def as_paragraph(text: str) -> Paragraph:
    return Paragraph(text, tuple(text[start:end] for start, end in split_sentences(text)))


def holding(parts: Sequence[str], paragraph: Paragraph) -> frozenset[int]:
    """Places of the sentences that hold one of the parts, or stand in one."""
    whole = [(place, sentence.strip()) for place, sentence in enumerate(paragraph.sentences)]
    return frozenset(place for part in parts for place, sentence in whole if part.strip() in sentence or sentence in part)


def read_cases(found: Iterator[tuple[Paragraph, frozenset[int]]], embedder: Embedder) -> list[Case]:
    """Those of at least two sentences, one of them marked."""
    kept = [(paragraph, gold) for paragraph, gold in found if len(paragraph.sentences) > 1 and gold]
    return [Case(each, gold, embedder.embed_queries([each.text, *each.sentences])) for each, gold in kept]


def first(case: Case) -> Scores:
    return -np.arange(len(case.paragraph.sentences), dtype=np.float64)


def central(case: Case) -> Scores:
    return centrality(case.vectors[0], case.vectors[1:])


def words_of(case: Case) -> Scores:
    return np.array([len(sentence.split()) for sentence in case.paragraph.sentences], np.float64)


CHOOSERS: Mapping[str, Chooser] = {
    "first sentence": first,
    "longest sentence": words_of,
    "embedding (nearest to the whole)": central,
}


def hit(scores: Scores, gold: frozenset[int], keys: int) -> float:
    return float(bool(gold & set(np.argsort(-scores, kind="stable")[:keys].tolist())))


def chance(case: Case, keys: int) -> float:
    """That a choice at random has one."""
    all_of_them, others = len(case.paragraph.sentences), len(case.paragraph.sentences) - len(case.gold)
    return 1 - comb(others, keys) / comb(all_of_them, keys) if keys <= all_of_them else 1.0


def show(name: str, cases: Sequence[Case], keys: int, values: Sequence[float]) -> None:
    figure = mean_estimate(np.array(values))
    print(f"  {name:34} {keys}   {figure.value:.3f}  {figure.low:.3f}-{figure.high:.3f}   {len(cases)}", flush=True)


def main(shared: Shared = ADJACENT) -> None:
    cases = read_cases(microtexts(shared), composition.models.embedder(Settings()))
    sentences = sum(len(case.paragraph.sentences) for case in cases) / len(cases)
    print(f"{sentences:.1f} sentences a paragraph")
    for keys in KEYS:
        show("at random", cases, keys, [chance(case, keys) for case in cases])
        for chooser, scores in CHOOSERS.items():
            show(chooser, cases, keys, [hit(scores(case), case.gold, keys) for case in cases])


if __name__ == "__main__":
    typer.run(main)
