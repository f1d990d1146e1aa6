"""What servers of OpenAI's kind do differently from one another, and what is sent to none of them."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.embedding.remote import OpenAiEmbedder, windows_of
from tests.support.embedder_servers import openai_server
from tests.support.word_embedder import DIMENSIONS, WordEmbedder

TEXTS = ["The mind of man", "", "restless thing"]


@pytest.mark.parametrize("numbers", [False, True], ids=["base64", "numbers"])
def test_rows_are_put_in_the_order_asked_and_made_unit_vectors_in_either_encoding(numbers: bool) -> None:
    with openai_server(WordEmbedder(), numbers=numbers) as url:
        vectors = OpenAiEmbedder(url, "words").embed_passages(TEXTS)

    assert np.allclose(vectors, WordEmbedder().embed_passages(TEXTS), atol=1e-6)


def test_a_key_lets_in_and_a_wrong_one_does_not() -> None:
    with openai_server(WordEmbedder(), key="right") as url:
        assert OpenAiEmbedder(url, "words", key="right").embed_queries(["text"]).shape == (1, DIMENSIONS)
        with pytest.raises(ModelUnavailable, match="key"):
            OpenAiEmbedder(url, "words", key="wrong").embed_queries(["text"])


def test_a_key_is_not_shown() -> None:
    assert "secret" not in repr(OpenAiEmbedder("http://x/v1", "words", key="secret"))


def test_the_model_is_asked_for_by_its_whole_name_and_known_by_the_last_part() -> None:
    assert OpenAiEmbedder("http://x/v1", "BAAI/bge-base-en-v1.5", 768).model == "bge-base-en-v1.5"


@given(st.lists(st.text("abc", min_size=1, max_size=20), max_size=80).map(" ".join), st.integers(80, 200))
def test_every_word_is_whole_in_some_window_and_none_is_too_long(text: str, characters: int) -> None:
    windows = windows_of(text, characters)

    assert all(len(window) <= characters for window in windows)
    assert {word for window in windows for word in window.split()} >= set(text.split())


@given(st.text(max_size=300), st.integers(1, 50))
def test_whatever_the_script_no_character_is_left_out(text: str, characters: int) -> None:
    assert set(re.sub(" ", "", "".join(windows_of(text, characters)))) == set(re.sub(" ", "", text))
