from dataclasses import replace

from chapterverse.citations.checks import Weight, run_checks
from chapterverse.citations.model import ClaimPair


def test_the_weightiest_finding_comes_first() -> None:
    said = ClaimPair("The twelve kings were always strong.", "Perhaps the thirty kings were weak.")

    assert [finding.weight for finding in run_checks(said)] == [Weight.CERTAIN, Weight.AGAINST, Weight.DOUBT]


def test_the_same_words_have_nothing_against_them() -> None:
    said = ClaimPair(
        "The thirty kings of Rome were never weaker than before.", "The thirty kings of Rome were never weaker than before."
    )

    assert run_checks(said) == []


def test_a_text_that_is_not_what_is_printed_contradicts_nothing() -> None:
    pair = ClaimPair("The twelve kings were strong.", "The thirty kings were strong.")
    assert run_checks(pair)
    assert run_checks(replace(pair, quotable=False)) == []
