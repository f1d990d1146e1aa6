"""What every SqlAnswers must do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.essays.model import Rating
from chapterverse.questions.model import GivenAnswer
from chapterverse.questions.store import SqlAnswers
from tests.contract.conftest import NOON, opens

FIRST = GivenAnswer(
    "a1",
    "school",
    "documents",
    NOON,
    (0.8, 0.5),
    "high",
    0.7,
    nothing=False,
    cited=(SentenceId("s1"),),
    intent="fact",
    seconds=0.5,
)
LATER = replace(
    FIRST, id="a2", application="helpdesk", created=NOON + timedelta(hours=1), scores=(), relevance=None, nothing=True
)
log = opens(SqlAnswers)


def test_answers_are_told_oldest_first_by_application_time_and_school(log: SqlAnswers) -> None:
    for answer in (LATER, FIRST, replace(FIRST, id="a3", school="other")):
        log.add(answer)

    assert log.of_school("school", NOON) == [FIRST, LATER]
    assert log.of_school("school", NOON, "helpdesk") == [LATER]
    assert log.of_school("school", NOON + timedelta(minutes=1)) == [LATER]
    assert [answer.id for answer in log.of_school("other", NOON)] == ["a3"]


def test_an_answer_of_the_school_is_rated(log: SqlAnswers) -> None:
    log.add(FIRST)

    log.rate("school", "a1", Rating.UP)

    assert log.of_school("school", NOON) == [replace(FIRST, rating=Rating.UP)]
    for school, id in (("other", "a1"), ("school", "a9"), ("school", "a\0")):
        with pytest.raises(NotFound):
            log.rate(school, id, Rating.UP)
