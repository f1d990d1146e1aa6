"""Of the sentences shown beside a student's paragraph, how many are useful, and is one shown where the books hold one?

    CHAPTERVERSE_HOME=… python -m scripts.eval.evidence [SHARED]    # as the settings say; the home holds the 20 gold books
    python -m scripts.eval.evidence --judge FILE    # keep the scores that a reader wrote to FILE

The yardstick is SHARED/retrieval/judged: essays, judgements by reading, a rubric; its score.py counts the same. What is shown
and not judged goes to build/unjudged.jsonl: give each row score and relation by rubric.md, keep them with --judge, run again.
Kept are a digest, score and relation (data/evidence_judged.jsonl), because the essays are not ours to copy."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

import typer

from chapterverse import composition
from chapterverse.citations.model import Evidence
from chapterverse.core.hits import Scope
from chapterverse.core.names import fingerprint
from chapterverse.essays.model import EssayEvidence
from chapterverse.essays.service import EssayContext, FeedbackRequest, evidence_on
from chapterverse.search.evaluation import words_of
from chapterverse.settings import Settings, read_settings
from scripts.eval.shared import ADJACENT, Shared, shared_folder

DATA = Path(__file__).with_name("data")
JUDGED = DATA / "evidence_judged.jsonl"
BUILD = Path("build")
UNJUDGED = BUILD / "unjudged.jsonl"
USEFUL, ON_TOPIC, IRRELEVANT = 2, 1, 0


@dataclass(frozen=True)
class Shown:
    """A sentence beside a paragraph; score: None if nobody has read it."""

    paragraph: str
    evidence: Evidence
    score: int | None


@dataclass
class Counts:
    """The figures of a kind of essays."""

    counted: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, paragraphs: Sequence[tuple[int, Sequence[Shown]]], seconds: float) -> None:
        """One essay: of each paragraph the best score in the books, and what was shown."""
        self.seconds.append(seconds)
        for best, shown in paragraphs:
            kind = "with" if best == USEFUL else "without"
            self.counted[kind] += 1
            self.counted["found"] += kind == "with" and any(one.score == USEFUL for one in shown)
            self.counted["silent"] += kind == "without" and not shown
            for one in shown:
                self.counted["shown"] += 1
                self.counted["unjudged" if one.score is None else f"score {one.score}"] += 1

    def rows(self) -> Iterator[tuple[str, str]]:
        """Name and figure."""
        told, shown = self.counted, self.counted["shown"]
        for name, score in (("useful", USEFUL), ("on topic", ON_TOPIC), ("irrelevant", IRRELEVANT)):
            yield f"shown: {name}", share(told[f"score {score}"], shown)
        yield "shown: not judged", str(told["unjudged"])
        yield "useful one found where it exists", share(told["found"], told["with"])
        yield "nothing shown where none exists", share(told["silent"], told["without"])
        yield "seconds an essay, median (most)", f"{median(self.seconds):.2f} ({max(self.seconds):.2f})"


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {part / whole:.2f}" if whole else "–"


def key_of(paragraph: str, sentence: str) -> str:
    return fingerprint(words_of(paragraph), words_of(sentence), digits=16)


def read_rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def judgements(yardstick: Path, kept: Path = JUDGED) -> dict[str, int]:
    """Scores by key_of, the better one of two; of the yardstick and those kept."""
    rows = [(key_of(row["paragraph_text"], row["sentence"]), row) for row in read_rows(yardstick / "judged.jsonl")]
    known: dict[str, int] = {}
    for key, row in [*rows, *((row["pair"], row) for row in read_rows(kept))]:
        if row["score"] is not None:
            known[key] = max(row["score"], known.get(key, row["score"]))
    return known


def best_of(yardstick: Path) -> dict[tuple[str, int], int]:
    """The best score in the books by essay and index of the paragraph."""
    best: dict[tuple[str, int], int] = {}
    for row in read_rows(yardstick / "judged.jsonl"):
        paragraph = row["essay_id"], row["paragraph"]
        best[paragraph] = max(row["score"] or 0, best.get(paragraph, 0))
    return best


def keep(file: Path, kept: Path = JUDGED) -> int:
    """Add the scored rows of the file to those kept; returns how many."""
    rows = {row["pair"]: row for row in read_rows(kept)}
    scored = [row for row in read_rows(file) if row["score"] is not None]
    for row in scored:
        pair = key_of(row["paragraph_text"], row["sentence"])
        rows[pair] = {"pair": pair, "score": row["score"], "relation": row["relation"]}
    kept.write_text("".join(json.dumps(row) + "\n" for _, row in sorted(rows.items())), "utf-8")
    return len(scored)


def shown_beside(found: EssayEvidence, known: Mapping[str, int]) -> list[list[Shown]]:
    """What is shown beside each paragraph."""
    numbered = {one.number: one for one in found.evidence}
    return [
        [
            Shown(text, numbered[at], known.get(key_of(text, numbered[at].passage.sentence.text)))
            for at in one.numbers
            for text in [one.paragraph.text]
        ]
        for one in found.paragraphs
    ]


def looked_up(text: str, context: EssayContext, school: str) -> tuple[EssayEvidence, float]:
    """The evidence for an essay, and the seconds until it was there."""
    began = monotonic()
    return evidence_on(FeedbackRequest(text, Scope(school)), context), monotonic() - began


def unjudged_rows(essay: str, paragraphs: Sequence[Sequence[Shown]]) -> Iterator[dict[str, object]]:
    for place, shown in enumerate(paragraphs):
        for one in shown:
            if one.score is None:
                passage = one.evidence.passage
                around = {"previous": passage.previous, "next": passage.next}
                yield {
                    "essay_id": essay,
                    "paragraph": place,
                    "paragraph_text": one.paragraph,
                    "sentence": passage.sentence.text,
                    **{name: its.text if its else None for name, its in around.items()},
                    "book": passage.book_title,
                    "score": None,
                    "relation": None,
                }


def measured(yardstick: Path, settings: Settings) -> dict[str, Counts]:
    """The figures by kind of essay; what is not judged is written to UNJUDGED."""
    known, best, unjudged = judgements(yardstick), best_of(yardstick), list[dict[str, object]]()
    counts = {kind: Counts() for kind in ("gold", "real")}
    context = composition.essay_context(settings, composition.compose(settings))
    sources = json.loads((yardstick / "sources.json").read_text("utf-8"))
    texts = {one["id"]: (yardstick / "essays" / f"{one['id']}.md").read_text("utf-8") for one in sources}
    looked_up(next(iter(texts.values())), context, settings.school)  # loads model and books
    for one in sources:
        found, seconds = looked_up(texts[one["id"]], context, settings.school)
        paragraphs = shown_beside(found, known)
        exists = [best.get((one["id"], place), 0) for place in range(len(paragraphs))]
        counts[one["kind"]].add(list(zip(exists, paragraphs, strict=True)), seconds)
        unjudged.extend(unjudged_rows(one["id"], paragraphs))
        for note in found.notes:
            print(f"{one['id']}: {note}")
    UNJUDGED.parent.mkdir(exist_ok=True)
    UNJUDGED.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in unjudged), "utf-8")
    return counts


def print_table(counts: Mapping[str, Counts]) -> None:
    print(f"| | {' | '.join(f'{kind} essays' for kind in counts)} |\n|{' --- |' * (len(counts) + 1)}")
    for rows in zip(*(its.rows() for its in counts.values()), strict=True):
        print(f"| {rows[0][0]} | {' | '.join(figure for _, figure in rows)} |")


def main(shared: Shared = ADJACENT, judge: Path | None = None) -> None:
    if judge:
        print(f"{keep(judge)} judgements kept")
    else:
        print_table(measured(shared_folder(shared, "retrieval") / "judged", read_settings()))


if __name__ == "__main__":
    typer.run(main)
