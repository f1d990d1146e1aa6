import json

import pytest

from chapterverse.core.book import Book
from evaluations.chunk_sizes import compare_sizes, holds_half, questions_in, sample_questions
from tests.support.books import a_book
from tests.support.word_embedder import WordEmbedder

ANIMALS = ("otters", "badgers", "herons", "weasels", "salmon", "beetles")


def a_document() -> Book:
    """Each paragraph of its own words."""
    return a_book(*([f"Old {a} near {a}water {a}stones {a}reeds {a}mud {a}roots {a}light {a}noise gather."] for a in ANIMALS))


def test_questions_made_of_a_document_find_their_sentences_again() -> None:
    book = a_document()

    [small, large] = compare_sizes(book, sample_questions(book, 4, seed=1), [(120, 10), (1000, 100)], WordEmbedder())

    assert small.chunks > large.chunks == 1
    assert (large.hit_at_1, large.hit_at_3) == (1.0, 1.0)
    assert 0 < large.best < small.best <= 1
    assert small.mean <= small.best


def test_questions_of_ones_own_are_answered_by_the_chunk_with_the_answers_words() -> None:
    asked = questions_in(json.dumps({"question": "Where are herons?", "answer": "heronswater  HERONSstones"}))

    [figures] = compare_sizes(a_document(), asked, [(100, 0)], WordEmbedder())

    assert figures.hit_at_3 == 1.0


def test_a_document_that_nothing_can_be_asked_of_is_said_so() -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # no other is raised
        list(compare_sizes(a_book(["Too short."]), sample_questions(a_book(["Too short."]), 5, 0), [(100, 0)], WordEmbedder()))


@pytest.mark.parametrize(
    ("chunk", "holds"),
    [
        ("before. one two three", True),
        ("four five six. after", True),
        ("two three four five", True),
        ("before. one two", False),
        ("six. after", False),
        ("three", False),
    ],
)
def test_a_chunk_answers_with_half_of_the_sentence(chunk: str, holds: bool) -> None:
    assert holds_half(chunk, "one two three four five six") is holds
