from chapterverse.essays.model import Comment, Dimension, Review
from chapterverse.essays.writing.expressions import EXPRESSIONS
from chapterverse.essays.writing.grammar import SlipFound
from chapterverse.essays.writing.review import FAILED, MAX_MISTAKES, OVERLOOKED, Mistake, Proof, with_proof
from chapterverse.essays.writing.writing import BY_HARPER

REVIEW = Review(Dimension.EXPRESSIONS, (), checked=("spelling",), not_checked=EXPRESSIONS.not_checked)


def a_mistake(start: int = 0, end: int = 3, dimension: Dimension = Dimension.EXPRESSIONS) -> Mistake:
    return Mistake(0, start, end, "Wrong.", "right", dimension)


def test_a_mistake_becomes_a_comment_of_its_dimension_alone() -> None:
    proof = Proof((a_mistake(), a_mistake(dimension=Dimension.FEATURES)))

    assert with_proof(REVIEW, proof).comments == (Comment(0, "Wrong.", (0, 3), instead="right"),)
    assert len(with_proof(Review(Dimension.FEATURES, ()), proof).comments) == 1
    assert with_proof(Review(Dimension.CONTENT, ()), proof) == Review(Dimension.CONTENT, ())


def test_what_was_checked_then_says_so() -> None:
    review = with_proof(REVIEW, Proof())

    assert review.checked == ("spelling", "grammar, by LanguageTool")
    assert review.not_checked == (OVERLOOKED, *EXPRESSIONS.not_checked[1:])


def test_words_that_are_corrected_already_are_not_corrected_twice() -> None:
    corrected = Review(Dimension.EXPRESSIONS, (Comment(0, "Spelling.", (1, 5), instead="other"),))

    assert with_proof(corrected, Proof((a_mistake(),))).comments == corrected.comments


def test_a_comment_on_a_whole_sentence_does_not_hide_what_is_wrong_in_it() -> None:
    too_long = Review(Dimension.EXPRESSIONS, (Comment(0, "Too long.", (0, 90)),))

    assert len(with_proof(too_long, Proof((a_mistake(),))).comments) == 2


def test_only_so_many_kinds_a_paragraph_are_told() -> None:
    many = tuple(Mistake(0, n, n + 1, f"Wrong {n}.", None, Dimension.EXPRESSIONS) for n in range(20))

    assert len(with_proof(REVIEW, Proof(many)).comments) == MAX_MISTAKES


def test_mistakes_of_a_kind_are_one_comment_that_counts_them() -> None:
    [comment] = with_proof(REVIEW, Proof(tuple(a_mistake(3 * n, 3 * n + 1) for n in range(14)))).comments

    assert (comment.about, comment.text) == ((0, 1), "Wrong. There are 14 of these in your essay.")


def test_harper_is_said_to_check_grammar_and_no_style() -> None:
    proof = Proof((a_mistake(),), checked=BY_HARPER)

    assert with_proof(REVIEW, proof).checked == ("spelling", "grammar, by Harper")
    assert with_proof(Review(Dimension.FEATURES, ()), proof) == Review(Dimension.FEATURES, ())


def test_a_grammar_checker_that_did_not_answer_is_told_of_once() -> None:
    assert with_proof(REVIEW, Proof(failed=True)).notes == (FAILED,)
    assert with_proof(REVIEW, Proof(failed=True)).not_checked == REVIEW.not_checked
    assert with_proof(Review(Dimension.FEATURES, ()), Proof(failed=True)).notes == ()


def test_without_a_grammar_checker_nothing_changes() -> None:
    assert with_proof(REVIEW, None) == REVIEW


def test_what_the_slips_have_found_is_not_told_again_and_more_of_their_kind_is_counted_with_them() -> None:
    told = Review(Dimension.EXPRESSIONS, (Comment(0, "Wrong. There are 2 of these in your essay.", (0, 3), instead="right"),))
    slips = [[SlipFound("Wrong.", (0, 3), "right"), SlipFound("Wrong.", (8, 11), "right")]]

    [same] = with_proof(told, Proof((a_mistake(8, 11),)), slips).comments
    [more] = with_proof(told, Proof((a_mistake(20, 23),)), slips).comments

    assert same == told.comments[0]
    assert more.text == "Wrong. There are 3 of these in your essay."
