"""A question that a language model has made to stand alone."""

import pytest

from chapterverse.questions.conversation import MAX_QUERY, MAX_SUMMARY, rewrite_query, summarize
from tests.support.answers import answering, asks
from tests.support.language_servers import Reply, language_server, says

ASKED = asks("When is it due?", query="by rule", conversation=["Student: And the project?"])


def test_the_models_question_is_taken() -> None:
    with language_server(says({"query": "When is the\nproject due?"})) as server, answering(server) as by:
        assert rewrite_query(ASKED, "school", by) == "When is the project due?"
        assert "And the project?" in server.asked[0].material


@pytest.mark.parametrize(
    "reply", [Reply(status=503), says({"query": ""}), says({"query": 7}), says({}), says({"query": "x" * (MAX_QUERY + 1)})]
)
def test_what_is_no_question_is_not(reply: Reply) -> None:
    with language_server(reply) as server, answering(server, seconds=1.0) as by:
        assert rewrite_query(ASKED, "school", by) == "by rule"


def test_nobody_is_asked_about_a_first_question_or_where_there_is_no_model() -> None:
    with language_server(says({"query": "x"})) as server, answering(server) as by:
        assert rewrite_query(asks("When?"), "school", by) == "When?"
        assert server.asked == []
    with answering() as by:
        assert rewrite_query(ASKED, "school", by) == "by rule"


def test_a_summary_is_made_of_the_one_before_and_what_came_since() -> None:
    with language_server(says({"summary": "Ada wants\nthe form."})) as server, answering(server) as by:
        assert summarize("Before.", ["Student: The form?"], "school", by) == "Ada wants the form."
        assert "Before." in server.asked[0].material


@pytest.mark.parametrize("reply", [Reply(status=503), says({"summary": ""}), says({"summary": "x" * (MAX_SUMMARY + 1)})])
def test_without_a_usable_summary_the_one_before_stays(reply: Reply) -> None:
    with language_server(reply) as server, answering(server, seconds=1.0) as by:
        assert summarize("Before.", ["Student: The form?"], "school", by) == "Before."
    with answering() as by:
        assert summarize("Before.", ["Student: The form?"], "school", by) == "Before."
