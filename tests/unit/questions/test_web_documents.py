"""S2 over HTTP: a document is handed in, watched, asked, removed."""

from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from tests.support.pdfs import a_pdf
from tests.support.web import Caller, Site, shelve_pdf

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


def test_a_question_is_answered_with_sentences_scores_and_a_band(empty_site: Site) -> None:
    hand_in(empty_site)

    answer = empty_site.caller()("POST", ASK, {"question": "Phones stay silent inside bags?"}).get_json()

    assert answer["claims"][0]["citations"][0]["sentence"]["text"] == "Phones stay silent inside bags."
    score, *_ = answer["scores"]
    assert score["inverse_distance"] == pytest.approx(1 / (3 - 2 * score["cosine"]))
    assert answer["confidence"]["band"] in {"high", "medium"}


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
    assert len(answer["scores"]) == 1
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
