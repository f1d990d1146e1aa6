from dataclasses import replace

import pytest

from chapterverse.essays.model import Comment, Dimension, Feedback, Review, Style
from chapterverse.essays.records import CitationsResponse
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.argument import outline_of
from chapterverse.essays.writing.render import feedback_html, feedback_markdown
from chapterverse.essays.writing.rubric import finding_on, read_rubric, with_criteria, with_rubric
from chapterverse.essays.writing.rules import RuleContext
from chapterverse.messages import message
from tests.support.essays import ESSAY, a_subject, found_on


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


@pytest.mark.parametrize(
    ("rule", "dimension", "criterion"),
    [
        ("reasons.source", Dimension.CONTENT, "Uses evidence from sources"),
        ("structure.ending", Dimension.FEATURES, "Has a conclusion"),
        ("", Dimension.EXPRESSIONS, "Correct spelling"),
        ("sentences.long", Dimension.EXPRESSIONS, None),
        ("works.speech", Dimension.CONTENT, None),
    ],
)
def test_a_comment_names_the_criterion_that_it_is_about_or_none(rule: str, dimension: Dimension, criterion: str | None) -> None:
    rubric = read_rubric("Uses evidence from sources\nHas a conclusion\nCorrect spelling")

    [named] = with_criteria(Review(dimension, (Comment(0, "Look here.", rule=rule),)), rubric).comments

    assert named.criterion == criterion


def test_a_criterion_is_reported_with_its_levels_and_what_was_counted_and_no_level_is_chosen() -> None:
    look = looking(rubric="Criterion\tStrong\nat least two paragraphs\tFive of them\nUses evidence\tMuch of it")

    reports = with_rubric(Review(Dimension.CONTENT, ()), look).criteria

    assert [(one.criterion.levels, one.found, one.on_evidence) for one in reports] == [
        (("Strong: Five of them",), "Your essay has 2 paragraphs.", False),
        (("Strong: Much of it",), "", True),
    ]


def test_the_passages_that_count_as_evidence_are_shown_with_the_criterion() -> None:
    text = (
        "I think we should sleep more.\n\nFirst of all, we forget less. A study in Oslo found that we forget 30 percent less."
    )
    outline = outline_of(RuleContext(a_subject(text), Style(genre=Genre.ARGUMENTATIVE)))
    look = looking(text, "Uses evidence")
    review = replace(with_rubric(Review(Dimension.CONTENT, ()), look), outline=outline)
    feedback = Feedback(found_on(look.subject), (review,))

    [criterion] = CitationsResponse.of(feedback).criteria

    assert criterion.evidence
    assert [(one.text, one.specific) for one in criterion.evidence] == [
        ("A study in Oslo found that we forget 30 percent less.", ["Oslo", "30"])
    ]
    assert "Pieces of evidence: 1; with a name, a number or a quotation: 1." in feedback_markdown(feedback)
    assert "(Oslo, 30)" in feedback_html(feedback)
