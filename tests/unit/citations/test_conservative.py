import pytest

from chapterverse.citations.model import ClaimPair, VerdictKind
from chapterverse.citations.verdicts import Likeness, judge_conservatively

OPPOSITE = ClaimPair("Silencing an opinion never robs mankind of truth.", "Silencing an opinion robs mankind of truth.")
SAME = ClaimPair("Silencing an opinion robs mankind of truth.", "Silencing an opinion robs mankind of truth.")
OTHER_YEAR = ClaimPair("He lived in the woods for nine years.", "He lived in the woods for two years.")
NEAR, ABOUT, FAR = 0.9, 0.55, 0.4


def test_what_words_and_vectors_see_in_a_sentence_that_is_near_is_a_contradiction() -> None:
    assert judge_conservatively(OPPOSITE, Likeness(NEAR, 0.2)).kind is VerdictKind.CONTRADICTS


@pytest.mark.parametrize(
    ("said", "likeness"),
    [(SAME, Likeness(NEAR, 0.2)), (OPPOSITE, Likeness(FAR, 0.2)), (OPPOSITE, Likeness(NEAR, -0.5))],
    ids=["vectors alone", "not near", "words alone"],
)
def test_what_only_one_of_them_sees_is_none(said: ClaimPair, likeness: Likeness) -> None:
    assert judge_conservatively(said, likeness).kind is VerdictKind.PARTLY


@pytest.mark.parametrize("likeness", [Likeness(ABOUT, 0.2), Likeness(NEAR, -0.01)], ids=["not near enough", "not turned"])
def test_what_they_see_and_is_not_sure_is_put_to_the_readers_own_eye(likeness: Likeness) -> None:
    verdict = judge_conservatively(OPPOSITE, likeness)

    assert verdict.kind is VerdictKind.PARTLY
    assert str(verdict.reason).startswith("You say it with a word like “not”")
    assert str(verdict.reason).endswith("Check whether you both mean the same.")


def test_another_number_is_a_contradiction_that_needs_no_vectors() -> None:
    assert judge_conservatively(OTHER_YEAR, Likeness(ABOUT, -0.2)).kind is VerdictKind.CONTRADICTS


def test_what_nothing_speaks_against_is_as_vectors_say() -> None:
    assert judge_conservatively(SAME, Likeness(NEAR, -0.2)).kind is VerdictKind.SUPPORTS
    assert judge_conservatively(SAME, Likeness(0.1, 0.0)).kind is VerdictKind.NOT_FOUND
