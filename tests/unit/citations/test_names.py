from chapterverse.citations.checks import Weight, check_names, read_names


def test_a_name_has_a_capital_inside_a_sentence() -> None:
    assert read_names("Soon Mr. Gladstone went to Rome. Then he wrote to the Pope.") == ["Gladstone", "Rome"]


def test_names_that_are_all_others_are_a_doubt() -> None:
    found = check_names("The ship sailed to London.", "The ship sailed to Boston.", "")

    assert found
    assert found.weight is Weight.DOUBT
    assert str(found.reason) == "You name London, but in this sentence the book names Boston."


def test_one_name_in_common_is_enough() -> None:
    assert check_names("We met Mill and Kant.", "Here Mill and Hume agree.", "") is None


def test_a_name_in_the_title_or_a_neighbour_is_known() -> None:
    assert check_names("We read in Walden of him.", "There went Thoreau.", "Walden") is None


def test_a_sentence_without_names_raises_no_doubt() -> None:
    assert check_names("It was Mill who said that.", "Liberty is good.", "") is None
