"""S2: a document is handed in, watched, asked, removed."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.infrastructure.logs import JsonLines
from chapterverse.infrastructure.sql import utc_now
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.questions import styles
from chapterverse.questions.log import note_answer
from chapterverse.questions.service import AnswerResult, ask
from chapterverse.questions.store import SqlAnswers
from chapterverse.questions.styles import INTENTS, AnswerSettings
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL
from tests.support.pdfs import a_pdf
from tests.support.shelved import document_library, words_in
from tests.support.web import Caller, Site, shelve_pdf


def asked(question: str, services: CollectionServices) -> AnswerResult:
    return ask(question, Scope(SCHOOL), services, AnswerSettings(services.embedder))


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    with document_library(tmp_path) as services:
        yield services


def test_a_question_in_another_language_is_told_so_beside_the_nearest_place(documents: CollectionServices) -> None:
    answer = asked("Wohin kommen die Telefone morgens?", documents).answer

    assert (answer.confidence.band, answer.nothing, answer.claims) == ("near", True, ())
    assert answer.passages
    assert "not in the language of the sources" in str(answer.notes[0])


def test_figures_are_logged_no_word(documents: CollectionServices, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.INFO)

    answers, result = SqlAnswers(f"sqlite:///{tmp_path}/answers.db"), asked("Who painted zebra ceilings?", documents)
    note_answer(SCHOOL, styles.DOCUMENT_QA, *result, answers=answers, now=utc_now(), began=0.0)
    answers.close()

    [record] = [each for each in caplog.records if hasattr(each, "scores")]
    line = json.loads(JsonLines("").format(record))
    assert (line["severity"], line["application"], line["nothing"]) == ("WARNING", "documents", True)
    assert line["mean"] < 0.4
    assert line["intent"] in INTENTS
    assert len(line["scores"]) == 2
    assert "zebra" not in caplog.text + json.dumps(line)


def test_the_answer_says_how_sure_it_is(documents: CollectionServices, tmp_path: Path) -> None:
    worded = replace(documents, words=words_in(tmp_path))
    add_book(b"Cake is for birthdays.", "cake.pdf", SCHOOL, worded, LIMITS)

    answer, findings = asked("cake birthdays", worded)

    assert answer.model_dump()["confidence"]["answerable"] == {"score": pytest.approx(findings.best), "standing": "sure"}


def test_for_thanks_nothing_is_looked_up(documents: CollectionServices) -> None:
    answer, findings = asked("Thanks for your help!", documents)

    assert (answer.confidence.band, answer.nothing, findings.scores) == ("courtesy", False, ())


RULES = b"Phones stay silent inside bags.|Whoever runs is asked to walk."
AT = "/api/v1/collections/documents/sources"
ASK = "/api/v1/documents/ask"


@pytest.fixture
def teacher(empty_site: Site) -> Caller:
    return empty_site.caller(KeyScope.TEACHER)


def hand_in(site: Site, **documents: bytes) -> None:
    """Rules, and others by their names, indexed."""
    for name, text in ({"rules": RULES} | documents).items():
        assert site.caller(KeyScope.TEACHER).send(AT, text, f"{name}.pdf").status_code == 202
    site.do_tasks()


def test_a_textbook_is_asked_with_the_documents(empty_site: Site) -> None:
    told = "Whoever arrives late waits outside the gate."
    empty_site.caller(KeyScope.TEACHER).send(AT.replace("documents", "textbook"), told.encode(), "house.pdf")
    hand_in(empty_site)

    answer = empty_site.caller()("POST", ASK, {"question": told}).get_json()

    assert answer["claims"][0]["citations"][0]["sentence"]["text"] == told
    only = empty_site.caller()("POST", ASK, {"question": told, "sources": ["rules"]}).get_json()
    assert all(source["book"] == "rules" for source in only["sources"])
    assert empty_site.caller()("POST", ASK, {"question": told, "sources": ["none"]}).status_code == 404


def test_an_answer_leads_to_its_page_with_the_sentence_lit(empty_site: Site) -> None:
    shelve_pdf(empty_site.parts.collections[Collection.DOCUMENTS], a_pdf())
    student = empty_site.caller()

    answer = student("POST", ASK, {"question": "The object of this essay is to assert one very simple principle?"}).get_json()

    [source, *_], [claim, *_] = answer["sources"], answer["claims"]
    [cited] = claim["citations"]
    picture, plain = student("GET", cited["url"]), student("GET", cited["url"].replace("sentence=", "_="))
    assert (picture.content_type, cited["pages"][0]["image"]) == ("image/png", cited["url"])
    assert picture.data != plain.data
    assert student("GET", source["url"]).content_type == "image/png"
    around = student("GET", f"/api/v1/evidence/{cited['sentence_id']}").get_json()
    assert (around["sentence"]["text"], around["url"]) == (cited["sentence"]["text"], cited["url"])


def test_only_documents_named_or_about_a_topic_are_asked(empty_site: Site, teacher: Caller) -> None:
    hand_in(empty_site, menu=b"Soup costs nothing on Monday.")

    answer = teacher("POST", ASK, {"question": "Where do phones stay?", "sources": ["menu"]}).get_json()
    assert (answer["nothing"], answer["confidence"]["band"]) == (True, "low")
    assert teacher("POST", ASK, {"question": "Why?", "sources": ["none"]}).status_code == 404

    told = teacher("PATCH", f"{AT}/menu", {"topics": ["Food", "Prices"]}).get_json()
    answer = teacher("POST", ASK, {"question": "What costs soup?", "topics": ["food"]}).get_json()
    none = teacher("POST", ASK, {"question": "Why?", "topics": ["law"]})

    assert told["topics"] == ["Food", "Prices"]
    assert {source["book"] for source in answer["sources"]} <= {"menu"}
    [score] = answer["scores"]
    assert score["inverse_distance"] == pytest.approx(1 / (3 - 2 * score["cosine"]))
    assert (none.status_code, "Food" in none.get_json()["detail"]) == (404, True)
    assert teacher("PATCH", f"{AT}/menu", {"topics": None}).get_json()["topics"] == ["The Beginning"]


def test_a_follow_up_is_understood_after_the_question_before(empty_site: Site, teacher: Caller) -> None:
    hand_in(empty_site, menu=b"Soup costs nothing on Monday.")
    question = "Phones stay silent inside bags?"
    answer = teacher("POST", ASK, {"question": question}).get_json()
    cited = answer["claims"][0]["citations"][0]["sentence_id"]

    def best(**more: Any) -> float:
        return teacher("POST", ASK, {"question": "And why?"} | more).get_json()["confidence"]["best"]

    assert best(earlier=[{"question": question, "answer": answer["text"], "cited": cited}]) != best()


def test_a_thumb_counts(empty_site: Site, teacher: Caller) -> None:
    hand_in(empty_site)
    student = empty_site.caller()
    question = "Phones stay silent inside bags?"
    first, second = (student("POST", ASK, {"question": question}).get_json()["id"] for _ in range(2))

    given = student("POST", f"/api/v1/answers/{first}/thumbs", {"thumb": "up"})
    student("POST", f"/api/v1/answers/{second}/thumbs", {"thumb": "down"})

    assert given.status_code == 204
    metrics = teacher("GET", "/api/v1/answers/metrics?application=documents").get_json()
    assert sum(one["answers"] for one in metrics["intents"]) == 2
    assert (metrics["total"]["answers"], metrics["total"]["up"], metrics["total"]["down"]) == (2, 1, 1)
    assert [day["answers"] for day in metrics["days"]] == [2]


def test_a_form_without_a_file_and_a_question_too_long_are_refused(teacher: Caller) -> None:
    no_file = teacher("POST", AT, data={"name": "rules"}, content_type="multipart/form-data")
    assert (no_file.status_code, '"file"' in no_file.get_json()["detail"]) == (400, True)
    long = teacher("POST", ASK, {"question": "why " * 100})
    assert (long.status_code, long.get_json()["code"]) == (413, "too_large")
