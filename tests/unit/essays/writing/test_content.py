from dataclasses import replace

from chapterverse.citations.model import Judge, VerdictKind
from chapterverse.essays.model import NOTHING_FOUND, Comment, Style
from chapterverse.essays.writing.rules import NO_REASON, OWN_EXPERIENCE, OWN_NUMBERS, RuleContext, on_paragraph
from tests.support.essays import a_subject, always, evidence_on

NO_BOOKS = always(VerdictKind.NOT_FOUND)
CLAIM = (
    "Opinions differ widely among people everywhere, and everybody holds a view of some kind or another on nearly everything "
)
LONG = f"{CLAIM}that anybody ever talks of at home or at school or abroad."


def comments(text: str, paragraph: int = 0, judge: Judge = NO_BOOKS) -> list[Comment]:
    return list(on_paragraph(RuleContext(a_subject(text), Style(), judge), paragraph))


def test_what_the_book_says_stands_beside_the_sentence_it_is_about() -> None:
    subject = a_subject(
        "One thing. Silencing opinion robs us of truth.", evidence_on(0, key="Silencing opinion robs us of truth.")
    )

    [comment] = on_paragraph(RuleContext(subject, Style(), always(VerdictKind.SUPPORTS, "The book says the same.")), 0)

    assert comment.about == (11, 46)
    assert comment.text.startswith("The book says the same. Read its sentence")
    assert [one.quote for one in comment.citations] == ["Silencing an opinion robs mankind of truth."]


def test_a_contradiction_is_told_kindly_with_its_reason() -> None:
    [comment] = comments("Truth is never silenced.", judge=always(VerdictKind.CONTRADICTS, "The book has no “never”."))

    assert comment.contradicts
    assert comment.text.startswith("Look at this again. The book has no “never”. Read its sentence")


def test_what_to_do_is_told_once() -> None:
    look = RuleContext(a_subject("One.\n\nTwo.", evidence_on(0), evidence_on(1, number=2)), Style(), NO_BOOKS)

    [first], [second] = list(on_paragraph(look, 0)), list(on_paragraph(look, 1))

    assert "agree with it, or argue against it" in first.text
    assert "agree" not in second.text


def test_a_paragraph_on_which_the_books_are_silent_is_told_so_and_cites_nothing() -> None:
    [comment] = comments("One.\n\nMy uncle sings.", 1)

    assert (comment.text, comment.citations) == (f"{NOTHING_FOUND} {OWN_EXPERIENCE}", ())


def test_of_a_paragraph_that_there_was_no_time_to_look_up_nothing_is_said_about_books() -> None:
    subject = replace(a_subject("One.\n\nMy uncle sings."), left_out=frozenset({1}))

    assert list(on_paragraph(RuleContext(subject, Style(), NO_BOOKS), 1)) == []


def test_figures_that_no_book_backs_want_a_source() -> None:
    [comment] = comments("One.\n\nIt fell from 40 to 10.", 1)

    assert comment.text == f"{NOTHING_FOUND} {OWN_NUMBERS}"


def test_a_longer_paragraph_gives_a_reason_or_an_example() -> None:
    assert NO_REASON in [comment.text for comment in comments(LONG)]
    assert NO_REASON not in [comment.text for comment in comments(LONG.replace("at home", "because of things at home"))]
    assert NO_REASON not in [comment.text for comment in comments("Opinions differ.")]
