"""Of what is shown beside a paragraph, the figures say what is useful, what was found and whether silence was right."""

import json
from pathlib import Path

from chapterverse.citations.model import Evidence
from chapterverse.core.hits import Passage
from scripts.eval.evidence import IRRELEVANT, USEFUL, Counts, Shown, best_of, judgements, keep, key_of
from tests.support.made import a_sentence

PARAGRAPH, SENTENCE = "Noone should be silenced.", "Silencing an opinion robs mankind of truth."


def row(score: int | None, relation: str | None = None, sentence: str = SENTENCE) -> dict[str, object]:
    return {
        "essay_id": "e",
        "paragraph": 0,
        "paragraph_text": PARAGRAPH,
        "sentence": sentence,
        "score": score,
        "relation": relation,
    }


def written(file: Path, *rows: dict[str, object]) -> Path:
    file.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return file


def shown(score: int | None) -> Shown:
    return Shown(PARAGRAPH, Evidence(1, Passage("On Liberty", a_sentence(SENTENCE), None, None, ""), 0.5, ()), score)


def test_figures_count_what_is_shown_found_and_silent() -> None:
    counts = Counts()
    counts.add([(USEFUL, [shown(USEFUL)]), (USEFUL, []), (IRRELEVANT, [])], 1.0)
    counts.add([(IRRELEVANT, [shown(IRRELEVANT), shown(None)])], 3.0)

    figures = dict(counts.rows())

    assert figures["shown: useful"] == "1/3 = 0.33"
    assert figures["shown: not judged"] == "1"
    assert figures["useful one found where it exists"] == "1/2 = 0.50"
    assert figures["nothing shown where none exists"] == "1/2 = 0.50"
    assert figures["seconds an essay, median (most)"] == "2.00 (3.00)"


def test_a_judgement_is_kept_without_its_text_and_the_better_one_counts(tmp_path: Path) -> None:
    written(tmp_path / "judged.jsonl", row(0), row(1, "background", "Opinion is a wide word."))
    kept = tmp_path / "kept.jsonl"

    assert keep(written(tmp_path / "read.jsonl", row(2, "supports"), row(None)), kept) == 1

    assert judgements(tmp_path, kept)[key_of(PARAGRAPH, SENTENCE)] == USEFUL
    assert PARAGRAPH not in kept.read_text("utf-8")
    assert best_of(tmp_path) == {("e", 0): 1}
