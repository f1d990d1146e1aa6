from dataclasses import replace

from chapterverse.citations.model import Verdict, VerdictKind
from chapterverse.essays.history import REPLACEMENT, Replacement, with_choices, without
from chapterverse.essays.model import NOTHING_FOUND, Choice, Citation, Comment, Dimension, Feedback, Review, Show
from chapterverse.messages import plain
from tests.support.essays import ESSAY, a_subject, evidence_on, found_on

ONE, TWO = evidence_on(0), evidence_on(0, "Truth gains by being denied.", 2)
NEW = evidence_on(0, "Habit rules us all.", 1)


def cites(*evidence: object, text: str = "The book says so.", number: int = 1) -> Comment:
    verdict = Verdict(VerdictKind.SUPPORTS, plain("It does."))
    return Comment(0, text, citations=tuple(Citation(one, verdict) for one in evidence), number=number)  # type: ignore[arg-type]


def given(*comments: Comment) -> Feedback:
    return Feedback(found_on(a_subject(ESSAY, ONE, TWO)), (Review(Dimension.CONTENT, comments),))


ON_ONE, ON_TWO, FREE = cites(ONE, number=1), cites(TWO, number=2), Comment(1, "Give a reason.", number=3)
ALL = given(ON_ONE, ON_TWO, FREE)


def test_where_nothing_is_chosen_all_is_as_it_was_given() -> None:
    assert with_choices(ALL, ()) == ALL
    assert with_choices(ALL, (Choice(1),)) == ALL


def test_hidden_evidence_goes_with_what_stood_on_it_alone_and_the_numbers_stay() -> None:
    shown = with_choices(ALL, (Choice(1, Show.HIDDEN),))

    assert [one.number for one in shown.evidence.evidence] == [2]
    assert [one.numbers for one in shown.evidence.paragraphs] == [(2,), ()]
    assert shown.reviews[0].comments == (ON_TWO, FREE)


def test_of_a_paragraph_whose_evidence_is_hidden_it_is_not_said_that_the_books_say_nothing() -> None:
    shown = with_choices(ALL, (Choice(1, Show.HIDDEN), Choice(2, Show.HIDDEN)))

    assert [(one.numbers, one.message and str(one.message)) for one in shown.evidence.paragraphs] == [
        ((), None),
        ((), str(NOTHING_FOUND)),
    ]


def test_what_stands_on_other_evidence_too_loses_only_the_citation_and_what_names_it() -> None:
    both = cites(ONE, TWO, text="This is so (Evidence #1). That is so (Evidence #2).")

    left = without(both, {1})

    assert left == replace(both, text="That is so (Evidence #2).", citations=both.citations[1:])
    assert without(both, {1, 2}) is None


def test_pinned_evidence_comes_first_and_so_does_what_is_said_of_it() -> None:
    shown = with_choices(ALL, (Choice(2, Show.PINNED),))

    assert [one.number for one in shown.evidence.evidence] == [2, 1]
    assert shown.reviews[0].comments == (ON_TWO, ON_ONE, FREE)


def test_of_replaced_evidence_only_what_is_said_of_the_new_sentence_is_left() -> None:
    anew = cites(NEW, text="Read this, too.", number=1)
    instead = REPLACEMENT.dump_json(Replacement(NEW, (anew,))).decode()

    shown = with_choices(ALL, (Choice(1, instead=instead),))

    assert shown.evidence.evidence == (NEW, TWO)
    assert shown.reviews[0].comments == (anew, ON_TWO, FREE)


def test_what_is_hidden_is_hidden_though_it_was_replaced() -> None:
    instead = REPLACEMENT.dump_json(Replacement(NEW, ())).decode()

    assert with_choices(ALL, (Choice(1, Show.HIDDEN, instead=instead),)) == with_choices(ALL, (Choice(1, Show.HIDDEN),))
