import pytest

from chapterverse.essays.model import Comment, Dimension, Review, Style
from chapterverse.essays.writing.rubric import finding_on, read_rubric, with_rubric
from chapterverse.essays.writing.rules import RuleContext
from chapterverse.messages import message
from tests.support.essays import ESSAY, a_subject


def looking(essay: str = ESSAY, rubric: str = "") -> RuleContext:
    return RuleContext(a_subject(essay), Style(rubric=read_rubric(rubric)))


def met(criterion: str, essay: str = ESSAY) -> bool | None:
    """None where rules cannot tell."""
    [one] = read_rubric(criterion)
    finding = finding_on(one, looking(essay))
    return finding.met if finding else None


@pytest.mark.parametrize(
    ("criterion", "is_met"),
    [
        ("at least two paragraphs", True),
        ("At least 3 paragraphs.", False),
        ("The essay has exactly 2 paragraphs", True),
        ("2-4 paragraphs", True),
        ("3 to 5 paragraphs", False),
        ("at most 30 words", True),
        ("at least 100 words long", False),
        ("no more than 3 sentences", True),
        ("a title", True),
        ("has a title", True),
    ],
)
def test_what_can_be_counted_is_checked(criterion: str, is_met: bool) -> None:
    assert met(criterion) is is_met


@pytest.mark.parametrize(
    "criterion",
    [
        "uses vivid language",
        "each paragraph has at least 3 sentences",
        "sentences of at most 20 words",
        "at least two paragraphs that give reasons",
        "a title that says what it is about",
        "cites evidence that fits",
    ],
)
def test_what_asks_for_more_than_a_count_is_not_said_to_be_checked(criterion: str) -> None:
    assert met(criterion) is None


@pytest.mark.parametrize(
    ("sentence", "is_met"),
    [
        ("It is true.", False),
        ("It stands in On Liberty.", True),
        ("It stands on page 35.", True),
        ("Mill says “an opinion robs mankind of truth”.", True),
        ("Mill says “nobody robs anybody of anything”.", False),
    ],
)
def test_an_essay_cites_a_book_by_its_title_a_page_or_its_words(sentence: str, is_met: bool) -> None:
    assert met("cites the book", f"# Speech\n\nSilencing opinion robs us of truth. {sentence}") is is_met


def test_what_is_missing_becomes_a_comment_and_what_nobody_checked_a_note() -> None:
    review = Review(Dimension.FEATURES, (Comment(0, "First."),), checked=("this",))

    with_it = with_rubric(review, looking(rubric="at least 5 paragraphs\na title\nuses vivid language\nis brave"))

    assert [one.text for one in with_it.comments] == [
        "First.",
        "Your teacher asks for “at least 5 paragraphs”. Your essay has 2 paragraphs.",
    ]
    assert with_it.checked == ("this", "your teacher's “at least 5 paragraphs”", "your teacher's “a title”")
    assert [str(note) for note in with_it.notes] == [
        str(message("note_rubric_not_checked", criteria="“uses vivid language”; “is brave”"))
    ]


def test_without_a_rubric_a_review_stays_as_it_is() -> None:
    review = Review(Dimension.FEATURES, (Comment(0, "First."),))

    assert with_rubric(review, looking()) == review
