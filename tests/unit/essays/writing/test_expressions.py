from chapterverse.essays.model import Comment, Style
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.expressions import on_essay, on_paragraph
from chapterverse.essays.writing.rules import RuleContext, readability
from tests.support.essays import a_subject


def looking(text: str, **style: object) -> RuleContext:
    return RuleContext(a_subject(text), Style(**style))  # type: ignore[arg-type]


def said(comments: list[Comment], words: str) -> bool:
    return any(words in comment.text for comment in comments)


def test_a_very_long_sentence_is_pointed_at_by_its_words_and_longer_ones_are_for_higher_grades() -> None:
    long = " ".join(["One", "two"] * 26) + "."

    [comment] = on_paragraph(looking(f"Short. {long}", grade=7), 0)

    assert comment.text.startswith("This sentence has 52 words.")
    assert comment.about == (7, 7 + len(long))
    assert list(on_paragraph(looking(f"Short. {long}", grade=12), 0)) == []


def test_a_web_address_is_not_spelt() -> None:
    assert list(on_paragraph(looking("The pledge is at www. itcanwaitt. com, and I have read it there."), 0)) == []


def test_a_correction_leaves_no_other_word_out() -> None:
    [unknown, misspelt] = on_paragraph(looking("We live in the city. It is a citybad place, and I beleive it."), 0)

    assert (unknown.instead, misspelt.instead) == (None, "believe")


def test_words_of_others_do_not_make_a_sentence_long() -> None:
    assert list(on_paragraph(looking(f"She said “{' '.join(['cats', 'sleep'] * 30)}” to him."), 0)) == []


def test_words_that_are_somebodys_own_are_not_corrected() -> None:
    assert list(on_paragraph(looking("They eat what they call sploosh, and he rode a two seater home."), 0)) == []


def test_a_short_word_is_corrected_only_if_it_goes_with_its_neighbours() -> None:
    [comment] = on_paragraph(looking("New York has a new program anits skyrocketing tolls."), 0)

    assert comment.instead is None


def test_items_of_a_list_need_be_no_sentences() -> None:
    items = "The aim is clear to us.\n\n- opening it on every day\n\n- closing it before the night\n\nThat is what we ask for."

    assert [one.text for each in looking(items).slips for one in each] == []
    assert [one.text for each in looking("That is what we ask for.\n\nplease come to us.").slips for one in each] != []


def test_sentences_that_all_begin_alike_are_pointed_at() -> None:
    assert said(list(on_paragraph(looking("He runs far. He sings well. He eats much. He sleeps late."), 0)), "begin with “He”")
    assert not said(list(on_paragraph(looking("He runs far. Then he sings. He eats much."), 0)), "begin with")


def test_a_slip_is_not_told_of_again_as_a_misspelling() -> None:
    comments = list(on_paragraph(looking("It is alot of work."), 0))

    assert [comment.instead for comment in comments] == ["a lot"]


def test_a_word_that_says_little_is_counted_and_the_essays_own_subject_is_not() -> None:
    [comment] = on_essay(looking("Cats are really fast. " * 6))

    assert "“really” 6 times" in comment.text
    assert comment.about == (9, 15)
    assert list(on_essay(looking("Liberty is liberty. " * 8))) == []


def test_readability_is_the_index_of_its_formula() -> None:
    text = "The cat sat here. It was warm."  # 7 words of 22 letters in 2 sentences

    assert round(readability(parse_essay(text).paragraphs[0].sentences), 6) == round(4.71 * 22 / 7 + 0.5 * 7 / 2 - 21.43, 6)
