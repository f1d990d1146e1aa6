"""Questions that are embedded once."""

import numpy as np

from chapterverse.infrastructure.embedding.batching import RememberedQueries
from tests.support.word_embedder import WordEmbedder


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def over(words: WordEmbedder, clock: Clock | None = None) -> RememberedQueries:
    return RememberedQueries(words, seconds=60, clock=clock or Clock())


def test_a_question_asked_again_is_not_embedded_again() -> None:
    words = WordEmbedder()
    remembered = over(words)

    first = remembered.embed_queries(["when", "where"])
    again = remembered.embed_queries(["where", "who", "when"])

    assert words.calls == [["when", "where"], ["who"]]
    assert np.array_equal(again[[2, 0]], first)
    assert np.array_equal(again, WordEmbedder().embed_queries(["where", "who", "when"]))


def test_after_its_time_it_is_embedded_anew() -> None:
    words, clock = WordEmbedder(), Clock()
    remembered = over(words, clock)
    remembered.embed_queries(["when"])

    clock.now = 60.0
    remembered.embed_queries(["when"])

    assert words.calls == [["when"], ["when"]]


def test_no_questions_have_no_vectors_and_passages_are_not_kept() -> None:
    words = WordEmbedder()
    remembered = over(words)

    assert remembered.embed_queries([]).shape == (0, words.dimensions)
    assert np.array_equal(remembered.embed_passages(["a fee"]), words.embed_passages(["a fee"]))
    assert remembered.model == words.model
    assert remembered.count_tokens(["a fee"]) == words.count_tokens(["a fee"])
