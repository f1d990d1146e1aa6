"""Claims as a language model writes them, whole or not."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import BadAnswer
from chapterverse.questions.drafts import DraftClaim, claims_in, without_marks
from tests.support.answers import a_source, claims

SOURCES = [a_source(1, headings=("Nodes", "Topics and Services")), a_source(2, headings=("Sensors",))]


def read(text: str) -> list[DraftClaim]:
    return list(claims_in([text], SOURCES))


def pairs(found: list[DraftClaim]) -> list[tuple[str, list[int]]]:
    return [(claim.text, claim.sources) for claim in found]


@given(
    st.lists(st.tuples(st.text(max_size=20), st.lists(st.integers(0, 9), max_size=3)), min_size=1, max_size=4),
    st.integers(1, 9),
)
def test_claims_are_the_same_however_the_text_is_cut(told: list[tuple[str, list[int]]], size: int) -> None:
    text = json.dumps(claims(*told))

    found = list(claims_in((text[at : at + size] for at in range(0, len(text), size)), SOURCES))

    assert pairs(found) == told


def test_a_claim_is_there_before_the_rest_is_written() -> None:
    def pieces() -> Iterator[str]:
        yield '{"claims": [{"text": "One.", "sources": [1]}, {"te'
        raise AssertionError("Nobody waits for this.")

    assert next(claims_in(pieces(), SOURCES)).text == "One."


def test_an_empty_list_makes_no_claim() -> None:
    assert read('{"claims": []}') == []


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        ("It works. [1]", [("It works.", [1])]),
        ("It works [1][2]. So does that [2].", [("It works.", [1, 2]), ("So does that.", [2])]),
        ("It works (Source 1, 2).", [("It works.", [1, 2])]),
        ("According to Source 2 it works.", [("According to Source 2 it works.", [2])]),
        ("It works (Chapter 1 > Topics and Services).", [("It works.", [1])]),
        ("It works [see sensors].", [("It works.", [2])]),
    ],
)
def test_prose_is_read_by_its_marks_and_by_the_sections_that_it_names(prose: str, told: list[tuple[str, list[int]]]) -> None:
    assert pairs(read(prose)) == told


@pytest.mark.parametrize("text", ["", "I just know.", '{"claims": "all"}', '{"claims": [{"text": 1}]}', '"', "{"])
def test_what_claims_nothing_and_cites_nothing_is_no_answer(text: str) -> None:
    with pytest.raises(BadAnswer):
        read(text)


@pytest.mark.parametrize(
    ("text", "plain", "numbers"),
    [
        ("It is so [1].", "It is so.", [1]),
        ("It is so (Sources 1 and 3).", "It is so.", [1, 3]),
        ("In 1859 (two years later) he wrote.", "In 1859 (two years later) he wrote.", []),
        ("Room (204) is open.", "Room (204) is open.", []),
    ],
)
def test_marks_are_told_from_other_brackets(text: str, plain: str, numbers: list[int]) -> None:
    assert without_marks(text) == (plain, numbers)
