from chapterverse.citations.verdicts import deny, negate


def test_a_negation_is_taken_out() -> None:
    assert negate("It is not so, and nobody knows it.") == "It is so, and everybody knows it."
    assert negate("We don’t know.") == "We do know."


def test_where_there_is_none_one_is_put_in() -> None:
    assert negate("Truth will prevail.") == "Truth will not prevail."


def test_without_an_auxiliary_the_whole_is_denied() -> None:
    assert negate("Truth prevails.") == "It is not true that truth prevails."


def test_denied_is_as_a_contradiction_begins() -> None:
    assert deny("Truth prevails.") == "No, truth prevails."
    assert deny("") == "No, "
