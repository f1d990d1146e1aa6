from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.writing.writing import Writing
from chapterverse.evaluation import api as evaluation
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.web.app import create_app
from tests.support.language_servers import LanguageServer, Reply, language_server
from tests.support.rewriter import rewrites
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, web_parts

VARIANTS, EVALUATION = "/api/v1/books/habits/variants", "/api/v1/books/habits/evaluation"
SENTENCES = [f"Custom number{n} grows{n} wherever nobody chooses anything and everybody merely follows." for n in range(4)]


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        running.reply = rewrites
        yield running


@pytest.fixture
def teacher(tmp_path: Path, server: LanguageServer) -> Iterator[Caller]:
    """Of a school with a book of four sentences, and a language model."""
    with web_parts(tmp_path) as parts, closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as ledger:
        writing = replace(parts, essays=replace(parts.essays, writing=Writing(paid=PaidModel(server.openai(), ledger))))
        shelve(parts.services, "Habits", SENTENCES)
        yield Site(writing, create_app(writing)).caller(KeyScope.TEACHER)


def test_variants_are_made_of_sentences_drawn_from_the_book(teacher: Caller, server: LanguageServer) -> None:
    answer = teacher("POST", VARIANTS, {"n": 3, "seed": 1})

    assert answer.get_json() == {"book": "habits", "drawn": 3, "made": 3, "dropped": 0, "left": 0}
    assert len(server.asked) == 3


def test_what_does_not_fit_into_a_request_is_left_for_the_next(
    teacher: Caller, server: LanguageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "SECONDS", 0.0)

    left = [teacher("POST", VARIANTS, {"n": 2}).get_json()["left"] for _ in range(2)]

    assert left == [1, 0]
    assert len(server.asked) == 2


def test_the_search_is_evaluated_by_the_variants_made(teacher: Caller) -> None:
    teacher("POST", VARIANTS, {"n": 4})

    told = teacher("GET", EVALUATION, query_string={"n": 4}).get_json()

    assert told["level1"]["recall_at_1"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 4}
    assert told["level3"]["mrr"]["value"] < 1
    assert (told["made"], told["left"]) == (4, 0)


def test_without_variants_there_is_nothing_to_evaluate_by(teacher: Caller) -> None:
    answer = teacher("GET", EVALUATION)

    assert answer.status_code == 404
    assert "POST" in answer.get_json()["detail"]


def test_a_model_that_is_away_is_said_so_and_what_was_made_stays(teacher: Caller, server: LanguageServer) -> None:
    server.reply = lambda asked: rewrites(asked) if len(server.asked) <= 1 else Reply(status=503)

    answer = teacher("POST", VARIANTS, {"n": 2})
    server.reply = rewrites

    assert (answer.status_code, answer.get_json()["code"]) == (503, "language_model_unavailable")
    assert teacher("GET", EVALUATION, query_string={"n": 2}).get_json()["made"] == 1


def test_without_a_language_model_it_is_said_what_to_set(library: Site) -> None:
    answer = library.caller(KeyScope.TEACHER)("POST", "/api/v1/books/on-liberty/variants", {})

    assert answer.get_json()["code"] == "model_unavailable"
    assert "CHAPTERVERSE_LLM" in answer.get_json()["detail"]


def test_students_make_no_variants(student: Caller) -> None:
    assert student("POST", "/api/v1/books/on-liberty/variants", {}).status_code == 403
