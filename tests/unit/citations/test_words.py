from chapterverse.citations.words import content_of, read_clauses, read_words


def test_a_clause_ends_at_a_comma_and_before_a_conjunction() -> None:
    clauses = read_clauses("He came, he saw and left because it rained.")

    assert [[word.text for word in clause.words] for clause in clauses] == [
        ["he", "came"],
        ["he", "saw", "and", "left"],
        ["because", "it", "rained"],
    ]


def test_only_words_that_mean_something_are_content_whatever_their_ending() -> None:
    assert content_of(read_clauses("The masters ruled.")) == content_of(read_clauses("A master rules!")) == {"master", "rule"}


def test_two_negations_take_each_other_back() -> None:
    once, twice, shortened, hidden = (
        read_clauses(text)[0] for text in ("It is not so", "It is never not so", "It isn’t so", "Rest rather than work")
    )

    assert (once.negated, twice.negated, shortened.negated, hidden.negated) == (True, False, True, True)
    assert twice.has_negation


def test_not_only_is_no_negation() -> None:
    assert not read_clauses("Not only kings rule")[0].has_negation


def test_a_prefix_or_a_word_like_few_may_stand_for_a_negation() -> None:
    texts = ("It is inevitable", "Few came", "A fearless man", "We understand it", "Many came")

    assert [set(read_clauses(text)[0].half_negations) for text in texts] == [
        {"inevitable"},
        {"few"},
        {"fearless"},
        set(),
        set(),
    ]


def test_words_keep_how_they_are_written() -> None:
    assert [word.written for word in read_words("In 1,746 Franklin’s kite")] == ["In", "1,746", "Franklin’s", "kite"]


def test_nothing_has_no_clauses() -> None:
    assert read_clauses("") == () == read_clauses("…, – !")
