"""How well grammar is checked: precision and recall on learners' sentences, counts of judged essays, and the time it takes.

    python -m scripts.eval.feedback_grammar [SHARED]           # the figures; those of essays need SHARED
    python -m scripts.eval.feedback_grammar [SHARED] --show    # also every mistake found in the essays, to be judged

data/grammar_sentences.jsonl has sentences with known mistakes, "{wrong>right}", and as many odd but correct ones. In essays,
a mistake told is right if the words break a rule of standard English that a teacher would mark there, and the correction, if
there is one, mends it and keeps the meaning. The essays are not ours to copy, so data/grammar_judged.json has counts alone."""

import argparse
import csv
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from chapterverse.essays.proofreading.harper import engine
from chapterverse.essays.proofreading.model import Correction
from chapterverse.essays.proofreading.proofreader import in_english
from chapterverse.essays.proofreading.spelling import is_word
from chapterverse.essays.text.parse import parse_essay
from scripts.eval.shared import shared_folder

DATA = Path(__file__).with_name("data")
MARK = re.compile(r"\{([^{}>]*)>([^{}>]*)\}")
SECONDS = 600  # for a text: here nothing is to be left out
LONG = 1500  # words of the essay that is timed
EACH = 50  # essays of each set


class Shown(NamedTuple):
    """A mistake that was told: its place, its words, what is said of it, and its correction."""

    start: int
    end: int
    words: str
    text: str
    instead: str | None


def corrections_of(text: str) -> tuple[Correction, ...]:
    """What the proofreader corrects in a paragraph, in reading order."""
    return in_english([text], engine().corrections, engine().unknown, time.monotonic() + SECONDS).corrections


def told_of(text: str) -> list[Shown]:
    """The corrections of grammar, marks and capitals; those of spelling have figures of their own."""
    return [
        Shown(*one.span, text[slice(*one.span)], one.why, one.instead) for one in corrections_of(text) if one.kind != "spelling"
    ]


def on_sentences() -> Iterator[str]:
    """Precision, recall and false alarms on the sentences."""
    known, told, right, mended, alarms = 0, 0, 0, 0, []
    for line in (DATA / "grammar_sentences.jsonl").read_text("utf-8").splitlines():
        marked = json.loads(line)["text"]
        text, places = _unmarked(marked)
        found = told_of(text)
        known += len(places)
        told += len(found)
        hits = [one for one in found if any(one.start <= end and start <= one.end for start, end, _ in places)]
        right += len(hits)
        mended += sum(MARK.sub(r"\2", marked).replace("  ", " ") == _applied(text, one) for one in hits[:1])
        alarms += [f"  false alarm: {one.words!r} → {one.instead!r} in {text}" for one in found if one not in hits]
    yield f"sentences: {told} told (precision {right / told:.2f}), {right} of {known} known (recall {right / known:.2f})"
    yield f"  {mended} of them mended by the correction just as the sentence's writer has it"
    yield from alarms


def on_spelling() -> Iterator[str]:
    """How many misspelt words get a correction and how many the right one, in the half that was looked at and the other one."""
    lines = [json.loads(line) for line in (DATA / "spelling.jsonl").read_text("utf-8").splitlines()]
    for other in (False, True):
        misspelt, told, right, wrong = 0, 0, 0, []
        for line in lines:
            if bool(line.get("blind")) is other:
                text, places = _unmarked(line["text"])
                meant = {start: correct for start, end, correct in places if not is_word(text[start:end].lower())}
                found = [one for one in corrections_of(text) if one.span[0] in meant]
                misspelt, told = misspelt + len(meant), told + len(found)
                off = [one for one in found if meant[one.span[0]].lower() != one.instead.lower()]
                right += len(found) - len(off)
                wrong += [f"  wrong: {text[slice(*one.span)]} → {one.instead}" for one in off]
        yield f"spelling{', other half' if other else ''}: {misspelt} misspelt, {told} corrected ({told / misspelt:.2f})"
        yield f"  {right} of them right ({right / told:.3f})"
        yield from wrong if not other else ()


def on_marked_essays() -> Iterator[str]:
    """Recall of the mistakes of grammar marked in whole essays, and how much of what is told lies within a mark."""
    lines = [json.loads(line) for line in (DATA / "grammar_essays.jsonl").read_text("utf-8").splitlines()]
    for other in (False, True):
        known, hits, told, right = 0, 0, 0, 0
        for text, places in (_unmarked(line["text"]) for line in lines if bool(line.get("blind")) is other):
            found = told_of(text)
            known, told = known + len(places), told + len(found)
            hits += sum(any(one.start <= end and start <= one.end for one in found) for start, end, _ in places)
            right += sum(any(one.start <= end and start <= one.end for start, end, _ in places) for one in found)
        yield f"whole essays{', other half' if other else ''}: {hits} of {known} mistakes (recall {hits / known:.2f})"
        yield f"  {right} of {told} told are marked (precision {right / told:.3f})"


def _unmarked(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The sentence as the learner wrote it, and the places of its mistakes with what is right."""
    text, places, at = "", [], 0
    for found in MARK.finditer(marked):
        text += marked[at : found.start()]
        places.append((len(text), len(text) + len(found[1]), found[2]))
        text, at = text + found[1], found.end()
    return text + marked[at:], places


def _applied(text: str, one: Shown) -> str:
    return text[: one.start] + (one.instead or "") + text[one.end :]


def essays_in(shared: Path) -> Iterator[tuple[str, str]]:
    """Name and text of essays: every second of one set of school essays, and every 14th of the other."""
    for folder, pattern, column, step in (
        ("persuade2-sample", "persuade*.csv", "full_text", 2),
        ("source-based-persuade-2prompts", "essays_prompt0*.csv", "text", 14),
    ):
        with next((shared / folder).glob(pattern)).open(encoding="utf-8") as rows:
            for number, row in islice(enumerate(csv.DictReader(rows)), 1, step * EACH, step):
                yield f"{folder[:7]}-{number}", row[column]


def on_essays(shared: Path, show: bool) -> Iterator[str]:
    """How many mistakes are told in essays, by what is said of them; with `show` each in its words."""
    counts: Counter[str] = Counter()
    essays, words, seconds = 0, 0, 0.0
    for name, text in essays_in(shared):
        essays, words = essays + 1, words + len(text.split())
        for paragraph in parse_essay(text).paragraphs:
            began = time.process_time()
            found = told_of(paragraph.text)
            seconds += time.process_time() - began
            counts.update(one.text for one in found)
            if show:
                for one in found:
                    before, after = paragraph.text[max(0, one.start - 60) : one.start], paragraph.text[one.end : one.end + 45]
                    yield f"{name}\t{one.text[:40]}\t{before}[{one.words}]{after}\t{one.instead}"
    yield f"essays: {essays} of {words} words, {counts.total()} mistakes told, {seconds * LONG / words:.3f} s for {LONG} words"
    yield from (f"  {count:4} {text}" for text, count in counts.most_common())


def judged() -> Iterator[str]:
    """Precision as judged by reading, before what was wrong was mended."""
    counts = json.loads((DATA / "grammar_judged.json").read_text("utf-8"))
    right, told = (sum(one[at] for one in counts["precision"].values()) for at in (0, 1))
    yield f"judged: {right} of {told} mistakes told are right (precision {right / told:.2f})"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--show", action="store_true", help="every mistake told, in its words")
    options = parser.parse_args()
    print(*on_spelling(), *on_marked_essays(), *on_sentences(), *judged(), sep="\n")
    print(*on_essays(shared_folder(options.shared, "data/essays"), options.show), sep="\n")


if __name__ == "__main__":
    main()
