"""Evaluations in the background: what a teacher's button does."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import LanguageModelUnavailable
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.evaluation.cases import read_variants, words_left_out
from chapterverse.evaluation.retrieval import evaluate, open_library
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.web.app import create_app
from tests.support.language_servers import LanguageServer, Reply, language_server
from tests.support.measuring import measure_all
from tests.support.rewriter import rewrites
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, web_parts

BEGIN, ALL = "/api/v1/books/habits/evaluations", "/api/v1/evaluations"
SENTENCES = [f"Custom number{n} grows{n} wherever nobody chooses anything and everybody merely follows." for n in range(6)]


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        running.reply = rewrites
        yield running


@pytest.fixture
def habits(tmp_path: Path) -> Iterator[Site]:
    """A school with a book of six sentences, and no language model."""
    with web_parts(tmp_path) as parts:
        shelve(parts.services, "Habits", SENTENCES)
        yield Site(parts, create_app(parts))


@pytest.fixture
def teacher(habits: Site) -> Caller:
    return habits.caller(KeyScope.TEACHER)


@pytest.fixture
def with_model(habits: Site, server: LanguageServer, tmp_path: Path) -> Iterator[Site]:
    with closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as ledger:
        paid = PaidModel(server.openai(), ledger)
        parts = replace(habits.parts, measuring=replace(habits.parts.measuring, paid=paid))
        yield Site(parts, create_app(parts))


def test_without_a_language_model_words_are_left_out_and_that_is_said(habits: Site, teacher: Caller) -> None:
    begun = teacher("POST", BEGIN, {"n": 4})
    measure_all(habits.parts.measuring)

    told = teacher("GET", ALL).get_json()

    [run] = told["runs"]
    assert (begun.status_code, begun.get_json()["state"]) == (202, "waiting")
    assert (told["writes"], run["made_by"], run["title"], run["state"]) == (None, "rules", "Habits", "done")
    assert (run["drawn"], run["dropped"], run["sentences"]) == (4, 0, 6)
    assert run["levels"]["level1"]["recall_at_1"]["value"] >= run["levels"]["level3"]["recall_at_1"]["value"]
    assert run["levels"]["level3"]["recall_at_3"]["n"] == 4


def test_a_run_has_the_figures_of_the_command_on_its_cases(with_model: Site) -> None:
    teacher, measuring = with_model.caller(KeyScope.TEACHER), with_model.parts.measuring
    teacher("POST", BEGIN, {"n": 5})
    measure_all(measuring)
    [run] = teacher("GET", ALL).get_json()["runs"]

    cases = teacher("GET", f"{ALL}/{run['id']}/cases").get_data()

    library = open_library(Scope("school"), with_model.services, measuring.plan)
    by_command = evaluate(read_variants(cases), [], {}, library).variants
    assert by_command
    for level, figures in by_command.items():
        for measure, figure in run["levels"][level].items():
            assert figure == {name: getattr(getattr(figures, measure), name) for name in ("value", "low", "high", "n")}


def test_some_misses_are_told_with_what_was_found_instead(with_model: Site) -> None:
    teacher = with_model.caller(KeyScope.TEACHER)
    teacher("POST", BEGIN, {"n": 6})
    measure_all(with_model.parts.measuring)
    [run] = teacher("GET", ALL).get_json()["runs"]

    told = teacher("GET", f"{ALL}/{run['id']}").get_json()

    miss = told["misses"]["level3"][0]
    assert told["misses"]["level1"] == []
    assert miss["rank"] != 1
    assert miss["sought"]["sentence"]["text"] in SENTENCES
    assert miss["found"]["sentence"]["sentence_id"] != miss["sought"]["sentence"]["sentence_id"]


def test_a_model_that_is_away_leaves_what_was_made_and_says_so(with_model: Site, server: LanguageServer) -> None:
    teacher = with_model.caller(KeyScope.TEACHER)
    server.reply = lambda asked: rewrites(asked) if len(server.asked) <= 2 else Reply(status=503)
    teacher("POST", BEGIN, {"n": 4})

    with pytest.raises(LanguageModelUnavailable):
        measure_all(with_model.parts.measuring)
    [waiting] = teacher("GET", ALL).get_json()["runs"]
    server.reply = rewrites
    measure_all(with_model.parts.measuring)

    assert (waiting["state"], waiting["message"] is not None) == ("waiting", True)
    assert teacher("GET", ALL).get_json()["runs"][0]["state"] == "done"
    assert len({asked.material for asked in server.asked}) == 4


def test_runs_are_kept_to_compare_and_forgotten_one_by_one(habits: Site, teacher: Caller) -> None:
    for seed in (0, 1):
        teacher("POST", BEGIN, {"n": 3, "seed": seed})
        measure_all(habits.parts.measuring)
    first, second = (run["id"] for run in teacher("GET", ALL).get_json()["runs"])

    assert teacher("DELETE", f"{ALL}/{first}").status_code == 204
    assert [run["id"] for run in teacher("GET", ALL).get_json()["runs"]] == [second]
    assert teacher("GET", f"{ALL}/{first}").status_code == 404


def test_what_is_not_done_has_no_cases_and_what_is_not_there_is_not_begun(teacher: Caller, habits: Site) -> None:
    begun = teacher("POST", BEGIN, {}).get_json()["id"]

    assert teacher("GET", f"{ALL}/{begun}/cases").status_code == 404
    assert teacher("POST", "/api/v1/books/unknown/evaluations", {}).status_code == 404
    assert habits.caller()("POST", BEGIN, {}).status_code == 403
    assert habits.caller(KeyScope.TEACHER, "another")("GET", f"{ALL}/{begun}").status_code == 404


def test_less_of_a_sentence_is_kept_at_each_level_and_the_same_each_time() -> None:
    made = words_left_out(SENTENCES[0], 1)

    assert made == words_left_out(SENTENCES[0], 1)
    assert made is not None
    lengths = [len(text.split()) for text in made.values()]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]
    assert words_left_out("So it is.", 1) is None
