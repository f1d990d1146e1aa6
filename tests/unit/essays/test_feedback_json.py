from typing import Any

from chapterverse.citations.model import VerdictKind
from chapterverse.essays.model import Comment, Dimension, Feedback, Review, Style
from chapterverse.essays.records import CitationsResponse, FeedbackResponse
from chapterverse.essays.writing.review import compose
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject, always, found_on

SUBJECT = a_subject()
CONTENT = compose(Dimension.CONTENT, RuleContext(SUBJECT, Style(), always(VerdictKind.PARTLY, "In part.")), lambda: False)


def of(*reviews: Review) -> dict[str, Any]:
    return FeedbackResponse.of_feedback(Feedback(found_on(SUBJECT), reviews)).model_dump(mode="json")


def test_feedback_survives_json() -> None:
    response = FeedbackResponse.of_feedback(Feedback(found_on(SUBJECT), (CONTENT,)))

    assert FeedbackResponse.model_validate_json(response.model_dump_json()) == response


def test_a_comment_has_its_place_and_the_books_own_sentence_with_a_verdict() -> None:
    first = of(CONTENT)["content"]["comments"][0]

    assert (first["paragraph"], first["about"]) == (1, {"start": 0, "end": 35, "text": "Silencing opinion robs us of truth."})
    assert first["evidence"] == [
        {"number": 1, "quote": "Silencing an opinion robs mankind of truth.", "verdict": "partly", "reason": "In part."}
    ]


def test_a_comment_on_the_whole_has_no_place() -> None:
    [comment] = of(Review(Dimension.FEATURES, (Comment(None, "Good."),)))["features"]["comments"]

    assert comment == {"number": 0, "paragraph": None, "about": None, "text": "Good.", "instead": None, "evidence": []}


def test_a_dimension_that_is_not_given_is_null() -> None:
    feedback = of(CONTENT)

    assert (feedback["expressions"], feedback["features"]) == (None, None)
    assert feedback["section"].startswith("Evidence Used:\n1. ")


def test_evidence_carries_the_verdict_of_the_comment_that_cites_it() -> None:
    [evidence] = of(CONTENT)["evidence"]

    assert (evidence["number"], evidence["verdict"], evidence["reason"]) == (1, "partly", "In part.")


def test_all_citations_are_in_one_list_with_where_they_belong() -> None:
    assert of(CONTENT)["citations"] == [
        {
            "dimension": "content",
            "paragraph": 1,
            "number": 1,
            "quote": "Silencing an opinion robs mankind of truth.",
            "verdict": "partly",
            "reason": "In part.",
        }
    ]


def test_the_verdicts_on_the_evidence_come_with_the_citations() -> None:
    told = CitationsResponse.of(Feedback(found_on(SUBJECT), (CONTENT,))).model_dump(mode="json")

    assert told == {
        "citations": of(CONTENT)["citations"],
        "verdicts": [{"number": 1, "verdict": "partly", "reason": "In part."}],
    }
