import pytest

from bookreader.pdf.flow import FlowLine
from bookreader.pdf.model import line_of
from bookreader.pdf.prose import Prose, Vocabulary, prose_of, vocabulary_of, without_calls
from tests.support.marks import LEFT, TOP, a_flow, a_line, a_style, a_token, flowing, full_lines, lines_down


def book(*lines: FlowLine) -> Vocabulary:
    """The lines' own words, in a book that breaks others."""
    broken = lines_down("a mother-in-law, a cit-", "izen, the pas-", "sage of a pris-", "oner with his knowl-", "edge of the")
    return vocabulary_of([*broken, *(each.line for each in lines)])


def prose(*texts: str, marks: frozenset[str] = frozenset()) -> Prose:
    """Lines one below the other, set so wide that they are full."""
    widest = max(map(len, texts))
    flow = [
        FlowLine(each.line, LEFT, each.line.x1, each.above, each.below) for each in a_flow(*(t.ljust(widest) for t in texts))
    ]
    return prose_of(flow, book(*flow), {0: marks})


def test_no_blank_comes_between_a_dash_and_the_next_line() -> None:
    assert (
        prose("It rained all day and all the night—", "or nearly so—I think.").text
        == "It rained all day and all the night—or nearly so—I think."
    )


@pytest.mark.parametrize(
    ("before", "after", "joined"), [("7/", "n", "7/n"), ("https://", "doi.org", "https://doi.org"), ("/", "n", "/ n")]
)
def test_a_slash_that_touches_its_word_touches_the_next_line(before: str, after: str, joined: str) -> None:
    assert prose(f"They rowed over and over again, {before}", f"{after} times in the long winter of the year.").text == (
        f"They rowed over and over again, {joined} times in the long winter of the year."
    )


def test_a_suspended_hyphen_keeps_its_blank() -> None:
    assert prose("They bought two-", "and three-year bonds.").text == "They bought two- and three-year bonds."


def test_calls_are_left_out_and_powers_kept() -> None:
    assert prose("The harbour^1 froze.^2 It is 10^3 yards.").text == "The harbour froze. It is 10³ yards."


def test_a_soft_hyphen_inside_a_line_is_invisible() -> None:
    assert prose("The har\u00adbour froze.").text == "The harbour froze."


def test_every_line_of_a_span_has_one_box() -> None:
    lines = [flowing(line) for line in full_lines(3)]
    whole = prose_of(lines, book(*lines), {})

    [(page, boxes)] = whole.pages(0, len(whole.text))

    assert page == 0
    assert [(box.x0, box.x1, box.y0, box.y1) for box in boxes] == [(50, 350, 52 + 12 * i, 62 + 12 * i) for i in range(3)]


@pytest.mark.parametrize(("span", "x0", "x1"), [((0, 2), 50, 60), ((3, 9), 65, 95), ((4, 7), 70, 85)])
def test_a_part_of_a_line_has_its_share_of_the_width(span: tuple[int, int], x0: float, x1: float) -> None:
    lines = [flowing(a_line("It rained"))]

    [(_, [box])] = prose_of(lines, book(*lines), {}).pages(*span)

    assert (box.x0, box.x1) == (x0, x1)


def test_the_two_halves_of_a_joined_word_are_on_their_own_lines() -> None:
    whole = prose("the treat-", "ment of it")

    [(_, boxes)] = whole.pages(whole.text.index("treatment"), whole.text.index("treatment") + 9)

    assert [(box.x0, box.x1) for box in boxes] == [(70, 100), (50, 70)]


def test_a_sentence_with_an_inexact_part_is_known() -> None:
    built = prose("It is 10^q yards long.")

    assert built.text == "It is 10^q yards long."
    assert not built.is_exact(0, 10)
    assert built.is_exact(10, len(built.text))


def test_calls_in_several_pieces_are_left_out_together() -> None:
    line = a_line("harbour^3")
    small = line.tokens[-1]
    tokens = (*line.tokens, small._replace(text=","), small._replace(text="4"))

    assert [token.text for token in without_calls(tokens, frozenset())] == ["harbour"]


def test_an_address_of_the_web_goes_on_at_a_lines_end() -> None:
    assert prose("See https://example.org/", "page now.").text == "See https://example.org/page now."


@pytest.mark.parametrize(("after", "exact"), [("page now.", False), ("page-2 now.", True)])
def test_where_the_next_word_may_be_none_of_an_address_the_text_is_in_doubt(after: str, exact: bool) -> None:
    found = prose("See https://example.org/", after)

    assert found.is_exact(0, len(found.text)) is exact


def scripted(*pieces: tuple[str, float, bool]) -> Prose:
    """A line of pieces (text, where it begins, whether raised), each a token after a blank."""
    tokens = [
        a_token(text, x, TOP - 3 if raised else TOP, a_style(6 if raised else 10), raised=raised) for text, x, raised in pieces
    ]
    lines = [flowing(line_of(0, tokens, TOP))]
    return prose_of(lines, book(*lines), {})


def test_a_raised_run_that_nearly_touches_a_letter_is_part_of_it() -> None:
    found = scripted(("what", 50, False), ("f", 80, False), ("(23)", 86, True), ("is?", 110, False))

    assert found.text == "what f⁽²³⁾ is?"
    assert found.is_exact(0, len(found.text))


def test_a_formula_set_small_and_high_is_not_what_is_printed() -> None:
    tokens = [
        a_token("lim", 50),
        a_token("sin(", 75, TOP - 3, a_style(6), raised=True),
        a_token("θ", 87, TOP - 3, a_style(6), raised=True, glued=True),
    ]
    lines = [flowing(line_of(0, tokens, TOP))]
    found = prose_of(lines, book(*lines), {})

    assert not found.is_exact(0, len(found.text))
