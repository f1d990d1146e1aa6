"""What the reader learns from: a claim or a paragraph, a sentence between its neighbours, and two labels."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from chapterverse.core.ports import Pair
from scripts.train.corpus import BookSentence, Corpus

DATA = Path(__file__).with_name("data")
USEFUL = ("irrelevant", "on topic", "useful")
RELATIONS = ("supports", "partly", "contradicts", "nothing")
GAIN = (0.0, 1.0, 3.0)  # of a score in the judged ranking
SEED = 20261122
UNLABELLED = -100  # what PyTorch's losses leave out


@dataclass(frozen=True, slots=True)
class Example:
    """A pair and its labels; group: what it was a candidate for, or the sentence that a claim was written for."""

    group: str
    pair: Pair
    useful: int = UNLABELLED
    relation: int = UNLABELLED


class Training:
    """The data files, with the text of the sentences looked up in the corpus by digest. missing: digests that no sentence has,
    because another version of the program split it otherwise; their rows are left out."""

    def __init__(self, corpus: Corpus, data: Path = DATA) -> None:
        self._corpus, self._books = corpus, dict[str, tuple[list[BookSentence], dict[str, BookSentence]]]()
        self.missing = set[str]()
        self._judged, self._claims = read_rows(data / "judged.jsonl"), read_rows(data / "claims.jsonl")
        self._paragraphs = {row["id"]: row for row in read_rows(data / "paragraphs.jsonl")}

    @property
    def shelves(self) -> list[str]:
        return sorted({row["shelf"] for row in self._paragraphs.values()})

    def judged(self, shelves: Sequence[str], claims: Random | None = None) -> Iterator[Example]:
        """The judged candidates; with `claims` half of the paragraphs that have claims are replaced by these."""
        lefts = dict[str, str]()
        for row in self._judged:
            paragraph = self._paragraphs[row["paragraph"]]
            if paragraph["shelf"] not in shelves:
                continue
            if row["paragraph"] not in lefts:
                by_claim = claims and paragraph["claims"] and claims.random() < 0.5
                lefts[row["paragraph"]] = " ".join(paragraph["claims"]) if by_claim else paragraph["text"]
            yield from self._example(row, row["paragraph"], lefts[row["paragraph"]], row["score"], _relation(row))

    def claims(self, books: set[str]) -> Iterator[Example]:
        """The claims written beside sentences of these books: a sentence that says nothing on a claim is on its topic, any
        other is useful for it."""
        for number, row in enumerate(self._claims):
            if row["book"] in books:
                relation = RELATIONS.index(str(row["kind"]))
                useful = USEFUL.index("on topic" if row["kind"] == "nothing" else "useful")
                yield from self._example(row, f"claim {number}", str(row["claim"]), useful, relation)

    def books_of(self, shelves: Sequence[str]) -> set[str]:
        return {slug for name, slugs in self._corpus.shelves.items() if name in shelves for slug in slugs}

    def _example(self, row: Mapping[str, object], group: str, left: str, useful: int, relation: int) -> Iterator[Example]:
        """The example, if its sentence is there."""
        sentences, by_digest = self._book(str(row["book"]))
        sentence = by_digest.get(str(row["digest"]))
        if sentence is None:
            self.missing.add(str(row["digest"]))
            return
        number = sentence.number
        before = sentences[number - 1].text if number else ""
        after = sentences[number + 1].text if number + 1 < len(sentences) else ""
        yield Example(group, Pair(left, sentence.text, before, after), useful, relation)

    def _book(self, slug: str) -> tuple[list[BookSentence], dict[str, BookSentence]]:
        if slug not in self._books:
            sentences = self._corpus.book(slug)
            by_digest = {sentence.digest: sentence for sentence in reversed(sentences)}  # of equal ones the first
            self._books[slug] = sentences, by_digest
        return self._books[slug]


def _relation(row: Mapping[str, object]) -> int:
    """Label of a judged candidate: a useful one supports (an example does) or contradicts; an irrelevant one says nothing."""
    if row["score"] == 0:
        return RELATIONS.index("nothing")
    if row["score"] == 1:
        return UNLABELLED
    return {"supports": 0, "example": 0, "contradicts": 2, "background": 3}[str(row["relation"])]


def read_rows(file: Path) -> list[dict[str, object]]:
    """The lines of a data file."""
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
