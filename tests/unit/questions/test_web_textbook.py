"""S4 over HTTP."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.worker import read_source
from chapterverse.core.book import Collection
from chapterverse.library.intake import add_book
from chapterverse.questions.model import Levels
from chapterverse.questions.styles import TEXTBOOK_CHAT
from chapterverse.web.app import create_app
from tests.support.books import LIMITS
from tests.support.sites import folder
from tests.support.textbooks import PAGES, SCHOOL
from tests.support.web import Site, web_parts

AT = "/api/v1/textbook/chat"
WHAT = {"question": "What is a node process?"}
NEAR = replace(TEXTBOOK_CHAT, cosines=Levels(sure=0.1, answers=0.1, near=0.05))


@pytest.fixture
def robots(tmp_path: Path) -> Iterator[Site]:
    """A school with a textbook, where words that are equal are near enough."""
    with web_parts(tmp_path) as usual:
        running = Site(parts := replace(usual, textbook_style=NEAR), create_app(parts))
        shelf = replace(running.parts.collections[Collection.TEXTBOOK], parser=read_source)
        add_book(folder(PAGES), "robots.zip", SCHOOL, shelf, LIMITS, title="Robots")
        yield running


def test_an_answer_names_each_section_with_its_link(robots: Site) -> None:
    answer = robots.caller()("POST", AT, WHAT).get_json()

    assert answer["text"].startswith("A node is a process. Nodes talk by topics. [1]")
    cited = answer["claims"][0]["citations"][0]
    assert (cited["book"], cited["pages"], cited["sentence"]["section_path"]) == ("robots", [], ["What a node is"])
    assert cited["url"] == cited["sentence"]["url"] == "/docs/middleware/nodes#what-a-node-is"
    assert answer["confidence"]["mean"] < answer["confidence"]["best"] == answer["sources"][0]["score"]


def test_what_cannot_be_asked_is_said_and_another_school_has_no_textbook(robots: Site) -> None:
    for body, status in (
        ({"question": ""}, 400),
        ({"question": "…"}, 400),
        ({"question": "word " * 1000}, 413),
        (WHAT | {"sources": ["none"]}, 404),
        (WHAT | {"select": "x"}, 400),
    ):
        assert robots.caller()("POST", AT, body).status_code == status
    assert robots.caller(school="other")("POST", AT, WHAT).status_code == 404
