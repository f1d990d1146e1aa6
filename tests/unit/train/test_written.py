"""What writers and judges of training data fill in is read as meant, and a slip is named."""

import pytest

from scripts.train.written import Verdict, read_claims, read_paragraphs, read_verdicts

PARAGRAPHS = """# 01 | grade 9 | argumentative | some errors | German
Dogs share there food.
They are not fighting always.
= Animals help each other.
+ Mutual aid is as much a law as struggle.
- Life is war.

# 02 | grade 6 | narrative | weak | English
We had pizza.
"""


def test_a_paragraph_has_its_text_its_claims_and_statements() -> None:
    first, second = read_paragraphs(PARAGRAPHS)

    assert first.text == "Dogs share there food.\nThey are not fighting always."
    assert (first.grade, first.writing, first.first_language) == ("grade 9", "some errors", "German")
    assert (first.claims, first.statements_for, first.statements_against) == (
        ["Animals help each other."],
        ["Mutual aid is as much a law as struggle."],
        ["Life is war."],
    )
    assert (second.number, second.claims) == (2, [])


@pytest.mark.parametrize("wrong", [PARAGRAPHS + PARAGRAPHS, "# 1 | grade 9\nText.", "# 1 | a | b | c | d\n= only a claim"])
def test_a_block_that_is_wrong_is_named(wrong: str) -> None:
    with pytest.raises(ValueError, match="1"):
        read_paragraphs(wrong)


def test_verdicts_name_the_candidates_that_are_not_irrelevant() -> None:
    assert read_verdicts("07: 4:2s 12:1b\n08:\n") == {7: [Verdict(4, 2, "supports"), Verdict(12, 1, "background")], 8: []}


@pytest.mark.parametrize("wrong", ["07 4:2s", "07: 4:3s", "07: 4:2x", "07: 1:2s\n07: 2:2s"])
def test_a_verdict_that_is_wrong_is_named(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"07|4:"):
        read_verdicts(wrong)


def test_claims_belong_to_the_sentence_above_them_and_a_contradiction_says_how() -> None:
    claims = read_claims("@ 3\ns: He was rich.\nc negation: He owned nothing.\n@ 4\nt: Rich men travel.\n")

    assert [(claim.target, claim.kind, claim.way) for claim in claims] == [
        (3, "supports", ""),
        (3, "contradicts", "negation"),
        (4, "nothing", ""),
    ]


@pytest.mark.parametrize("wrong", ["s: before any sentence", "@ 1\nc: how?", "@ 1\ns negation: why?", "@ 1\nwhat is this"])
def test_a_claim_that_is_wrong_is_named(wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong.splitlines()[-1].replace("?", r"\?")):
        read_claims(wrong)
