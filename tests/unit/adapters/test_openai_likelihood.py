import math

import pytest
from openai.types.completion_choice import Logprobs

from chapterverse.adapters.openai_compatible import open_client
from chapterverse.adapters.openai_likelihood import OpenAiLikelihood, mean_of_text
from chapterverse.errors import LanguageModelUnavailable, ModelUnavailable
from tests.support.completion_server import completion_server


def test_the_prompt_and_what_the_server_writes_behind_the_text_do_not_count() -> None:
    told = Logprobs.model_construct(
        tokens=["ab", "cd", "ef", "!"], token_logprobs=[None, -1.0, -3.0, -9.0], text_offset=[0, 2, 4, 6]
    )

    assert mean_of_text(told, "ab", "cdef") == -2.0
    assert mean_of_text(told, "abcd", "ef") == -3.0


def test_a_token_that_begins_in_the_prompt_counts_where_it_ends_in_the_text() -> None:
    told = Logprobs.model_construct(
        tokens=["a", "bc", "d", "!"], token_logprobs=[None, -1.0, -3.0, -9.0], text_offset=[0, 1, 3, 4]
    )

    assert mean_of_text(told, "ab", "cd") == -2.0


def test_more_pairs_than_one_request_takes_are_asked_for_in_several() -> None:
    pairs = [("A book:", f" {number}") for number in range(70)]

    with completion_server() as url:
        found = OpenAiLikelihood(open_client(url), "tiny").log_probs(pairs, math.inf)

    assert len(found) == 70
    assert None not in found


def test_a_server_that_does_not_tell_is_told_of() -> None:
    with completion_server(tells=False) as url, pytest.raises(ModelUnavailable, match="choose another RERANK"):
        OpenAiLikelihood(open_client(url), "tiny").log_probs([("", "a")], math.inf)


def test_a_server_that_is_not_there_is_told_of() -> None:
    with completion_server() as url:
        gone = OpenAiLikelihood(open_client(url), "tiny")

    with pytest.raises(LanguageModelUnavailable):
        gone.log_probs([("", "a")], math.inf)
