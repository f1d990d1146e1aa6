import pytest

from chapterverse.citations.checks import Weight, check_polarity

AGAINST = [
    ("Geese do not fly south in autumn.", "Geese fly south in autumn."),
    ("Geese fly south in autumn.", "Geese never fly south in autumn."),
    ("Kings are strong.", "Kings are weak."),
    ("Kings dont follow the law.", "Kings follow the law."),
    ("Opinions of the majority don't hurt anybody.", "The majority's opinions hurt people."),
]
ALIKE = [
    ("Geese fly south in autumn.", "In autumn, geese fly to the south."),
    ("Kings are not strong.", "Kings are weak."),
    ("Geese fly south.", "Geese, which fly south, are loved, but swallows are seen by many, though not by those in town."),
    ("Nobody can avoid death.", "Death is inevitable."),
]


@pytest.mark.parametrize(("claim", "sentence"), AGAINST)
def test_turned_round_once_they_are_against_each_other(claim: str, sentence: str) -> None:
    found = check_polarity(claim, sentence)

    assert found
    assert found.weight is Weight.AGAINST


@pytest.mark.parametrize(("claim", "sentence"), ALIKE)
def test_turned_round_twice_or_not_at_all_they_agree(claim: str, sentence: str) -> None:
    assert check_polarity(claim, sentence) is None


def test_the_reason_names_the_opposites() -> None:
    found = check_polarity("Kings are strong.", "Kings are weak.")

    assert found
    assert "“strong”" in str(found.reason)
    assert "“weak”" in str(found.reason)


def test_the_reason_says_whose_the_negation_is() -> None:
    mine, books = check_polarity("Geese never fly.", "Geese fly."), check_polarity("Geese fly.", "Geese never fly.")

    assert mine
    assert books
    assert str(mine.reason).startswith("You say it with")
    assert str(books.reason).startswith("The book says it with")
