"""Page and chapter say where something stands; they are no numbers of the claim."""

import pytest

from chapterverse.citations.checks import run_checks, without_references
from chapterverse.citations.model import ClaimPair


@pytest.mark.parametrize(
    "reference",
    [
        "(Mill, p. 5)",
        "(Mill 35)",
        "(Mill, 1859, pp. 33–35)",
        "(On Liberty, Chapter 2, Page 20)",
        "on page 20",
        "in Chapter II",
        "in chapter two",
        "(p. xiv)",
    ],
)
def test_whoever_says_where_it_stands_is_not_told_that_the_number_is_not_there(reference: str) -> None:
    claim = f"Silencing an opinion robs mankind {reference}."

    assert run_checks(ClaimPair(claim, "To silence an opinion robs the human race, as Socrates knew.")) == []


@pytest.mark.parametrize(
    "claim", ["He flew a kite (1746).", "He had 30 sons (and 5 cities).", "He had 12 pages.", "The pp are 3."]
)
def test_other_numbers_stay(claim: str) -> None:
    assert without_references(claim) == claim
