import pytest

from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Usage
from chapterverse.evaluation.search import (
    BOUNDS,
    problems_of,
    shared_word_share,
    variants_in,
)

SENTENCE = "Silencing an honest opinion robs every later generation of the truth that it might have found."
GOOD = {
    "level1": "Silencing an honest opinion robs each later generation of the truth it might have found.",
    "level2": "Whoever suppresses an honest view deprives those born afterwards of a truth they could have discovered.",
    "level3": "Censorship also hurts people in the future.",
}


def amiss(**changes: str) -> list[str]:
    return list(problems_of(GOOD | changes, SENTENCE))


def test_variants_as_a_person_would_write_them_are_taken() -> None:
    assert variants_in(ModelAnswer(GOOD, Usage()), SENTENCE) == GOOD


def test_the_share_of_words_kept_counts_stems_and_neither_names_nor_empty_words() -> None:
    assert shared_word_share("She walks: they rob her.", "She was robbed by Anna while she was walking in Paris.") == 1.0
    assert shared_word_share("Anna was in Paris.", "She was robbed by Anna while she was walking in Paris.") == 0.0
    assert shared_word_share("Truth suffers.", "Truth is the daughter of time.") == pytest.approx(1 / 3)


def test_the_sentence_itself_is_no_variant_whatever_its_marks() -> None:
    assert amiss(level1=f"“{SENTENCE[:-1]}”!") == ["level1 is the sentence itself"]


@pytest.mark.parametrize(
    ("level", "text"),
    [("level1", GOOD["level2"]), ("level2", GOOD["level1"]), ("level3", GOOD["level1"])],
)
def test_a_variant_that_keeps_other_shares_of_words_than_its_level_is_amiss(level: str, text: str) -> None:
    [problem] = amiss(**{level: text})

    assert problem.startswith(f"{level} keeps ")


@pytest.mark.parametrize("level", BOUNDS)
def test_a_variant_that_is_much_longer_or_nothing_is_amiss(level: str) -> None:
    long, nothing = amiss(**{level: f"{GOOD[level]} {'and so on ' * 20}"}), amiss(**{level: ""})

    assert long[0].startswith(f"{level} is ")
    assert nothing[0].startswith(f"{level} is 0.0 times as long")


def test_what_is_amiss_is_said_without_a_word_of_the_book() -> None:
    with pytest.raises(BadAnswer, match="level2 keeps 100% of the sentence's words, not 0% to 60%") as told:
        variants_in(ModelAnswer(GOOD | {"level2": f"Truly {SENTENCE}"}, Usage()), SENTENCE)

    assert "opinion" not in str(told.value)


@pytest.mark.parametrize("answer", [{}, GOOD | {"level4": "More."}, GOOD | {"level1": 1}])
def test_an_answer_of_another_form_cannot_be_used(answer: dict[str, object]) -> None:
    with pytest.raises(BadAnswer, match=r"does not fit the schema: \{'level[14]'"):
        variants_in(ModelAnswer(answer, Usage()), SENTENCE)
