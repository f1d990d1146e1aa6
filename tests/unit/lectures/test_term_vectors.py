import numpy as np

from chapterverse.lectures.queries import TermVectors
from tests.support.word_embedder import WordEmbedder


class Counting(WordEmbedder):
    def embed_passages(self, texts):  # type: ignore[no-untyped-def]
        self.calls.append(list(texts))
        return super().embed_passages(texts)


def test_texts_and_new_terms_are_embedded_apart_each_in_one_call() -> None:
    embedder = Counting()

    wholes, known = TermVectors().embed(["chain rule"], ["chain", "rule", "chain"], embedder)

    assert embedder.calls == [["chain", "rule"], ["chain rule"]]
    assert wholes.shape == (1, embedder.dimensions)
    assert set(known) == {"chain", "rule"}


def test_a_term_is_embedded_once_and_its_vector_stays_the_same() -> None:
    embedder, terms = Counting(), TermVectors()
    _, first = terms.embed(["one"], ["chain"], embedder)
    _, again = terms.embed(["two"], ["chain", "rule"], embedder)

    assert embedder.calls[2:] == [["rule"], ["two"]]
    assert np.array_equal(first["chain"], again["chain"])


def test_terms_of_two_models_are_kept_apart() -> None:
    terms = TermVectors()
    terms.embed([], ["chain"], Counting("one"))
    other = Counting("other")
    terms.embed([], ["chain"], other)

    assert other.calls == [["chain"], []]


def test_those_asked_for_last_stay() -> None:
    embedder, terms = Counting(), TermVectors(max_terms=2)
    terms.embed([], ["a1", "b2"], embedder)
    terms.embed([], ["a1"], embedder)
    terms.embed([], ["c3"], embedder)
    terms.embed([], ["a1", "b2"], embedder)

    assert embedder.calls[-2] == ["b2"]
