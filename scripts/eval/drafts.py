"""How well a second draft is compared with the first: kinds of changes, and what became of the comments.

    CHAPTERVERSE_HOME=… python -m scripts.eval.drafts            # the figures, tuning and blind
    CHAPTERVERSE_HOME=… python -m scripts.eval.drafts --show     # the errors, of the tuning pairs alone

The pairs and their rubric: data/drafts/README.md. The unit of the kinds is a sentence: of the second draft with its kind or as
unchanged, of the first one if it is gone; macro F1 is over the kinds. The unit of the states is a comment."""

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np

from chapterverse import composition
from chapterverse.core.hits import Vectors
from chapterverse.essays.evidence import by_paragraph
from chapterverse.essays.model import Comment, Dimension, Essay, EssayEvidence
from chapterverse.essays.revision.align import DraftSentence
from chapterverse.essays.revision.comments import Compared, state_of
from chapterverse.essays.revision.compare import differences
from chapterverse.essays.revision.kinds import BookSentence
from chapterverse.essays.revision.model import ChangeKind, CommentState
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from chapterverse.settings import read_settings

DATA = Path(__file__).with_name("data") / "drafts"
STATES = {"a": CommentState.RESOLVED, "t": CommentState.TRIED, "u": CommentState.UNTOUCHED}
EDIT = re.compile(r"\[(?P<sign>[+~<>-])(?P<kind>[a-z]*)(?:\|(?P<text>[^\]]*))?\]")
STRONGEST = [*ChangeKind]
NEAREST = 20  # sentences of the books for each added one


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of one draft, with the kind of the edit there."""

    start: int
    end: int
    kind: ChangeKind


@dataclass
class Written:
    """One draft as text, and where it was edited."""

    text: str = ""
    spans: list[Span] = field(default_factory=list)

    def add(self, text: str, kind: ChangeKind | None = None) -> None:
        """Append text; with a kind, mark it."""
        if text and self.text.endswith((" ", "\n")) and text.startswith(" "):
            text = text[1:]
        start = len(self.text)
        self.text += text
        if kind:
            self.spans.append(Span(start, len(self.text), kind))


@dataclass(frozen=True, slots=True)
class GoldComment:
    """A comment on the first draft and what became of it. words: that it is about."""

    rule: str
    words: str
    state: CommentState
    text: str


@dataclass(frozen=True, slots=True)
class DraftPair:
    """Two drafts with known edits."""

    name: str
    first: Written
    second: Written
    comments: tuple[GoldComment, ...]


def read_pairs(path: Path) -> Iterator[DraftPair]:
    """The pairs of a file; README.md has its format."""
    for block in path.read_text("utf-8").split("\n== "):
        head, _, rest = block.removeprefix("== ").partition("\n")
        lines = rest.rstrip("\n").split("\n")
        body = "\n".join(line for line in lines if not line.startswith("? "))
        first, second = Written(), Written()
        _write(body, first, second)
        comments = tuple(_comment(line) for line in lines if line.startswith("? "))
        yield DraftPair(head.split(" | ")[0], first, second, comments)


def _write(body: str, first: Written, second: Written) -> None:
    at = 0
    for found in EDIT.finditer(body):
        for each in (first, second):
            each.add(body[at : found.start()])
        text = found["text"] or ""
        match found["sign"]:
            case "+" if found["kind"] == "par":
                second.text = second.text.rstrip() + "\n\n"
            case "+":
                second.add(text, ChangeKind(found["kind"]))
            case "-":
                first.add(text, ChangeKind.REMOVED)
            case ">":
                first.add(text)
            case "<":
                second.add(text, ChangeKind.MOVED)
            case _:
                old, _, new = text.partition(" => ")
                first.add(old)
                second.add(new, ChangeKind(found["kind"]))
        at = found.end()
    for each in (first, second):
        each.add(body[at:])


def _comment(line: str) -> GoldComment:
    rule, words, state, *text = line[2:].split(" | ")
    return GoldComment(rule, words, STATES[state.strip()], text[0] if text else "")


def labels(essay: Essay, written: Written) -> list[ChangeKind | None]:
    """The kind of each sentence: of the edits in it, the strongest."""
    found: list[ChangeKind | None] = []
    at = 0
    for sentence in chain.from_iterable(paragraph.sentences for paragraph in essay.paragraphs):
        start = written.text.index(sentence, at)
        at = end = start + len(sentence)
        kinds = [span.kind for span in written.spans if span.start < end and start < span.end]
        found.append(min(kinds, key=STRONGEST.index) if kinds else None)
    return found


@cache
def books() -> list[tuple[str, str]]:
    """Title and text of each sentence of the books."""
    return [(one["title"], text) for one in json.loads((DATA / "books.json").read_text("utf-8")) for text in one["sentences"]]


class Library:
    """The books of the data, searched by the product's own embedder."""

    def __init__(self) -> None:
        settings = read_settings()
        services = composition.compose(settings)
        self.writing = composition.essay_context(settings, services).writing
        self.embedder = services.embedder
        self.vectors = self.embedder.embed_passages([text for _, text in books()])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts."""
        return self.embedder.embed_queries(texts)

    def look_up(self, texts: Sequence[str]) -> list[list[BookSentence]]:
        """The nearest sentences for each text."""
        scores = self.embed(texts) @ self.vectors.T
        return [[BookSentence(*books()[at], float(row[at])) for at in np.argsort(-row)[:NEAREST]] for row in scores]


Outcome = tuple[str, str, str, str]  # pair, gold, found, what


def kinds_in(pair: DraftPair, library: Library) -> tuple[list[Outcome], Compared, float]:
    """Gold and found kind of each sentence that has either, what was compared, and the seconds that it took."""
    one, two = parse_essay(pair.first.text), parse_essay(pair.second.text)
    began = time.monotonic()
    drafts, pairs, changes = differences(one, two, library.embed, library.look_up)
    took = time.monotonic() - began
    first, second = drafts.first, drafts.second
    after = {place: change.kind for change in changes for place in change.after}
    gone = {place for change in changes if not change.after for place in change.before}
    merged = {place for change in changes if change.after for place in change.before}
    rows = [_row(pair.name, gold, after.get(it.place), it) for gold, it in zip(labels(two, pair.second), second, strict=True)]
    rows += [
        _row(pair.name, gold, ChangeKind.REMOVED if it.place in gone else None, it)
        for gold, it in zip(labels(one, pair.first), first, strict=True)
        if gold or (it.place in gone and it.place not in merged)
    ]
    return rows, Compared(drafts, pairs, changes, comments_on(two, library.writing)), took


def _row(name: str, gold: ChangeKind | None, found: ChangeKind | None, it: DraftSentence) -> Outcome:
    return name, gold or "same", found or "same", it.text


def comments_on(essay: Essay, writing: Writing) -> list[Comment]:
    """What rules and the grammar checker say of an essay, without books."""
    found = EssayEvidence(essay.title, by_paragraph(essay, (), range(len(essay.paragraphs))), ())
    reviews = write_reviews(found, "school", replace(writing, seconds=60.0, proof_seconds=60.0), writing.clock())
    return [one for review in reviews for one in review.comments]


def states_in(pair: DraftPair, compared: Compared) -> Iterator[Outcome]:
    """Gold and found state of each comment."""
    paragraphs = parse_essay(pair.first.text).paragraphs
    for gold in pair.comments:
        paragraph = next(at for at, each in enumerate(paragraphs) if gold.words in each.text)
        start = paragraphs[paragraph].text.index(gold.words)
        place = (start, start + len(gold.words))
        is_language = gold.rule == "language"
        dimension = (
            Dimension.EXPRESSIONS if gold.rule.partition(".")[0] in {"language", "sentences", "wording"} else Dimension.CONTENT
        )
        comment = Comment(
            paragraph, gold.text, place, instead="" if is_language else None, rule="" if is_language else gold.rule
        )
        yield pair.name, gold.state, state_of(comment, dimension, compared), f"{gold.rule}: {gold.words}"


def f1(rows: Sequence[Outcome], name: str) -> tuple[float, float, float, int]:
    """Precision, recall and F1 of one label, and how often it is right."""
    right = sum(gold == found == name for _, gold, found, _ in rows)
    said, there = (sum(row[column] == name for row in rows) for column in (2, 1))
    precision, recall = right / max(said, 1), right / max(there, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9), there


def report(title: str, rows: Sequence[Outcome], names: Sequence[str]) -> None:
    """Print precision, recall and F1 of each label, and the mean of F1."""
    scores = {name: f1(rows, name) for name in names}
    print(f"  {title}: macro F1 {np.mean([score[2] for score in scores.values()]):.3f}")
    for name, (precision, recall, both, there) in scores.items():
        print(f"    {name:12} precision {precision:.2f}  recall {recall:.2f}  F1 {both:.2f}  of {there}")


def agreement(pairs: Sequence[DraftPair]) -> None:
    """Print Cohen's kappa of the first and the second marks: of the kinds over the later drafts' sentences, of the states."""
    again = json.loads((DATA / "second_marks.json").read_text("utf-8"))
    marked = [pair for pair in pairs if pair.name in again]
    kinds = [
        (gold or "same", again[pair.name]["kinds"].get(str(at), "same"))
        for pair in marked
        for at, gold in enumerate(labels(parse_essay(pair.second.text), pair.second))
    ]
    states = [
        (gold.state, STATES[mark])
        for pair in marked
        for gold, mark in zip(pair.comments, again[pair.name]["states"], strict=True)
    ]
    print(f"marked twice: {len(marked)} pairs; kappa of kinds {kappa(kinds):.2f}, of states {kappa(states):.2f}")


def kappa(marks: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa: agreement beyond chance."""
    same = sum(one == other for one, other in marks) / len(marks)
    first, second = (Counter(pair[side] for pair in marks) for side in (0, 1))
    chance = sum(first[name] * second[name] for name in first) / len(marks) ** 2
    return (same - chance) / (1 - chance)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    library = Library()
    agreement([pair for name in ("tuning", "blind") for pair in read_pairs(DATA / f"{name}.txt")])
    for name in ("tuning", "blind"):
        kinds: list[Outcome] = []
        states: list[Outcome] = []
        seconds: list[float] = []
        pairs = list(read_pairs(DATA / f"{name}.txt"))
        for pair in pairs:
            rows, compared, took = kinds_in(pair, library)
            seconds.append(took)
            kinds += rows
            states += states_in(pair, compared)
        print(
            f"{name}: {len(pairs)} pairs, {len(kinds)} sentences, {len(states)} comments; "
            f"median {np.median(seconds):.2f} s, at most {max(seconds):.2f} s"
        )
        report("kinds of changes", kinds, [kind.value for kind in ChangeKind])
        report("states of comments", states, [state.value for state in CommentState])
        if given.show and name == "tuning":
            for pair_name, gold, found, what in (*kinds, *states):
                if gold != found:
                    print(f"    {pair_name} {gold} → {found}: {what}")
            print("   ", Counter((gold, found) for _, gold, found, _ in kinds if gold != found).most_common(12))
        if given.show:
            return


if __name__ == "__main__":
    main()
