from chapterverse.citations.checks import Weight, check_quantifiers


def test_always_goes_further_than_sometimes() -> None:
    found = check_quantifiers("Majorities are always wrong.", "Majorities are sometimes wrong.")

    assert found
    assert found.weight is Weight.DOUBT
    assert str(found.reason) == "You write “always”, but the book is more careful and writes “sometimes”."


def test_a_claim_as_careful_as_the_book_goes_no_further() -> None:
    assert check_quantifiers("Perhaps all majorities are wrong.", "Majorities are sometimes wrong.") is None


def test_a_book_that_says_all_is_not_outdone() -> None:
    assert check_quantifiers("Majorities are always wrong.", "All majorities may be wrong.") is None


def test_at_all_is_not_all() -> None:
    assert check_quantifiers("They are not wrong at all.", "They may be right.") is None
