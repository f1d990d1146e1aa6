"""What chooses keywords: KeyBERT, and its steps on arrays. Both choose alike."""

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keybert import KeyBERT

from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from chapterverse.lectures.keybert_keywords import keybert_backend, keybert_chooser
from chapterverse.lectures.queries import Choose, Enricher, choose_keywords
from tests.support.word_embedder import WordEmbedder

LECTURE = (
    "So the Jacobian matrix of each module is multiplied by the gradient vector that comes from above.",
    "the learning rate in stochastic gradient descent is annealed and we're taking batches of examples, okay",
    "um so right",
    "",
)
WORDS = st.sampled_from(
    ["loss", "gradient", "the", "chain", "rule", "matrix", "of", "network", "layer,", "module.", "don't", "cœur", "3", "it's"]
)


class Scattered(WordEmbedder):
    """Every text in a direction of its own, so that no two candidates are equally near."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        rows = [np.random.default_rng(int(fingerprint(text), 16)).normal(size=24) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], np.float32).reshape(-1, 24)


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    return OnnxEmbedder("all-MiniLM-L6-v2", tmp_path_factory.mktemp("models"), threads=1)


@pytest.fixture(params=["keybert", "arrays"])
def choose(request: pytest.FixtureRequest, minilm: OnnxEmbedder) -> Choose:
    return keybert_chooser(minilm) if request.param == "keybert" else choose_keywords


def test_three_to_five_words_or_pairs_that_the_window_has(choose: Choose, minilm: OnnxEmbedder) -> None:
    queries = Enricher(choose).enrich(LECTURE[:2], [], minilm)

    for text, query in zip(LECTURE, queries, strict=False):
        assert 3 <= len(query.keywords) <= 5
        assert all(words in text.lower().replace("-", " ") for words in query.keywords)


def test_a_window_that_tells_nothing_has_none(choose: Choose, minilm: OnnxEmbedder) -> None:
    assert [query.keywords for query in Enricher(choose).enrich(LECTURE[2:], [], minilm)] == [(), ()]


def test_both_choose_alike_with_a_real_model(minilm: OnnxEmbedder) -> None:
    ours, theirs = (Enricher(by).enrich(LECTURE, [], minilm) for by in (choose_keywords, keybert_chooser(minilm)))

    assert ours == theirs


@given(st.lists(WORDS, max_size=40).map(" ".join), st.floats(0, 0.9), st.integers(1, 5))
def test_both_choose_alike(text: str, diversity: float, most: int) -> None:
    embedder = Scattered()
    ours, theirs = (
        Enricher(by, most, diversity).enrich([text], [], embedder) for by in (choose_keywords, keybert_chooser(embedder))
    )

    assert ours == theirs


def test_keybert_asks_our_embedder_and_no_model_of_its_own(minilm: OnnxEmbedder) -> None:
    had_torch = "torch" in sys.modules  # of another test, where it is installed
    found = KeyBERT(keybert_backend(minilm)).extract_keywords(LECTURE[0], keyphrase_ngram_range=(1, 2), use_mmr=True, top_n=5)

    assert len(found) == 5
    assert had_torch or "torch" not in sys.modules
