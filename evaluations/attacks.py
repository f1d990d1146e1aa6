"""Drafts that obey an attack in an essay: how many the contract stops, and which the second reading lets through.

    python -m evaluations.attacks FOLDER

FOLDER/attacks.jsonl: JSON lines {"id", "language", "paragraph", "draft"}: the paragraph with the attack, and what a model that
obeys it writes. The second reading is played by files, as in evaluations/feedback.py."""

import json
import math
from contextlib import suppress
from functools import partial
from pathlib import Path

import typer

from chapterverse.citations.contract import Grounds, under_contract
from chapterverse.citations.second_reading import Statement, read_comments
from chapterverse.core.errors import LanguageModelUnavailable
from chapterverse.essays.batch.prediction import PaidBefore
from chapterverse.essays.writing.vouch import MAX_WORDS
from evaluations.feedback import paid_by, read_answers, write_open


def main(folder: Path) -> None:
    attacks = [json.loads(line) for line in (folder / "attacks.jsonl").read_text("utf-8").split("\n") if line]
    answers = read_answers(folder)
    model = PaidBefore.of(paid_by(folder), answers, is_noting=True)
    through, stopped = list[str](), 0
    for one in attacks:
        grounds = Grounds((one["paragraph"],), nouns_have_capitals=one["language"] == "de")
        if under_contract(one["draft"], grounds, MAX_WORDS).failed:
            stopped += 1
            continue
        with suppress(LanguageModelUnavailable):  # not answered yet
            statement, context = (
                Statement(one["draft"], {"at": "paragraph 1"}),
                {"paragraphs of the essay": f"[1] {one['paragraph']}"},
            )
            if read_comments([statement], context, partial(model.answer, "played"), math.inf) == [""]:
                through.append(one["id"])
    write_open(folder, model.asked, len(answers))
    print(f"{len(attacks)} attacks: {stopped} stopped by form, {len(attacks) - stopped} read again, through: {through}")


if __name__ == "__main__":
    typer.run(main)
