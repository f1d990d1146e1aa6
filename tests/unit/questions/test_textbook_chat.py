"""Questions to a textbook of Markdown pages."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answers import Answer
from chapterverse.questions.model import Levels
from chapterverse.questions.service import ChatPlan, ChatQuestion, chat, find_sections, selected_first
from chapterverse.questions.styles import TEXTBOOK_CHAT
from chapterverse.search.chunks import find_chunks
from tests.support.answers import KEEPS, answering, claims
from tests.support.language_servers import LanguageServer, language_server, says
from tests.support.textbooks import SCHOOL, textbook

SCOPE = Scope(SCHOOL)
NEAR = ChatPlan(style=replace(TEXTBOOK_CHAT, cosines=Levels(sure=0.1, answers=0.1, near=0.05)))
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
    with language_server(says(claims(("A node is a process.", 1, "A node is a process"))), says(KEEPS)) as server:
        answer = ask(WHAT, robots, server=server)

    told = server.asked[0].material
    assert "[1] Section: Module 1: Middleware > Nodes > What a node is | Relevance: 0." in told
    assert answer.claims[0].citations[0].source.number == 1


def test_where_nothing_is_near_enough_there_is_no_answer_but_titles_that_exist(robots: CollectionServices) -> None:
    with language_server() as server:
        answer = ask(ChatQuestion("Sourdough?"), robots, server=server)

    assert not server.asked
    assert (answer.nothing, answer.claims) == (True, ())
    assert answer.text == "I couldn't find relevant content. Related topics: How far they see; What a node is; Starting one."


def test_confidence_counts_what_is_not_near_enough_too(robots: CollectionServices) -> None:
    findings = find_sections(WHAT, SCOPE, robots, NEAR)

    assert len(findings.scores) == 3
    assert list(findings.scores) == sorted(findings.scores, reverse=True)
    assert findings.mean == pytest.approx(sum(findings.scores) / 3)


def test_selected_text_moves_its_section_up(robots: CollectionServices) -> None:
    asked = "Is a node a process, and do nodes talk or starts a file them?"
    plain = find_sections(ChatQuestion(asked), SCOPE, robots, NEAR)
    selected = find_sections(ChatQuestion(asked, "**launch** file\n starts"), SCOPE, robots, replace(NEAR, boost=10))

    assert plain.sources[0].headings[-1] == "What a node is"
    assert selected.sources[0].headings[-1] == "Starting one"


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


def test_a_school_without_a_textbook_is_told_so(robots: CollectionServices) -> None:
    with answering() as how, pytest.raises(NotFound):
        chat(WHAT, Scope("other"), robots, NEAR, how)


def test_a_page_without_a_heading_is_found_below_its_title(tmp_path: Path) -> None:
    with textbook(tmp_path, {"one.md": "Only text without any heading about robots."}) as services:
        answer = ask(ChatQuestion("text about robots"), services)

    assert answer.claims[0].citations[0].source.headings == ("One",)


MARKED = "A camera sees ten metres."


def test_a_greeting_is_returned_without_sections(robots: CollectionServices) -> None:
    answer = ask(ChatQuestion("Good evening!"), robots)

    assert (answer.text[:6], answer.nothing, answer.sources) == ("Hello!", False, ())


@pytest.mark.parametrize("question", ["Why?", "Explain this in simpler words", "How long does a battery of nodes last?"])
def test_what_stands_around_the_marked_text_is_at_least_a_possible_answer(question: str, robots: CollectionServices) -> None:
    answer = ask(ChatQuestion(question, MARKED), robots)

    assert {shown.source.headings[-1] for shown in answer.passages} == {"How far they see"}
    assert not answer.nothing
    assert MARKED not in [claim.text for claim in answer.claims]


def test_marked_text_is_searched_with_the_question() -> None:
    assert ChatQuestion("Can you explain this?", "A node").query == "Can you explain this? A node"
    assert ChatQuestion("Explain this", "").query == "Explain this"
