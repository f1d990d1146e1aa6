"""Questions to a textbook of Markdown pages."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answers import Answer
from chapterverse.questions.model import Answerability, ConfidenceLevel, Signals
from chapterverse.questions.service import ChatPlan, ChatQuestion, chat, find_sections, selected_first
from chapterverse.search.chunks import find_chunks
from tests.support.answers import answering, claims
from tests.support.language_servers import LanguageServer, language_server, says
from tests.support.textbooks import SCHOOL, textbook

SCOPE = Scope(SCHOOL)
NEAR = ChatPlan(min_score=0.3, style=ChatPlan().style.with_min_scores({"high": 0.1}))
WHAT = ChatQuestion("What is a node process?")


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CollectionServices]:
    with textbook(tmp_path_factory.mktemp("home")) as services:
        yield services


def ask(
    asked: ChatQuestion, services: CollectionServices, plan: ChatPlan = NEAR, server: LanguageServer | None = None
) -> Answer:
    with answering(server) as how:
        return chat(asked, SCOPE, services, plan, how).answer


def test_an_answer_cites_the_section_with_its_link(robots: CollectionServices) -> None:
    answer = ask(WHAT, robots)

    [first, *_] = answer.claims
    cited = first.citations[0]
    assert first.text == "A node is a process."
    assert (cited.source.title, cited.source.section) == ("Robots", "Module 1: Middleware > Nodes > What a node is")
    assert cited.passage.sentence.address.url == "/docs/middleware/nodes#what-a-node-is"


def test_a_model_is_told_where_each_section_stands_and_how_near_it_is(robots: CollectionServices) -> None:
    with language_server(says(claims(("A node is a process.", [1])))) as server:
        answer = ask(WHAT, robots, server=server)

    told = server.asked[0].material
    assert "[1] Section: Module 1: Middleware > Nodes > What a node is | Relevance: 0." in told
    assert answer.claims[0].citations[0].source.number == 1


def test_where_nothing_is_near_enough_there_is_no_answer_but_titles_that_exist(robots: CollectionServices) -> None:
    with language_server() as server:
        answer = ask(ChatQuestion("How far does a lidar see?"), robots, replace(NEAR, min_score=0.99), server)

    assert not server.asked
    assert (answer.nothing, answer.claims) == (True, ())
    assert answer.text == "I couldn't find relevant content. Related topics: How far they see; What a node is; Starting one."


def test_confidence_counts_what_is_not_near_enough_too(robots: CollectionServices) -> None:
    findings = find_sections(WHAT, SCOPE, robots, NEAR)

    assert len(findings.sources) < len(findings.scores) == 3
    assert list(findings.scores) == sorted(findings.scores, reverse=True)
    assert findings.mean == pytest.approx(sum(findings.scores) / 3)


def test_an_answer_that_is_not_sure_says_so(robots: CollectionServices) -> None:
    unsure = replace(NEAR, style=ChatPlan().style)

    answer = ask(WHAT, robots, unsure)

    assert answer.claims
    assert answer.disclaimer
    assert answer.text.endswith(answer.disclaimer)


def test_selected_text_moves_its_section_up_and_changes_no_figure(robots: CollectionServices) -> None:
    asked = "Is a node a process, and do nodes talk or starts a file them?"
    plain = find_sections(ChatQuestion(asked), SCOPE, robots, replace(NEAR, min_score=-1))
    selected = find_sections(
        ChatQuestion(asked, "**launch** file\n starts"), SCOPE, robots, replace(NEAR, min_score=-1, boost=10)
    )

    assert plain.sources[0].headings[-1] == "What a node is"
    assert selected.sources[0].headings[-1] == "Starting one"
    assert selected.scores == plain.scores
    assert {one.headings: one.score for one in selected.sources} == {one.headings: one.score for one in plain.sources}


def test_a_section_passes_only_those_that_score_less_than_twice_its_score(robots: CollectionServices) -> None:
    found = find_chunks("camera metres", SCOPE, robots, NEAR.plan)
    last = found[-1]

    def order(boost: float) -> list[float]:
        return [
            one.score for one in selected_first([replace(found[0], score=0.6), replace(last, score=0.35)], "launch file", boost)
        ]

    assert (order(2.0), order(1.5)) == ([0.35, 0.6], [0.6, 0.35])


def test_a_selection_that_is_nowhere_changes_nothing(robots: CollectionServices) -> None:
    found = find_chunks("camera metres", SCOPE, robots, NEAR.plan)

    assert selected_first(found, "words of another book", 2.0) == found


def test_a_question_that_only_points_is_understood_by_what_is_selected() -> None:
    assert ChatQuestion("Can you explain this?", "A node").query == "Can you explain this? A node"
    assert ChatQuestion("How far does this camera see at night?", "A node").query == "How far does this camera see at night?"
    assert ChatQuestion("Explain this", "").query == "Explain this"


def test_a_school_without_a_textbook_is_told_so(robots: CollectionServices) -> None:
    with answering() as how, pytest.raises(NotFound):
        chat(WHAT, Scope("other"), robots, NEAR, how)


def test_a_page_without_a_heading_is_found_below_its_title(tmp_path: Path) -> None:
    with textbook(tmp_path, {"one.md": "Only text without any heading about robots."}) as services:
        answer = ask(ChatQuestion("text about robots"), services)

    assert answer.claims[0].citations[0].source.headings == ("One",)


MARKED = "A camera sees ten metres."


@pytest.mark.parametrize("question", ["Why?", "Explain this in simpler words", "How long does a battery of nodes last?"])
def test_the_marked_section_is_a_source_whatever_its_score(question: str, robots: CollectionServices) -> None:
    answer = ask(ChatQuestion(question, MARKED), robots, replace(NEAR, min_score=0.99))

    assert [source.headings[-1] for source in answer.sources] == ["How far they see"]
    assert not answer.nothing


def test_a_question_that_only_points_is_answered_by_what_stands_around_the_marked_text(robots: CollectionServices) -> None:
    answer = ask(ChatQuestion("Can you explain this in simpler words?", MARKED), robots)

    assert answer.claims[0].text == "A lidar sees a hundred metres."
    assert [note.id for note in answer.notes] == ["note_around_selection"]


def test_a_greeting_is_returned_without_sections(robots: CollectionServices) -> None:
    answer = ask(ChatQuestion("Good evening!"), robots)

    assert (answer.text[:6], answer.nothing, answer.sources) == ("Hello!", False, ())


def test_what_is_shown_around_the_marked_text_has_no_reservation(robots: CollectionServices) -> None:
    doubtful = Answerability(0.1, Signals(0, 0, 0, 0, 0, 0, 0, 0, 0), ConfidenceLevel.REFUSED)
    with patch("chapterverse.questions.judging.Judge.__call__", return_value=doubtful):
        about_it, apart = (
            ask(ChatQuestion(question, MARKED), robots) for question in ("Explain this", "What is a node process?")
        )

    assert not about_it.disclaimer
    assert apart.disclaimer
