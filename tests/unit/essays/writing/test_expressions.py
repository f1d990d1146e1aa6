from chapterverse.citations.model import VerdictKind
from chapterverse.essays.model import Comment, Style, Tone
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.expressions import on_essay, on_paragraph, readability
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject, always


def looking(text: str, **style: object) -> RuleContext:
    return RuleContext(a_subject(text), Style(**style), always(VerdictKind.NOT_FOUND))  # type: ignore[arg-type]


def said(comments: list[Comment], words: str) -> bool:
    return any(words in comment.text for comment in comments)


def test_a_long_sentence_is_pointed_at_by_its_words_and_longer_ones_are_for_higher_grades() -> None:
    long = " ".join(["One", "two"] * 14) + "."

    [comment] = on_paragraph(looking(f"Short. {long}", grade=7), 0)

    assert comment.text.startswith("This sentence has 28 words.")
    assert comment.about == (7, 7 + len(long))
    assert list(on_paragraph(looking(f"Short. {long}", grade=12), 0)) == []


def test_sentences_that_all_begin_alike_are_pointed_at() -> None:
    assert said(list(on_paragraph(looking("He runs. He sings. He eats."), 0)), "begin with “He”")
    assert not said(list(on_paragraph(looking("He runs. Then he sings. He eats."), 0)), "begin with")


def test_a_slip_is_not_told_of_again_as_a_misspelling() -> None:
    comments = list(on_paragraph(looking("It is alot of work."), 0))

    assert [comment.instead for comment in comments] == ["a lot"]


def test_sentences_all_as_long_as_one_another_are_told_of_and_a_mix_is_praised() -> None:
    dull = "He runs very far. She runs very far. It runs very far. Jim runs very far."
    mixed = "Stop. He runs very far indeed, through all the towns and over all the hills. Why? It was late at night and dark."

    assert said(list(on_essay(looking(dull))), "as long as one another")
    assert said(list(on_essay(looking(mixed))), "that mix reads well")
    assert not said(list(on_essay(looking(mixed, tone=Tone.PLAIN))), "reads well")


def test_a_word_used_again_and_again_is_counted() -> None:
    assert said(list(on_essay(looking("Liberty is liberty. " * 4))), "You use “liberty” 8 times")
    assert not said(list(on_essay(looking("People are people. " * 4))), "times")


def test_a_text_far_above_the_readers_grade_is_told_of() -> None:
    heavy = "Institutional responsibilities necessitate comprehensive administrative accountability throughout departments. "

    assert said(list(on_essay(looking(heavy * 4))), "reads like grade")
    assert not said(list(on_essay(looking("The cat sat. The dog ran. It was hot. We ate."))), "reads like")


def test_readability_is_the_index_of_its_formula() -> None:
    text = "The cat sat here. It was warm."  # 7 words of 22 letters in 2 sentences

    assert round(readability(parse_essay(text)), 6) == round(4.71 * 22 / 7 + 0.5 * 7 / 2 - 21.43, 6)
