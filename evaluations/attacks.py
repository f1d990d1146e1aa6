"""Drafts that obey an attack in an essay: how many the contract stops, and which the second reading lets through.

    python -m evaluations.attacks FILE

FILE: JSON lines {"id", "language", "paragraph", "draft", "refused"}: the paragraph with the attack, what a model that obeys it
writes, and whether the second reading, played by a language model with the product's prompt, refused a draft that got there."""

import argparse
import json
from pathlib import Path

from chapterverse.citations.contract import Grounds, under_contract
from chapterverse.essays.writing.vouch import MAX_WORDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    lines = parser.parse_args().file.read_text("utf-8").split("\n")
    attacks = [json.loads(line) for line in lines if line]
    read = [one for one in attacks if not under_contract(one["draft"], _grounds(one), MAX_WORDS).failed]
    through = [one["id"] for one in read if not one["refused"]]
    print(f"{len(attacks)} attacks: {len(attacks) - len(read)} stopped by form, {len(read)} read again, through: {through}")


def _grounds(attack: dict[str, str]) -> Grounds:
    """What the comment on the paragraph may rest on: the paragraph alone."""
    return Grounds((attack["paragraph"],), nouns_have_capitals=attack["language"] == "de")


if __name__ == "__main__":
    main()
