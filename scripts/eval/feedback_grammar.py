"""How well English is proofread: mistakes that are found, and corrections that are right, in essays and in misspelt words.

    python -m scripts.eval.feedback_grammar

In the data `{wrong>right}` marks a mistake. Half of each set was looked at while rules were chosen. A reader's judgements are
printed as they are stored."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from chapterverse.essays.model import Correction
from chapterverse.essays.proofreading import in_english
from chapterverse.essays.proofreading.harper import is_word

DATA = Path(__file__).with_name("data")
MARK = re.compile(r"\{([^{}>]*)>([^{}>]*)\}")
SECONDS = 600  # for a text: here nothing is to be left out
Place = tuple[int, int, str]
"""Where a mistake begins and ends, and what is right."""


def corrections_of(text: str) -> Sequence[Correction]:
    """What the proofreader corrects in a paragraph, in reading order."""
    return in_english([text], time.monotonic() + SECONDS).corrections


def marked(file: str, *, other: bool) -> Iterator[tuple[str, list[Place]]]:
    """Each text of one half as its writer had it, with its mistakes."""
    for row in map(json.loads, (DATA / file).read_text("utf-8").splitlines()):
        if bool(row.get("blind")) is other:
            text, places, at = "", list[Place](), 0
            for found in MARK.finditer(row["text"]):
                text += row["text"][at : found.start()]
                places.append((len(text), len(text) + len(found[1]), found[2]))
                text, at = text + found[1], found.end()
            yield text + row["text"][at:], places


def on_spelling(*, other: bool) -> tuple[int, int, int, int]:
    """How many words are misspelt, are corrected, are corrected, are corrected rightly."""
    misspelt, told, right = 0, 0, 0
    for text, places in marked("spelling.jsonl", other=other):
        meant = {start: correct for start, end, correct in places if not is_word(text[start:end].lower())}
        found = [one for _, one in corrections_of(text) if one.about[0] in meant]
        misspelt, told = misspelt + len(meant), told + len(found)
        right += sum(meant[one.about[0]].lower() == one.instead.lower() for one in found)
    return misspelt, told, told, right


def on_essays(*, other: bool) -> tuple[int, int, int, int]:
    """How many mistakes of grammar, marks and capitals are marked, are found; how many are told, lie within a mark."""
    known, hits, told, right = 0, 0, 0, 0
    for text, places in marked("grammar_essays.jsonl", other=other):
        found = [one.about for why, one in corrections_of(text) if why]  # a misspelt word has no rule
        known, told = known + len(places), told + len(found)
        hits += sum(any(start <= end and begin <= stop for begin, end in found) for start, stop, _ in places)
        right += sum(any(begin <= stop and start <= end for start, stop, _ in places) for begin, end in found)
    return known, hits, told, right


def main() -> None:
    """Print the figures."""
    for name, measure in (("misspelt words", on_spelling), ("marked essays", on_essays)):
        for other in (False, True):
            known, hits, told, right = measure(other=other)
            found = f"{hits} of {known} found ({hits / known:.2f}), {right} of {told} told are right ({right / told:.3f})"
            print(f"{name}{', other half' if other else ''}: {found}")
    for name, (right, told) in json.loads((DATA / "grammar_judged.json").read_text("utf-8"))["right of told"].items():
        print(f"real essays, judged once, {name}: {right} of {told} told are right")


if __name__ == "__main__":
    main()
