from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from chapterverse.lectures.queries import SPECIAL, build_queries

BELOW = 20
WORDS = st.text("abcdé.,", min_size=1, max_size=9)


def count(texts: Sequence[str]) -> list[int]:
    """A token is three characters, or the rest of a word."""
    return [sum(-(-len(word) // 3) for word in text.split()) for text in texts]


def test_keywords_follow_the_text() -> None:
    assert build_queries(["the chain rule"], [["chain", "rule"]], count, BELOW) == ["the chain rule chain rule"]


def test_a_text_without_keywords_is_its_own_query() -> None:
    assert build_queries(["the chain rule"], [[]], count, BELOW) == ["the chain rule"]


def test_what_is_too_long_loses_words_at_its_beginning() -> None:
    text = " ".join(f"w{number:02}" for number in range(30))

    assert build_queries([text], [["key"]], count, BELOW) == [
        "w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 key"
    ]


@given(st.lists(WORDS, max_size=60), st.lists(WORDS, max_size=5))
def test_a_query_stays_below_its_length_and_has_all_keywords_and_the_end_of_the_text(
    words: list[str], keywords: list[str]
) -> None:
    (query,) = build_queries([" ".join(words)], [keywords], count, BELOW)

    kept = query.split()[: len(query.split()) - len(keywords)]
    assert query.split()[len(kept) :] == keywords
    assert words[len(words) - len(kept) :] == kept
    assert count([query])[0] + SPECIAL < BELOW or not kept
    if len(kept) < len(words):
        more = " ".join([*words[len(words) - len(kept) - 1 :], *keywords])
        assert count([more])[0] + SPECIAL >= BELOW
