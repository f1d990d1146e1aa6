from dataclasses import replace

import pytest

from chapterverse.questions.judging import (
    WEIGHTS_OF_ENTRIES,
    WEIGHTS_OF_TEXTS,
    ChunkSignals,
    Weights,
    answerable,
    has_answer_type,
    signals_of,
)

RARITIES = {"final": 1.0, "exam": 3.0}
EXAM = ChunkSignals(0.9, 0.6, "The final exam is on May 5.", ["The final exam is on May 5."], 0.7)
OTHER = ChunkSignals(0.4, 0.5, "Homework is due weekly.", ["Homework is due weekly."], 0.3)


def test_chunks_that_hold_nothing_of_what_is_asked_show_it() -> None:
    signs = signals_of("When is the final exam?", [OTHER, OTHER], RARITIES)

    assert (signs.cosine, signs.sentence, signs.score, signs.lead) == (0.5, 0.3, 0.4, 0.0)
    assert (signs.three, signs.at_once, signs.typed) == (0.0, 0.0, 0.0)


def test_what_the_question_tells_is_a_sign_of_its_own() -> None:
    signs = signals_of("When is the final exam?", [OTHER], RARITIES)

    assert (signs.rarity, signs.asked) == (2.0, pytest.approx(1.609, abs=0.001))


def test_a_chunk_that_leads_and_holds_what_is_asked_shows_it() -> None:
    signs = signals_of("When is the final exam?", [EXAM, OTHER], RARITIES)

    assert signs.lead == pytest.approx(0.5)
    assert (signs.three, signs.at_once, signs.typed) == (1.0, 1.0, 1.0)


def test_what_two_sentences_hold_between_them_is_not_held_at_once() -> None:
    apart = replace(EXAM, sentences=["The final grade.", "An exam in May."], text="The final grade. An exam in May.")

    signs = signals_of("final exam", [apart], RARITIES)

    assert (signs.three, signs.at_once) == (1.0, 0.75)


@pytest.mark.parametrize("weights", [WEIGHTS_OF_TEXTS, WEIGHTS_OF_ENTRIES])
def test_what_was_found_well_is_likelier_to_hold_the_answer(weights: Weights) -> None:
    question = "When is the final exam?"
    found, strayed = signals_of(question, [EXAM, OTHER], RARITIES), signals_of(question, [OTHER, OTHER], RARITIES)

    assert 0 < answerable(strayed, weights) < answerable(found, weights) < 1


@pytest.mark.parametrize(
    ("question", "text", "has"),
    [
        ("How many credits does it give?", "It gives 4 credits.", True),
        ("How many credits does it give?", "It gives credits.", False),
        ("Who teaches it?", "It is taught by Ada Lovelace.", True),
        ("Who teaches it?", "The instructor is kind.", False),
        ("Why is it taught?", "Nobody says.", True),
    ],
)
def test_a_number_or_a_person_that_is_asked_for_must_be_there(question: str, text: str, *, has: bool) -> None:
    assert has_answer_type(question, text) is has
