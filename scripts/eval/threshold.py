"""The threshold of a collection: support of essay paragraphs that its books bear on, and of those that no book bears on.

    CHAPTERVERSE_HOME=… threshold.py ESSAYS.jsonl… [--book NAME]

--book: the home holds this one book only; paragraphs on other books are left out."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from chapterverse.composition.applications import compose
from chapterverse.core.hits import Scope
from chapterverse.essays.queries import build_queries, texts_to_embed
from chapterverse.essays.text.parse import parse_essay
from chapterverse.evaluation.search import open_library
from chapterverse.search.fusion import support
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.settings import Settings


def supports(files: list[Path], book: str | None) -> Iterator[tuple[bool, float]]:
    """(whether the books bear on it, its support) of every paragraph."""
    settings = Settings()
    services, plan = compose(settings), ESSAY_FEEDBACK
    library = open_library(Scope(settings.school), services, plan)
    for line in (line for file in files for line in file.read_text("utf-8").splitlines()):
        paragraphs = json.loads(line)["paragraphs"]
        essay = parse_essay("\n\n".join(each["text"] for each in paragraphs))
        if len(essay.paragraphs) != len(paragraphs):
            continue
        queries = build_queries(essay, services.embedder.embed_queries(texts_to_embed(essay)), plan.key_sentences)
        found = support(queries.queries, library.candidates(queries))
        for i, each in enumerate(paragraphs):
            bears = any(book in (None, one["book"]) for one in each["evidence"])
            if bears or not each["evidence"]:
                yield bears, found.get(i, -1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("essays", type=Path, nargs="+")
    parser.add_argument("--book")
    given = parser.parse_args()
    judged = list(supports(given.essays, given.book))
    gold = sorted(score for bears, score in judged if bears)
    stray = sorted(score for bears, score in judged if not bears)
    print(f"{len(gold)} paragraphs with evidence, least {gold[0]:.2f}; {len(stray)} without, most {stray[-1]:.2f}")
    for threshold in (round(0.24 + 0.02 * i, 2) for i in range(12)):
        kept = sum(score >= threshold for score in gold) / len(gold)
        silent = sum(score < threshold for score in stray) / len(stray)
        print(f"{threshold:.2f}  kept {kept:.2f}  silent {silent:.2f}")


if __name__ == "__main__":
    main()
