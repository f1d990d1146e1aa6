"""Other texts of paragraph and sentence that were tried: clauses, and a student's sentence without its hedges."""

import numpy as np

from chapterverse.core.ports import Pair
from scripts.train.phrasings import Shelf, clauses, figures, plain


def test_a_long_sentence_is_split_at_its_joints_and_no_word_is_lost() -> None:
    sentence = "Whoever sells bread in a hungry town should be watched; but he may be praised when he gives half of it away."

    parts = clauses(sentence)

    assert parts == [
        "Whoever sells bread in a hungry town should be watched",
        "but he may be praised when he gives half of it away.",
    ]


def test_a_short_sentence_is_its_own_clause() -> None:
    assert clauses("He came, but she went.") == ["He came, but she went."]


def test_hedges_go_and_the_claim_stays() -> None:
    assert plain("So in my opinion, I think that nobody should be punished twice.") == "nobody should be punished twice."
    assert plain("I think so too.") == "I think so too."


def test_the_surest_are_counted_over_all_paragraphs() -> None:
    paragraphs = np.repeat(np.arange(10), 2)
    useful_first = np.array([2, 0] * 3 + [0, 1] * 7)
    places = [np.flatnonzero(paragraphs == one) for one in range(10)]
    shelf = Shelf([Pair("", "")] * 20, useful_first, np.zeros(20), places, paragraphs)

    right = figures(shelf, {row: 1 - row / 20 if row % 2 == 0 else 0.0 for row in range(20)})
    wrong = figures(shelf, {row: row / 20 if row % 2 else 0.0 for row in range(20)})

    assert right == "1.000 | 1.00 | 1.00 | 0.00"
    assert wrong == "0.000 | 0.00 | 0.00 | 0.00"
