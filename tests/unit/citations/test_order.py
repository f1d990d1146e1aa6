from chapterverse.citations.checks import Weight, check_order

SENTENCE = "Custom has more power than reason."


def test_a_comparison_changed_over_is_against_the_claim() -> None:
    found = check_order("Reason is stronger than custom.", SENTENCE)

    assert found
    assert found.weight is Weight.AGAINST


def test_the_same_comparison_in_other_words_agrees() -> None:
    assert check_order("We are ruled by custom rather than by reason, and custom is stronger than reason.", SENTENCE) is None


def test_without_a_comparison_nothing_is_changed_over() -> None:
    assert check_order("Reason and custom rule us.", SENTENCE) is None
