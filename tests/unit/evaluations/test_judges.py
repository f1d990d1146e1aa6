"""Of what is shown beside a paragraph, the figures say what is useful, what was found and whether silence was right."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapterverse.search.evaluation import metrics_of, words_of
from evaluations.measures import auroc, auroc_estimate, grouped_estimate
from evaluations.retrieval import GoldEvidence, near, read_gold
from scripts.eval.real import gold_of
from scripts.eval.real_score import PROSE, Found, Gold, GoldPage, Score, normalised, score


def test_recall_counts_the_first_k_auroc_the_right_order_and_groups_that_are_all_alike_as_many_cases() -> None:
    found = metrics_of([1, 5, 6, None])
    assert (found["recall_at_5"].value, found["mrr"].value) == (0.5, pytest.approx((1 + 1 / 5 + 1 / 6) / 4))
    assert auroc(np.array([0.9, 0.5]), np.array([0.1, 0.5])) == pytest.approx(3.5 / 4)
    figure = auroc_estimate(np.array([0.8, 0.9]), np.array([0.1]))  # perfect separation is certain however they are drawn
    assert (figure.value, figure.low, figure.high, figure.n) == (1.0, 1.0, 1.0, 3)

    many = grouped_estimate((str(group), group % 2) for group in range(20) for _ in range(50))
    few = grouped_estimate((str(group), group % 2) for group in range(20))
    assert (many.value, many.n) == (0.5, 1000)
    assert many.high - many.low == pytest.approx(few.high - few.low)


PARAGRAPH, SENTENCE = "Noone should be silenced.", "Silencing an opinion robs mankind of truth."


def test_evidence_is_found_with_the_sentences_beside_it_and_compared_by_its_words(tmp_path: Path) -> None:
    lines = "".join(f'{{"n": {n}, "text": "Sentence {n}."}}\n' for n in range(5))
    (tmp_path / "On Liberty.gold.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    books = read_gold(tmp_path)
    assert [words for _, words in near(GoldEvidence(book="on-liberty", n=4), books)] == ["sentence 3", "sentence 4"]
    assert not list(near(GoldEvidence(book="another", n=4), books))

    assert words_of("“It’s  so,” he said—twice.") == words_of('"It\'s so," he said - twice')
    assert words_of("It is so.") != words_of("It is not so.")


PLACE = {"chapter_number": "2", "chapter_title": "Powers", "section": "Roots", "page_label": "21"}
OTHERS = (("code", "int main() { return 0; }"), ("heading", "2.1 Roots"))


def gold(text: str, **fields: object) -> Gold:
    return gold_of({**PLACE, "text": text, **fields}, normalised)


def found(text: str, **fields: object) -> Found:
    return replace(Found(text, PROSE, True, (4,), "21", "2", "POWERS", ("2.1 Roots",), None), **fields)


def scored(golds: list[Gold], sentences: list[Found]) -> Score:
    return score([GoldPage(4, tuple(golds), OTHERS)], sentences, normalised)


def test_a_sentence_as_printed_is_right_and_has_the_right_address() -> None:
    total = scored([gold("A power is a product.")], [found("A power is  a product.")])

    assert (total.gold, total.found, total.shown, total.right) == (1, 1, 1, 1)
    assert (total.addressed, total.chapter, total.section, total.labelled, total.label) == (1, 1, 1, 1, 1)
    for wrong in ({"chapter_number": None}, {"chapter_number": "Chapter 2"}, {"chapter_title": "2 Powers"}):
        total = scored([gold("A power is a product.")], [found("A power is a product.", **wrong)])
        assert (total.right, total.addressed, total.chapter) == (1, 1, 0)


def test_a_flattened_superscript_is_altered_text_a_piece_is_cut_and_a_formula_shown_as_a_picture_is_found() -> None:
    total = scored([gold("The function x² − 1 has two roots.")], [found("The function x2 − 1 has two roots.")])

    assert [(wrong.text, wrong.truth) for wrong in total.altered] == [
        ("The function x2 − 1 has two roots.", "The function x² − 1 has two roots.")
    ]
    assert (total.right, total.found, total.lost) == (0, 0, ["The function x² − 1 has two roots."])

    total = scored([gold("See Ref. [6] for more of them.")], [found("See Ref."), found("[6] for more of them.")])
    assert (len(total.cut), len(total.altered), total.found) == (2, 0, 0)

    total = scored([gold("The root √3 is a number.", holds_formula=True)], [found("The root 3 is a number.", quotable=False)])
    assert (total.found, total.pictures, total.needless, total.shown, len(total.altered)) == (1, 1, 0, 0, 0)


def test_only_prose_on_the_page_or_between_the_gold_sentences_that_is_not_torn_counts() -> None:
    sentences = [found("int main() { return 0; } // and so on"), found("2.1 Roots"), found("int x = 1;", kind="code")]
    total = scored([gold("A power is a product.")], sentences)
    assert [wrong.truth for wrong in total.not_prose] == ["code", "heading"]

    page = GoldPage(4, (gold("A power is a product."),), (("torn", "the axle of it all"),))
    total = score([page], [found("What else.", pages=(7,)), found("It was the axle of it all.")], normalised)
    assert (total.shown, total.gold) == (0, 1)

    page = GoldPage(None, (gold("First of all."), gold("Last of all.")), ())
    book = [found(text, pages=()) for text in ("Before.", "First of all.", "Torn of all", "Last of all.", "After.")]
    total = score([page], book, normalised)
    assert (total.shown, total.right) == (3, 2)


@pytest.mark.parametrize("other", ["x2 + 3x", "Put author names inthe", "Geometrie", "https://www. example.org"])
def test_what_a_reader_would_see_matters(other: str) -> None:
    assert normalised(other) not in {
        normalised(text) for text in ("x² + 3x", "Put author names in the", "Géometrie", "https://www.example.org")
    }
