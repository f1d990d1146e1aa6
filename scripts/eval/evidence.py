"""How much of the evidence that students are shown is relevant, by a reader, and how much of the gold is shown.

    CHAPTERVERSE_HOME=… python scripts/eval/evidence.py [SHARED]            # the figures; the home holds the 20 gold books
    CHAPTERVERSE_HOME=… python scripts/eval/evidence.py [SHARED] --unread   # evidence that has no judgement yet

A reader goes through what --unread prints: sentences as the product shows them at its default threshold, each beside its
paragraph, shuffled with decoys, i.e. sentences that were shown for another essay, without scores and without gold. Marks are
kept by digests in data/evidence_read.jsonl, because the essays are not ours to copy."""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from shared import shared_folder

from chapterverse import composition
from chapterverse.citations.model import Evidence, JudgeAll, VerdictKind
from chapterverse.citations.verdicts import ConservativeJudge
from chapterverse.core.hits import Scope
from chapterverse.core.names import fingerprint, slug
from chapterverse.essays.evidence import EssayEvidence, find_evidence
from chapterverse.essays.model import Essay, subject_of
from chapterverse.essays.text.parse import parse_essay
from chapterverse.evaluation.cases import GoldBooks, GoldEvidence, GoldParagraph, Place, words_of
from chapterverse.evaluation.cli import read_gold_folder
from chapterverse.evaluation.measures import Estimate, mean_estimate
from chapterverse.evaluation.retrieval import OpenLibrary, open_library
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.settings import read_settings

MARKS = Path(__file__).with_name("data") / "evidence_read.jsonl"
SEED = 0


@dataclass(frozen=True)
class Pair:
    """A sentence beside the paragraph that it was shown for, or, as a decoy, beside one of another essay."""

    essay: str
    number: int
    paragraph: str
    evidence: Evidence
    decoy: bool = False

    @property
    def key(self) -> str:
        return fingerprint(words_of(self.paragraph), words_of(self.evidence.passage.sentence.text), digits=16)


@dataclass(frozen=True)
class Answered:
    """An essay with what the product shows on it."""

    id: str
    gold: tuple[GoldParagraph, ...]
    found: EssayEvidence

    def shown(self) -> Iterator[Pair]:
        numbered = {one.number: one for one in self.found.evidence}
        for number, of_one in enumerate(self.found.paragraphs, start=1):
            for evidence in of_one.numbers:
                yield Pair(self.id, number, of_one.paragraph.text, numbered[evidence])


def answers(file: Path, library: OpenLibrary, scope: Scope) -> Iterator[Answered]:
    """Each essay as a student would hand it in."""
    for line in file.read_text("utf-8").splitlines():
        told = json.loads(line)
        gold = tuple(GoldParagraph.model_validate(each) for each in told["paragraphs"])
        essay: Essay = parse_essay("\n\n".join([f"# {told['title']}", *(each.text for each in gold)]))
        assert len(essay.paragraphs) == len(gold), told["id"]
        yield Answered(told["id"], gold, find_evidence(essay, scope, library.services, library.plan))


def with_decoys(shown: list[Pair]) -> list[Pair]:
    """As many again, each paragraph with a sentence shown for another essay; shuffled."""
    random = Random(SEED)
    decoys = []
    for pair in shown:
        other = random.choice([each for each in shown if each.essay != pair.essay])
        decoys.append(Pair(pair.essay, pair.number, pair.paragraph, other.evidence, decoy=True))
    return random.sample(both := [*shown, *decoys], len(both))


def read_marks() -> dict[str, str]:
    if not MARKS.exists():
        return {}
    return {each["pair"]: each["mark"] for each in map(json.loads, MARKS.read_text("utf-8").splitlines())}


def print_unread(pairs: list[Pair]) -> None:
    """For the reader; the first column goes into the file with a mark."""
    for pair in pairs:
        passage = pair.evidence.passage
        around = [each.text if each else "-" for each in (passage.previous, passage.next)]
        print(f"{pair.key}\n  PARAGRAPH {pair.paragraph}\n  SENTENCE  {passage.sentence.text}  ({passage.book_title})")
        print(f"  before    {around[0]}\n  after     {around[1]}\n")


def show(name: str, figure: Estimate) -> None:
    print(f"| {name} | {figure.value:.3f} | {figure.low:.3f} to {figure.high:.3f} | {figure.n} |")


def shares(name: str, truths: list[bool]) -> None:
    if truths:
        show(name, mean_estimate(np.array(truths, np.float64)))


def print_precision(pairs: list[Pair], marks: dict[str, str]) -> None:
    for decoy, of_what in ((False, "shown"), (True, "decoys")):
        read = [marks[pair.key] for pair in pairs if pair.decoy is decoy and pair.key in marks]
        print(f"| {of_what}: {dict(sorted(Counter(read).items()))} | | | |")
        shares(f"{of_what}: relevant", [mark == "yes" for mark in read])
        shares(f"{of_what}: relevant or in part", [mark != "no" for mark in read])
    unread = sum(pair.key not in marks for pair in pairs)
    if unread:
        print(f"| not read yet: {unread} of {len(pairs)} | | | |")


def print_verdicts(essays: list[Answered], marks: dict[str, str], judge: JudgeAll) -> None:
    """What feedback says of the sentences shown, by the reader's marks on them."""
    said: Counter[tuple[str, str]] = Counter()
    for essay in essays:
        subject, pairs = subject_of(essay.found), list(essay.shown())
        verdicts = judge([(subject.claim(pair.number - 1, pair.evidence), pair.evidence) for pair in pairs])
        said.update((verdict.kind, marks.get(pair.key, "unread")) for verdict, pair in zip(verdicts, pairs, strict=True))
    print("\n| verdict in feedback | yes | part | no |\n| --- | --- | --- | --- |")
    for kind in VerdictKind:
        print(f"| {kind.in_words} | {said[kind, 'yes']} | {said[kind, 'part']} | {said[kind, 'no']} |")


def print_gold(essays: list[Answered], gold: GoldBooks, library: OpenLibrary) -> None:
    paragraphs = [each for essay in essays for each in with_what_is_seen(essay, library)]
    with_gold = [(listed, seen) for listed, seen in paragraphs if listed]
    near = [bool(seen & {place for each in listed for place in library.books.near(each, gold)}) for listed, seen in with_gold]
    shares("paragraphs without gold: nothing shown", [not seen for listed, seen in paragraphs if not listed])
    shares("paragraphs with gold: something shown", [bool(seen) for _, seen in with_gold])
    shares("paragraphs with gold: a listed sentence shown, or its neighbour", near)
    shares("listed sentences: shown", [place_of(each, gold) in seen for listed, seen in with_gold for each in listed])


def with_what_is_seen(essay: Answered, library: OpenLibrary) -> Iterator[tuple[tuple[GoldEvidence, ...], set[Place | None]]]:
    """Of each paragraph its gold, and the places of what is shown for it."""
    shown = list(essay.shown())
    for number, paragraph in enumerate(essay.gold, start=1):
        seen = {library.books.places.get(pair.evidence.passage.sentence.id) for pair in shown if pair.number == number}
        yield tuple(each for each in paragraph.evidence if library.books.holds(each.book)), seen


def place_of(evidence: GoldEvidence, gold: GoldBooks) -> Place | None:
    """Of the listed sentence itself."""
    book = slug(evidence.book)
    return next(((book, words_of(each.text)) for each in gold[book] if each.n == evidence.n), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--unread", action="store_true")
    given = parser.parse_args()
    file = shared_folder(given.shared, "retrieval") / "essays.jsonl"
    settings = read_settings()
    scope, services = Scope(settings.school), composition.compose(settings)
    library = open_library(scope, services, ESSAY_FEEDBACK)
    essays = list(answers(file, library, scope))
    pairs, marks = with_decoys([pair for essay in essays for pair in essay.shown()]), read_marks()
    if given.unread:
        print_unread([pair for pair in pairs if pair.key not in marks])
        return
    print("| | share | 95 % interval | n |\n| --- | --- | --- | --- |")
    print_precision(pairs, marks)
    print_gold(essays, read_gold_folder(shared_folder(given.shared, "goldbooks") / "pdf"), library)
    print_verdicts(essays, marks, ConservativeJudge(services.embedder))


if __name__ == "__main__":
    main()
