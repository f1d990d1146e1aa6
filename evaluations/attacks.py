"""Drafts that obey an attack in an essay: how many the contract stops, and which the second reading lets through.

    python -m evaluations.attacks FOLDER

FOLDER/attacks.jsonl: JSON lines {"id", "language", "paragraph", "draft"}: the paragraph with the attack, and what a model that
obeys it writes. The second reading is played by files, as in evaluations/feedback.py."""

import argparse
import json
import math
from contextlib import suppress
from pathlib import Path

from chapterverse.citations.contract import Grounds, under_contract
from chapterverse.citations.second_reading import Statement, read_comments
from chapterverse.core.errors import LanguageModelUnavailable
from chapterverse.essays.writing.predicted import Noting
from chapterverse.essays.writing.vouch import MAX_WORDS
from evaluations.feedback import paid_by, read_answers, write_open


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    attacks = [json.loads(line) for line in (folder / "attacks.jsonl").read_text("utf-8").split("\n") if line]
    answers = read_answers(folder)
    model = Noting.of(paid_by(folder), answers)
    read = [one for one in attacks if not under_contract(one["draft"], _grounds(one), MAX_WORDS).failed]
    through = list[str]()
    for one in read:
        context = {"paragraphs of the essay": f"[1] {one['paragraph']}"}
        statement = Statement(one["draft"], {"at": "paragraph 1"})
        with suppress(LanguageModelUnavailable):  # not answered yet
            [problem] = read_comments(
                [statement], context, lambda prompt, schema, end: model.answer("played", prompt, schema, end), math.inf
            )
            through += [] if problem else [one["id"]]
    write_open(folder, model.asked, len(answers))
    print(f"{len(attacks)} attacks: {len(attacks) - len(read)} stopped by form, {len(read)} read again, through: {through}")


def _grounds(attack: dict[str, str]) -> Grounds:
    """What the comment on the paragraph may rest on: the paragraph alone."""
    return Grounds((attack["paragraph"],), nouns_have_capitals=attack["language"] == "de")


if __name__ == "__main__":
    main()
