import pytest

from chapterverse.citations.words import antonyms_between, are_antonyms, read_words
from chapterverse.core.words import stem


@pytest.mark.parametrize(
    ("one", "other"), [("strong", "weak"), ("strengthened", "weaken"), ("happy", "unhappy"), ("honest", "dishonest")]
)
def test_opposites_are_so_both_ways_and_in_every_form(one: str, other: str) -> None:
    assert are_antonyms(stem(one), stem(other))
    assert are_antonyms(stem(other), stem(one))


def test_a_prefix_of_too_short_a_word_is_none() -> None:
    assert not are_antonyms("till", "until")
    assert not are_antonyms("der", "under")


def test_a_pair_that_one_side_has_both_of_does_not_count() -> None:
    pairs = antonyms_between(read_words("rich and poor"), read_words("the poor, and a weak king"))

    assert pairs == []


def test_the_pair_is_given_as_it_is_written() -> None:
    [(ours, theirs)] = antonyms_between(read_words("Strong kings"), read_words("WEAK kings"))

    assert (ours.written, theirs.written) == ("Strong", "WEAK")
