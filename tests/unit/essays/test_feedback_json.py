from dataclasses import replace
from typing import Any

import pytest
from chapterverse.essays.writing.review import compose, numbered
from chapterverse.essays.writing.rules import RuleContext

from chapterverse.citations.model import Relation
from chapterverse.essays.model import Comment, Dimension, Feedback, Review, Style, arranged
from chapterverse.essays.records import CitationsResponse, FeedbackResponse
from tests.support.essays import ESSAY, a_subject, evidence_on, found_on

SUBJECT = a_subject(ESSAY, evidence_on(0, relation=Relation.EXAMPLE))
CONTENT = compose(Dimension.CONTENT, RuleContext(SUBJECT, Style()))


def of(*reviews: Review) -> dict[str, Any]:
    return FeedbackResponse.of_feedback(Feedback(found_on(SUBJECT), reviews)).model_dump(mode="json")


def test_feedback_survives_json() -> None:
    response = FeedbackResponse.of_feedback(Feedback(found_on(SUBJECT), (CONTENT,)))

    assert FeedbackResponse.model_validate_json(response.model_dump_json()) == response


def test_a_comment_has_its_place_and_the_books_own_sentence_with_a_verdict() -> None:
    first = of(CONTENT)["content"]["comments"][0]

    assert (first["paragraph"], first["about"]) == (1, {"start": 0, "end": 35, "text": "Silencing opinion robs us of truth."})
    assert first["evidence"] == [
        {
            "number": 1,
            "quote": "Silencing an opinion robs mankind of truth.",
            "verdict": "partly",
            "reason": "The book gives an example of this.",
        }
    ]


def test_a_comment_on_the_whole_has_no_place() -> None:
    [comment] = of(Review(Dimension.FEATURES, (Comment(None, "Good."),)))["features"]["comments"]

    assert (comment["paragraph"], comment["about"], comment["criterion"]) == (None, None, None)


def test_a_dimension_that_is_not_given_is_null() -> None:
    feedback = of(CONTENT)

    assert (feedback["expressions"], feedback["features"]) == (None, None)
    assert feedback["section"].startswith("Evidence Used:\n1. ")


def test_evidence_carries_the_verdict_of_the_comment_that_cites_it() -> None:
    [evidence] = of(CONTENT)["evidence"]

    assert (evidence["number"], evidence["verdict"], evidence["reason"]) == (1, "partly", "The book gives an example of this.")


def test_all_citations_are_in_one_list_with_where_they_belong() -> None:
    assert of(CONTENT)["citations"] == [
        {
            "dimension": "content",
            "paragraph": 1,
            "number": 1,
            "quote": "Silencing an opinion robs mankind of truth.",
            "verdict": "partly",
            "reason": "The book gives an example of this.",
        }
    ]


def test_the_verdicts_on_the_evidence_come_with_the_citations() -> None:
    told = CitationsResponse.of(Feedback(found_on(SUBJECT), (CONTENT,))).model_dump(
        mode="json", include={"citations", "verdicts"}
    )

    assert told == {
        "citations": of(CONTENT)["citations"],
        "verdicts": [{"number": 1, "verdict": "partly", "reason": "The book gives an example of this."}],
    }


@pytest.mark.parametrize(
    ("mistake", "words", "is_first"),
    [("Look it up.", 260, True), ("Look it up.", 261, False), ("No blank goes before this mark.", 9, False)],
)
def test_as_few_mistakes_as_anybody_makes_do_not_come_first(mistake: str, words: int, is_first: bool) -> None:
    review = numbered(Review(Dimension.EXPRESSIONS, (Comment(1, mistake, instead="cable"),) * 4))

    assert bool(arranged([review], words).first) is is_first


def test_what_a_language_model_takes_up_first_comes_first_and_nothing_weighty_after_it() -> None:
    source, limit = Comment(0, "Whence?", rule="reasons.source"), Comment(0, "Always?", rule="reasons.first")
    reviews = (
        Review(Dimension.CONTENT, (source, source, limit)),
        Review(Dimension.EXPRESSIONS, (Comment(1, "Look it up.", instead="cable"),) * 4),
    )

    assert of(*map(numbered, reviews))["priorities"] == [{"kind": "reasons", "items": [{"part": "content", "number": 3}]}]


def test_at_most_three_things_come_first_one_of_them_works_and_the_rest_is_counted_by_kind() -> None:
    works, figure = Comment(0, "Good.", rule="works.reason"), Comment(0, "Whence?", rule="reasons.source")
    spelling = Comment(1, "Look it up.", instead="cable")
    reviews = (
        Review(Dimension.CONTENT, (figure, figure, works)),
        Review(Dimension.EXPRESSIONS, (spelling,) * 4),
        Review(Dimension.FEATURES, (Comment(1, "A plainer word.", rule="wording.chatty"),)),
    )

    feedback = of(*map(numbered, reviews))

    assert feedback["priorities"] == [
        {"kind": "works", "items": [{"part": "content", "number": 3}]},
        {"kind": "reasons", "items": [{"part": "content", "number": 1}, {"part": "content", "number": 2}]},
        {"kind": "language", "items": [{"part": "expressions", "number": number} for number in range(1, 5)]},
    ]
    assert feedback["folded"] == [{"kind": "wording", "items": [{"part": "features", "number": 1}]}]


def test_the_weightiest_comes_first_and_of_mistakes_the_kind_that_is_made_most_often() -> None:
    rules = ("works.opinion", "works.example", "reasons.source", "reasons.claim", "books.quotation")
    content = Review(Dimension.CONTENT, tuple(Comment(0, rule, rule=rule) for rule in rules))
    verbs = Comment(0, "The verb has to fit. There are 3 of these in your essay.", instead="goes")
    language = Review(Dimension.EXPRESSIONS, (Comment(0, "Look it up.", instead="cable"), verbs))

    many, few = (of(*map(numbered, (content, each)))["priorities"] for each in (language, replace(language, comments=())))

    assert [(group["items"][0]["part"], group["items"][0]["number"]) for group in many] == [
        ("content", 2),
        ("content", 4),
        ("expressions", 2),
    ]
    assert [group["items"][0]["number"] for group in few] == [2, 4, 3]


def test_a_false_quotation_comes_before_a_right_one_and_verbs_before_capitals() -> None:
    right, wrong = (Comment(0, rule, rule=rule) for rule in ("books.quotation", "books.misquoted"))
    capitals = Comment(1, "A name begins with a capital letter. There are 7 of these in your essay.", instead="Rome")
    verbs = tuple(Comment(1, f"The verb has {form}.", instead="goes") for form in ("no ending", "another form", "no “to”"))
    reviews = Review(Dimension.CONTENT, (right, wrong)), Review(Dimension.EXPRESSIONS, (capitals, *verbs))

    first = of(*map(numbered, reviews))["priorities"]

    assert [group["items"][0]["number"] for group in first] == [2, 2]


def test_a_contradiction_comes_before_all_but_what_works_and_a_slip_alone_is_no_priority() -> None:
    look = RuleContext(a_subject(ESSAY, evidence_on(0, relation=Relation.CONTRADICTS)), Style())
    content = numbered(compose(Dimension.CONTENT, look))
    slip = numbered(Review(Dimension.EXPRESSIONS, (Comment(0, "Look it up."),)))

    feedback = of(content, slip)

    assert [group["kind"] for group in feedback["priorities"]] == ["books"]
    assert [group["kind"] for group in feedback["folded"]] == ["language"]
