"""Stems are the same whoever else is stemming."""

from concurrent.futures import ThreadPoolExecutor

from chapterverse.core.words import distinct_terms, rarity, stem, terms_of


def test_terms_are_stems_without_words_that_say_nothing() -> None:
    assert terms_of("When are the graded assignments due?") == ["grade", "assign", "due"]


def test_a_term_comes_as_often_as_it_stands_there() -> None:
    assert terms_of("exam, Exam, exams") == ["exam"] * 3
    assert distinct_terms("exam, Exam, exams") == ["exam"]


def test_what_is_denied_is_said() -> None:
    assert "not" in terms_of("messages not labelled")


def test_numbers_and_names_of_courses_are_terms() -> None:
    assert terms_of("room_12, CS4670") == ["room", "12", "cs4670"]


def test_a_rare_term_tells_more_and_a_common_one_never_less_than_nothing() -> None:
    assert rarity(1, 100) > rarity(50, 100) > rarity(100, 100) > 0


def test_threads_may_stem_at_once() -> None:
    words = [
        f"{letters}{end}" for letters in ("nation", "care", "hope", "rat") for end in ("alizations", "fulness", "ing", "s")
    ]
    many = [f"{word[:-1]}{n}{word[-1]}" for n in range(300) for word in words]  # each only once: stems are remembered

    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(stem, many))

    stem.cache_clear()
    assert at_once == [stem(word) for word in many]
