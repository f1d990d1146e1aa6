"""Questions to a textbook, one after the other."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Scope
from chapterverse.library.services import CollectionServices
from chapterverse.questions.conversation import Exchange, standalone_question
from chapterverse.questions.model import Levels
from chapterverse.questions.service import Searched, ask
from chapterverse.questions.styles import TEXTBOOK_CHAT
from tests.support.answers import answering
from tests.support.textbooks import SCHOOL, textbook

NEAR = replace(TEXTBOOK_CHAT, cosines=Levels(sure=0.1, answers=0.1, near=0.05))


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CollectionServices]:
    with textbook(tmp_path_factory.mktemp("home")) as services:
        yield services


@pytest.fixture(scope="module")
def first(robots: CollectionServices) -> Exchange:
    with answering() as by:
        answer = ask("What is a node process?", [Searched(Scope(SCHOOL), robots)], by, NEAR).answer
    return Exchange(question="What is a node process?", answer=answer.text, cited=SentenceId(answer.citations[0].sentence_id))


def test_a_follow_up_is_about_the_section_that_the_last_answer_cites_and_sentences_are_compared_with_it_below_no_title(
    robots: CollectionServices, first: Exchange
) -> None:
    follow_up = standalone_question("And why?", [first], SCHOOL, robots)
    alone = standalone_question("How many metres does a lidar see at night?", [first], SCHOOL, robots)

    assert (follow_up.query, follow_up.read_as) == ("Robots, What a node is. And why?", "What a node is. And why?")
    assert alone.read_as == alone.query


def test_an_answer_that_said_nothing_leaves_the_topic_as_it_was_and_a_sentence_that_is_gone_says_none(
    robots: CollectionServices, first: Exchange
) -> None:
    nothing = Exchange(question="Sourdough?", answer="Nothing found.")
    gone = Exchange(question="What?", cited=SentenceId("gone-0-1"))

    assert standalone_question("And why?", [first, nothing], SCHOOL, robots).query.startswith("Robots, What a node is.")
    assert standalone_question("And why?", [gone], SCHOOL, robots).query == "And why?"
