"""Questions to a textbook of Markdown pages, one after the other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.worker import read_source
from chapterverse.core.book import Collection, SentenceId
from chapterverse.core.hits import Scope
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.questions.conversation import Exchange, standalone_question
from chapterverse.questions.model import Levels
from chapterverse.questions.records import SearchedAnswerRecord
from chapterverse.questions.service import AnswerResult, ask
from chapterverse.questions.styles import TEXTBOOK_CHAT
from tests.support.answers import KEEPS, answering, claims
from tests.support.books import LIMITS
from tests.support.language_servers import LanguageServer, language_server, says
from tests.support.sites import folder
from tests.support.textbooks import PAGES, SCHOOL, textbook
from tests.support.web import Site

NEAR = replace(TEXTBOOK_CHAT, cosines=Levels(sure=0.1, answers=0.1, near=0.05))
WHAT = "What is a node process?"


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CollectionServices]:
    with textbook(tmp_path_factory.mktemp("home")) as services:
        yield services


def asked(question: str, services: CollectionServices, server: LanguageServer | None = None, **more: str) -> AnswerResult:
    with answering(server) as how:
        return ask(question, Scope(SCHOOL), services, how, NEAR, **more)


def test_a_model_is_told_where_each_section_stands_and_how_near_it_is(robots: CollectionServices) -> None:
    with language_server(says(claims(("A node is a process.", 1, "A node is a process"))), says(KEEPS)) as server:
        answer = asked(WHAT, robots, server).answer

    findings = asked(WHAT, robots).findings
    assert len(findings.scores) == 3  # confidence counts what is not near enough, too
    assert list(findings.scores) == sorted(findings.scores, reverse=True)
    assert findings.mean == pytest.approx(sum(findings.scores) / 3)
    assert "[1] Section: Module 1: Middleware > Nodes > What a node is | Relevance: 0." in server.asked[0].material
    assert answer.claims[0].citations[0].number == 1


def test_where_nothing_is_near_enough_there_is_no_answer_but_titles_that_exist(robots: CollectionServices) -> None:
    with language_server() as server:
        answer = SearchedAnswerRecord.made_from(*asked("Sourdough?", robots, server))

    assert not server.asked
    assert (answer.nothing, answer.claims) == (True, ())
    assert [each.title for each in answer.related] == ["What a node is", "How far they see", "Starting one"]
    assert answer.text == "I couldn't find relevant content. Related topics: What a node is; How far they see; Starting one."


def test_selected_text_moves_its_section_up(robots: CollectionServices) -> None:
    question = "Is a node a process, and do nodes talk or starts a file them?"

    plain = asked(question, robots).findings
    selected = asked(question, robots, selected="**launch** file\n starts").findings
    elsewhere = asked(question, robots, selected="words of another book").findings

    assert plain.sources[0].headings[-1] == elsewhere.sources[0].headings[-1] == "What a node is"
    assert selected.sources[0].headings[-1] == "Starting one"


def test_a_page_without_a_heading_is_found_below_its_title(tmp_path: Path) -> None:
    with textbook(tmp_path, {"one.md": "Only text without any heading about robots."}) as services:
        answer = asked("text about robots", services).answer

    assert answer.sources[0].headings == ["One"]


MARKED = "A camera sees ten metres."


@pytest.mark.parametrize("question", ["Why?", "Explain this in simpler words", "How long does a battery of nodes last?"])
def test_what_stands_around_the_marked_text_is_at_least_a_possible_answer(question: str, robots: CollectionServices) -> None:
    answer = asked(question, robots, selected=MARKED).answer

    assert {source.headings[-1] for source in answer.sources} == {"How far they see"}
    assert not answer.nothing
    assert MARKED not in [claim.text for claim in answer.claims]


@pytest.fixture(scope="module")
def first(robots: CollectionServices) -> Exchange:
    answer = asked(WHAT, robots).answer
    return Exchange(question=WHAT, answer=answer.text, cited=SentenceId(answer.citations[0].sentence_id))


def query(question: str, earlier: list[Exchange], services: CollectionServices) -> str:
    return standalone_question(question, earlier, SCHOOL, services).query


def test_a_follow_up_is_about_what_the_last_answer_cites_below_its_section(robots: CollectionServices, first: Exchange) -> None:
    follow_up = standalone_question("And why?", [first], SCHOOL, robots)
    alone = standalone_question("How many metres does a lidar see at night?", [first], SCHOOL, robots)

    assert (follow_up.query, follow_up.about) == ("Robots, What a node is. And why?", "What a node is")
    assert not alone.about


def test_an_answer_of_nothing_leaves_the_topic_as_it_was_and_a_sentence_that_is_gone_has_none(
    robots: CollectionServices, first: Exchange
) -> None:
    nothing = Exchange(question="Sourdough?", answer="Nothing found.")
    assert query("And why?", [first, nothing], robots).startswith("Robots, What a node is.")
    assert query("And why?", [Exchange(question="What?", cited=SentenceId("gone-0-1"))], robots) == "And why?"


AT = "/api/v1/textbook/chat"
ASKED = {"question": WHAT}


@pytest.fixture
def school(empty_site: Site) -> Site:
    """A school with a textbook, where words that are equal are near enough."""
    shelf = replace(empty_site.parts.collections[Collection.TEXTBOOK], parser=read_source)
    add_book(folder(PAGES), "robots.zip", SCHOOL, shelf, LIMITS, title="Robots")
    return empty_site.but(textbook_style=NEAR)


def test_an_answer_names_each_section_with_its_link(school: Site) -> None:
    answer = school.caller()("POST", AT, ASKED).get_json()

    assert answer["text"].startswith("A node is a process. Nodes talk by topics. [1]")
    cited = answer["claims"][0]["citations"][0]
    assert (cited["book"], cited["pages"], cited["sentence"]["section_path"]) == ("robots", [], ["What a node is"])
    assert cited["url"] == cited["sentence"]["url"] == "/docs/middleware/nodes#what-a-node-is"
    assert answer["confidence"]["mean"] < answer["confidence"]["best"] == answer["sources"][0]["score"]


def test_what_cannot_be_asked_is_said_and_another_school_has_no_textbook(school: Site) -> None:
    for body, status in (
        ({"question": ""}, 400),
        ({"question": "…"}, 400),
        ({"question": "word " * 1000}, 413),
        (ASKED | {"sources": ["none"]}, 404),
        (ASKED | {"select": "x"}, 400),
    ):
        assert school.caller()("POST", AT, body).status_code == status
    assert school.caller(school="other")("POST", AT, ASKED).status_code == 404
