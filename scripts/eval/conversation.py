"""What a follow-up question finds as it was asked, and as one that stands alone: docs/questions.md.

    PYTHONPATH=src python -m scripts.eval.conversation [SHARED] [--seed 7]

CANARD (Elgohary and others, 2019): questions in conversations on Wikipedia, and what a person makes of each so that it stands
alone. A proxy for search: a question finds its own answer among all answers of the file, those already given left out. And the
cost of rewriting what needs none: questions that stand alone already, asked in the midst of another conversation."""

import argparse
import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chapterverse import composition
from chapterverse.infrastructure.sql.engine import utc_now
from chapterverse.questions.conversation import ConversationTopic, needs_context, standalone_query
from chapterverse.questions.model import Speaker, Turn
from chapterverse.settings import read_settings
from scripts.eval.shared import shared_folder

DRAWN = 500
SHORTEST = 4  # words of an answer that can be looked for
Row = dict[str, Any]


def turns_of(history: Sequence[str]) -> list[Turn]:
    """History: title, section, then questions and answers in turns."""
    speakers = (Speaker.STUDENT, Speaker.ASSISTANT)
    return [Turn(speakers[at % 2], text, utc_now()) for at, text in enumerate(history[2:])]


def ours(row: Row, history: Sequence[str] | None = None) -> str:
    told = history or row["History"]
    return standalone_query(row["Question"], turns_of(told), ConversationTopic(told[0], told[1]))


WAYS: dict[str, Callable[[Row], str]] = {
    "last question only": lambda row: row["Question"],
    "previous question + last": lambda row: f"{row['History'][-2]} {row['Question']}",
    "previous answer + last": lambda row: f"{row['History'][-1]} {row['Question']}",
    "title + last": lambda row: f"{row['History'][0]}. {row['Question']}",
    "title, section + last": lambda row: f"{row['History'][0]}, {row['History'][1]}. {row['Question']}",
    "ours: title, section, names of the last answer, where it leans": ours,
    "a person's rewriting": lambda row: row["Rewrite"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    with gzip.open(shared_folder(given.shared, "data/qa/canard-dev") / "dev.json.gz") as file:
        rows = json.load(file)
    embedder = composition.embedder(read_settings())
    answers = answers_of(rows)
    corpus = sorted({text for text in answers.values() if len(text.split()) >= SHORTEST and text != "I don't know."})
    drawn = random.Random(given.seed).sample([row for row in rows if len(row["History"]) >= 4], DRAWN)
    asked = [row for row in drawn if answers.get(turn_of(row)) in set(corpus)]
    vectors = embedder.embed_passages(corpus)

    def hits(queries: Sequence[str], of: Sequence[Row]) -> tuple[float, float]:
        ranked = ranks(embedder.embed_queries(queries) @ vectors.T, [answers[turn_of(row)] for row in of], of, corpus)
        return float(np.mean(ranked == 1)), float(np.mean(ranked <= 5))

    dependent = np.mean([needs_context(row["Question"]) for row in asked])
    print(f"{len(asked)} questions, {len(corpus)} answers; {dependent:.0%} of the questions need the conversation\n")
    print("| query | hit@1 | hit@5 |\n|---|---|---|")
    for name, way in WAYS.items():
        print("| {} | {:.3f} | {:.3f} |".format(name, *hits([way(row) for row in asked], asked)))
    strangers = random.Random(given.seed).choices(rows, k=len(asked))
    alone = [{**row, "Question": row["Rewrite"]} for row in asked]
    print("\n| a person's rewriting, asked in the midst of another conversation | hit@1 | hit@5 |\n|---|---|---|")
    for name, queries in {
        "as it is": [row["Question"] for row in alone],
        "always with title and section": [
            f"{o['History'][0]}, {o['History'][1]}. {r['Question']}" for r, o in zip(alone, strangers, strict=True)
        ],
        "ours": [ours(row, other["History"]) for row, other in zip(alone, strangers, strict=True)],
    }.items():
        print("| {} | {:.3f} | {:.3f} |".format(name, *hits(queries, alone)))


def turn_of(row: Row) -> tuple[str, int]:
    return row["QuAC_dialog_id"], row["Question_no"]


def answers_of(rows: Sequence[Row]) -> dict[tuple[str, int], str]:
    """Of each dialogue's turns, as the histories of later turns tell them."""
    return {
        (row["QuAC_dialog_id"], (at - 1) // 2): row["History"][at] for row in rows for at in range(3, len(row["History"]), 2)
    }


def ranks(cosines: Any, wanted: Sequence[str], asked: Sequence[Row], corpus: Sequence[str]) -> Any:
    """The place of each own answer, from 1; answers that the conversation has had already take none."""
    at = {text: place for place, text in enumerate(corpus)}
    found = []
    for row, own, scores in zip(asked, wanted, cosines, strict=True):
        had = [at[text] for text in set(row["History"]) - {own} if text in at]
        scores[had] = -1.0
        found.append(1 + int(np.sum(scores > scores[at[own]])))
    return np.array(found)


if __name__ == "__main__":
    main()
