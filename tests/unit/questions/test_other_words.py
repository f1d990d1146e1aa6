from collections.abc import Iterator
from datetime import date

import pytest

from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.questions.conversation import Paraphraser
from tests.support.desk import REDACTOR
from tests.support.language_servers import LanguageServer, Reply, language_server, says

QUESTION = "When do I hand in? I am at ada@uni.example.org."


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        yield running


def words(server: LanguageServer, seconds: float = 60) -> Paraphraser:
    """seconds: the usual second and a half are too few on a machine with much to do."""
    ledger = SqlLedger("sqlite://")
    paid = PaidModel(server.openai(), ledger, Price(1, 1), 10**9, today=lambda: date(2026, 11, 20))
    return Paraphraser(paid, REDACTOR, "school", seconds)


def test_a_question_is_put_into_other_words_and_nobody_is_named_for_it(server: LanguageServer) -> None:
    server.will(says({"wordings": ["What is the  deadline?", "What is the deadline?", "Due date of submission"]}))

    assert words(server)(QUESTION) == ("What is the deadline?", "Due date of submission")
    assert "ada@uni" not in server.asked[0].material


@pytest.mark.parametrize(
    "reply",
    [Reply(status=500), Reply("no JSON"), says({"wordings": "one"}), says({"wordings": [1, "", "x" * 301]})],
    ids=["down", "no JSON", "no list", "of no use"],
)
def test_where_the_model_is_of_no_use_the_question_is_looked_for_as_it_is(server: LanguageServer, reply: Reply) -> None:
    server.will(reply)

    assert words(server)(QUESTION) == ()
