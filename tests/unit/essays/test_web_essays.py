import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

import pymupdf
import pytest

from chapterverse.core.paid_model import PaidModel
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.messages import message
from chapterverse.web.app import create_app
from scripts.bench.simulated_model import answer, title_of
from tests.support.html import read_html
from tests.support.language_servers import MODEL, language_server, says
from tests.support.pdf_ua import broken
from tests.support.pdfs import a_pdf
from tests.support.shelved import shelve
from tests.support.web import ESSAY, Caller, Site, shelve_pdf, site, web_parts

EVIDENCE, FEEDBACK = "/api/v1/essays/evidence", "/api/v1/essays/feedback"
STREAM = {"Accept": "text/event-stream"}


def events(body: str) -> list[tuple[str, dict]]:
    """Names and data of the events in a stream."""
    parts = [part.split("\n") for part in body.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in parts]


def test_an_essay_gets_the_sentence_that_bears_on_it_with_its_address(student: Caller) -> None:
    answer = student("POST", EVIDENCE, {"essay": ESSAY})

    [evidence] = answer.get_json()["evidence"]
    assert (answer.status_code, evidence["citation"]) == (200, "(On Liberty, Chapter I, Page vii)")
    assert evidence["sentence"]["text"] == "Silencing an opinion robs mankind of truth."
    assert (evidence["previous"], evidence["next"]) == ("Some wish it were otherwise.", "So much is certain.")


def test_an_essay_on_which_the_books_are_silent_is_told_so(student: Caller) -> None:
    answer = student("POST", EVIDENCE, {"essay": "My phone battery empties quickly after lunch."}).get_json()

    assert answer["evidence"] == []
    assert [paragraph["message"] for paragraph in answer["paragraphs"]] == [
        "We found nothing in your books for this paragraph."
    ]


def test_only_the_books_named_are_looked_in(library: Site, student: Caller) -> None:
    shelve(library.services, "Habits", ["Silencing opinion robs mankind of truth, too."])

    answer = student("POST", EVIDENCE, {"essay": ESSAY, "books": ["habits"]}).get_json()

    assert {each["book_title"] for each in answer["evidence"]} == {"Habits"}


def test_a_comment_cites_evidence_of_the_book(student: Caller) -> None:
    feedback = student("POST", FEEDBACK, {"essay": ESSAY}).get_json()

    [cites] = feedback["comments"]
    [evidence] = feedback["evidence"]
    assert (cites["evidence"], evidence["number"]) == ([1], 1)
    assert evidence["sentence"]["text"] == "Silencing an opinion robs mankind of truth."
    assert (feedback["by"], feedback["summary"]) == ("", "")
    assert feedback["section"].startswith("Evidence Used:\n1. *Some wish")


def test_a_stream_brings_the_evidence_first_then_each_comment_then_the_whole(student: Caller) -> None:
    answer = student("POST", FEEDBACK, {"essay": ESSAY}, STREAM)

    whole = student("POST", FEEDBACK, {"essay": ESSAY}).get_json()
    first, *comments, last = events(answer.text)
    assert answer.mimetype == "text/event-stream"
    assert first == ("evidence", student("POST", EVIDENCE, {"essay": ESSAY}).get_json())
    assert comments == [("comment", one) for one in whole["comments"]]
    assert last == ("done", whole | {"id": ANY})


def test_feedback_can_be_had_as_markdown(student: Caller) -> None:
    answer = student("POST", FEEDBACK, {"essay": ESSAY}, {"Accept": "text/markdown"})

    assert answer.content_type == "text/markdown; charset=utf-8"
    assert "**Silencing an opinion robs mankind of truth.**" in answer.text


def test_feedback_can_be_had_as_a_page_with_pictures(empty_site: Site) -> None:
    shelve_pdf(empty_site.services, a_pdf("Silencing an opinion robs mankind of truth."))

    answer = empty_site.caller()("POST", FEEDBACK, {"essay": ESSAY}, {"Accept": "text/html"})

    page = read_html(answer.text)
    assert answer.content_type == "text/html; charset=utf-8"
    assert [each.text for each in page.all("b", class_="sentence")] == ["Silencing an opinion robs mankind of truth."]
    assert [each.attributes["src"][:22] for each in page.all("img")] == ["data:image/png;base64,"]


def test_feedback_can_be_had_as_a_pdf(empty_site: Site) -> None:
    shelve_pdf(empty_site.services, a_pdf("Silencing an opinion robs mankind of truth."))

    answer = empty_site.caller()("POST", FEEDBACK, {"essay": ESSAY}, {"Accept": "application/pdf"})

    assert answer.content_type == "application/pdf"
    with pymupdf.open(stream=answer.data) as pdf:
        assert "Silencing an opinion robs mankind of truth." in "".join(page.get_text() for page in pdf)
    assert broken(answer.data) == []


def test_what_a_language_model_wrote_says_so_in_every_form(tmp_path: Path) -> None:
    """As JSON, as a page, printed and as text (AI Act, Article 50)."""
    with (
        web_parts(tmp_path) as parts,
        language_server() as server,
        closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as ledger,
    ):
        server.reply = lambda asked: says(answer(title_of(asked.schema or {}), asked.material))
        writing = replace(parts.essays.writing, paid=PaidModel(server.openai(), ledger), seconds=30.0)
        essays = replace(parts, essays=replace(parts.essays, writing=writing))
        by_model = Site(essays, create_app(essays))
        shelve_pdf(by_model.services, a_pdf("Silencing an opinion robs mankind of truth."))
        student = by_model.caller()
        kept = student("POST", FEEDBACK, {"essay": ESSAY}).get_json()
        forms = {
            form: student("GET", f"/api/v1/feedback/{kept['id']}", query_string={"format": form}).data
            for form in ("json", "html", "markdown", "pdf")
        }

    assert json.loads(forms["json"])["by"] == MODEL
    with pymupdf.open(stream=forms.pop("pdf")) as pdf:
        forms["pdf"] = "".join(page.get_text() for page in pdf).encode()
    for form in ("html", "markdown", "pdf"):
        assert f"A language model ({MODEL}) wrote comments here." in " ".join(forms[form].decode().split()), form


def test_a_request_says_on_what_feedback_is_given(student: Caller) -> None:
    wanted = {"grade": 3, "tone": "plain", "dimensions": ["features"], "rubric": "at least 5 paragraphs (10)\nis brave"}

    feedback = student("POST", FEEDBACK, {"essay": ESSAY, **wanted}).get_json()

    assert {comment["part"] for comment in feedback["comments"]} <= {"features"}
    assert [one["criterion"] for one in feedback["criteria"]] == ["at least 5 paragraphs", "is brave"]


def test_a_rubric_may_be_a_list_with_weights(student: Caller) -> None:
    rubric = [{"criterion": "is brave"}, {"criterion": "is new", "weight": 3}]

    feedback = student("POST", FEEDBACK, {"essay": ESSAY, "rubric": rubric}).get_json()

    assert [(one["criterion"], one["weight"]) for one in feedback["criteria"]] == [("is new", 3), ("is brave", 1)]


@pytest.mark.parametrize(
    ("wanted", "pointer"),
    [
        ({"grade": 99}, "/grade"),
        ({"tone": "rude"}, "/tone"),
        ({"dimensions": []}, "/dimensions"),
        ({"dimensions": ["topic"]}, "/dimensions/0"),
        ({"rubric": "x" * 50_000}, "/rubric"),
        ({"task": "why " * 2001}, "/task"),
    ],
)
def test_a_wish_that_cannot_be_met_is_named(student: Caller, wanted: dict, pointer: str) -> None:
    answer = student("POST", FEEDBACK, {"essay": ESSAY, **wanted})

    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["pointer"].startswith(pointer)


def test_what_fails_before_the_evidence_has_its_own_status_in_a_stream_too(student: Caller) -> None:
    answer = student("POST", FEEDBACK, {"essay": ESSAY, "books": ["unknown"]}, STREAM)

    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


def test_a_school_without_books_is_told_to_add_one(empty_site: Site) -> None:
    answer = empty_site.caller()("POST", EVIDENCE, {"essay": ESSAY})

    assert answer.status_code == 404
    assert "Add a source first." in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({}, "/essay"), ({"essay": 1}, "/essay"), ({"essay": ESSAY, "school": "other"}, "/school"), ([], "")],
)
def test_a_field_that_is_not_usable_is_named(student: Caller, body: object, pointer: str) -> None:
    answer = student("POST", EVIDENCE, body)

    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.get_json()["errors"]] == [pointer]


def test_an_essay_of_too_many_words_is_refused(tmp_path: Path) -> None:
    with site(tmp_path, essay_words=5) as running:
        answer = running.caller()("POST", EVIDENCE, {"essay": ESSAY})

    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")


def test_a_body_of_too_many_bytes_is_refused_without_being_read(tmp_path: Path) -> None:
    with site(tmp_path, body_bytes=1024) as running:
        answer = running.caller()("POST", EVIDENCE, {"essay": "word " * 1000})

    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")


def test_pages_of_a_book_that_came_with_the_task_are_its_sources(library: Site, student: Caller) -> None:
    sentence = "Every river that we crossed that summer was low, brown, and full of leaves."
    shelve(library.services, "Rivers", [sentence])
    wanted = {"essay": f"{ESSAY}\n\n{sentence}", "source_pages": [{"book": "rivers", "pages": "vii-viii"}]}

    answer = student("POST", EVIDENCE, wanted).get_json()
    missing = student("POST", EVIDENCE, wanted | {"source_pages": [{"book": "rivers", "pages": "900"}]})

    assert answer["paragraphs"][-1]["message"] == str(message("paragraph_is_task"))
    assert missing.status_code == 404


def test_an_essay_that_is_neither_english_nor_german_gets_its_passage(student: Caller) -> None:
    essay = "قال ميل إن إسكات رأي واحد يسلب البشرية الحقيقة كلها ولا يحق لأحد. Silencing an opinion robs mankind of truth."

    answer = student("POST", "/api/v1/essays/feedback", {"essay": essay})

    assert answer.status_code == 200
    assert [one["text"] for one in answer.get_json()["comments"]] == ["Could you use this here?"]
