"""The HTTP interface of lectures (S3)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.lectures.service import find_shared
from tests.support.intake import SCHOOL
from tests.support.listening import ASIDE, ON_LIBERTY
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, events_in, site

WITHIN = 60.0
SEED_CITATION = {"rank", "document_id", "document_name", "page_number", "section_heading", "snippet", "relevance_score"}
SEED_DETAILS = {"id", "document_id", "document_name", "page_number", "section_heading", "full_chunk_text", "relevance_score"}
SEED_LISTED = {"id", "window_index", "rank", "document_name", "page_number", "snippet", "created_at"}


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A school with a book on the lectures' shelf; another school has none."""
    with site(tmp_path_factory.mktemp("home")) as running:
        shelve(
            running.parts.collections[Collection.LECTURES],
            "Liberty",
            ["Silencing an opinion robs mankind of the truth.", "All mankind loses by it."],
            ["The tyranny of the majority is a danger to every society.", "Society can execute its own mandates."],
        )
        yield running


@pytest.fixture
def student(campus: Site) -> Caller:
    return campus.caller()


def begin(student: Caller, *documents: str) -> dict[str, Any]:
    begun = student("POST", "/api/v1/sessions", {"documents": documents})
    assert begun.status_code == 201, begun.text
    return begun.json


def of(session: dict[str, Any], what: str) -> str:
    return f"/api/v1/sessions/{session['id']}/{what}"


def said(*texts: str, first: int = 0) -> dict[str, Any]:
    spoken = enumerate(texts, first)
    return {"segments": [{"id": f"s{at}", "start": at * 4.0, "end": at * 4.0 + 4, "text": text} for at, text in spoken]}


def hear(campus: Site, student: Caller, session: dict[str, Any], *texts: str) -> list[int]:
    """To the end; the windows that are full before it."""
    heard = student("POST", of(session, "segments"), said(*texts))
    assert heard.status_code == 202
    assert student("POST", f"/api/v1/sessions/{session['id']}/end").status_code == 202
    assert campus.parts.lectures.pool.wait_until_idle(WITHIN)
    return list(heard.json["windows"])


def query(student: Caller, session: dict[str, Any], text: str, index: int = 0) -> dict[str, Any]:
    answer = student("POST", "/api/v1/rag/query", {"session_id": session["id"], "transcript_text": text, "window_index": index})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_session_tells_its_documents_which_are_attached_by_their_uuid_and_taken_away_again(student: Caller) -> None:
    session = begin(student, "liberty")

    (document,) = session["documents"]
    assert UUID(session["id"])
    assert (document["document"], document["state"]) == ("liberty", "ready")
    assert UUID(uuid := document["document_id"])
    assert student("GET", f"/api/v1/sessions/{session['id']}").json == session
    at = f"/api/v1/sessions/{begin(student)['id']}"

    def told(**body: Any) -> list[str]:
        return [each["document"] for each in student("PUT", at, body).json["documents"]]

    assert told(documents=[uuid]) == ["liberty"]
    assert told(name="Liberty") == ["liberty"]
    assert told(documents=[]) == []


def test_a_window_is_answered_in_the_seeds_schema_and_its_citation_found_again(campus: Site, student: Caller) -> None:
    session = begin(student, "liberty")
    query(student, session, "the tyranny of the majority in society", 8)
    answer = query(student, session, ON_LIBERTY, 7)

    citation = answer["citations"][0]
    assert answer["window_index"] == 7
    assert citation.keys() >= SEED_CITATION
    assert (citation["document_name"], citation["rank"]) == ("Liberty", 1)
    assert 0 <= citation["relevance_score"] <= 1
    assert "Silencing an opinion" in citation["snippet"]
    assert answer["query_metadata"].keys() >= {"keywords", "expanded_concepts", "processing_time_ms"}

    details = student("GET", f"/api/v1/citations/{citation['id']}").json
    assert details.keys() >= SEED_DETAILS | {"created_at"}
    assert details["full_chunk_text"].startswith("Silencing an opinion robs mankind of the truth.")
    assert details["session_id"] == session["id"]
    sentence = student("GET", citation["sentence"]).json
    assert sentence["sentence"]["text"] == "Silencing an opinion robs mankind of the truth."

    listed = student("GET", f"/api/v1/sessions/{session['id']}/citations").json["citations"]
    assert all(each.keys() >= SEED_LISTED for each in listed)
    assert list(dict.fromkeys(each["window_index"] for each in listed)) == [7, 8]


def test_what_is_said_becomes_windows_whose_citations_are_told_as_events(campus: Site, student: Caller) -> None:
    session = begin(student, "liberty")
    hear(campus, student, session, ON_LIBERTY, ON_LIBERTY, "The tyranny of the majority is the next danger to society.", ASIDE)

    told = events_in(student("GET", of(session, "events")))

    assert [name for _, name, _ in told][-1] == "end"
    windows = [data for _, name, data in told if name == "window"]
    assert [each["window_index"] for each in windows] == list(range(len(windows)))
    assert windows[0]["citations"][0]["document_name"] == "Liberty"
    assert windows[0]["citations"][0].keys() >= SEED_CITATION
    assert windows[0]["segments"][0] == "s0"
    assert windows[0]["start"] == 0
    assert student("GET", f"/api/v1/sessions/{session['id']}").json["is_running"] is False
    assert student("POST", of(session, "segments"), said("One more thing to add.", first=225)).status_code == 202
    assert student("GET", f"/api/v1/sessions/{session['id']}").json["is_running"] is True


def test_a_stream_goes_on_after_its_last_event_and_windows_can_be_asked_for_instead(campus: Site, student: Caller) -> None:
    session = begin(student, "liberty")
    filled = hear(campus, student, session, *[ON_LIBERTY] * 8)
    whole = events_in(student("GET", of(session, "events")))

    assert events_in(student("GET", of(session, "events"), headers={"Last-Event-ID": whole[0][0]})) == whole[1:]
    asked = student("GET", of(session, "windows")).json
    assert asked["ended"]
    assert [data for _, name, data in whole if name == "window"] == asked["windows"]
    assert filled == [each["window_index"] for each in asked["windows"]][: len(filled)] != []
    later = student("GET", f"{of(session, 'windows')}?after={asked['last']}").json
    assert (later["windows"], later["last"]) == ([], asked["last"])


def test_what_was_forgotten_is_no_uuid_or_is_nobodys_is_not_found(student: Caller) -> None:
    session = begin(student, "liberty")
    cited = query(student, session, ON_LIBERTY)["citations"][0]

    assert student("DELETE", f"/api/v1/sessions/{session['id']}").status_code == 204
    for path in (f"/api/v1/sessions/{session['id']}", f"/api/v1/citations/{cited['id']}", of(session, "events")):
        assert student("GET", path).status_code == 404
    for id in ("nonsense", uuid4()):
        assert student("GET", f"/api/v1/sessions/{id}").status_code == 404
        assert student("GET", f"/api/v1/citations/{id}").status_code == 404
    rag = {"session_id": str(uuid4()), "transcript_text": "words", "window_index": 0}
    assert student("POST", "/api/v1/rag/query", rag).status_code == 404
    assert student("POST", "/api/v1/rag/query", rag | {"session_id": "nonsense"}).status_code == 400


def test_streams_have_places_of_their_own_and_no_more(tmp_path: Path) -> None:
    with site(tmp_path, open_streams=1, open_requests=1) as running:
        student = running.caller()
        session = begin(student)
        stream = student("GET", of(session, "events"), buffered=False)

        assert student("GET", of(session, "events")).status_code == 429
        assert student("GET", f"/api/v1/sessions/{session['id']}").status_code == 200
        stream.close()
        student("POST", f"/api/v1/sessions/{session['id']}/end")
        assert student("GET", of(session, "events")).status_code == 200


def test_a_transcript_is_read_as_it_was_spoken(student: Caller) -> None:
    said = "1\r\n00:00:01,000 --> 00:00:04,000\r\n<i>Schönen Tag.</i>"
    sound = "2\r\n00:00:05,000 --> 00:00:06,000\r\n[Music]"

    read = student.send("/api/v1/transcripts", f"{said}\r\n\r\n{sound}".encode("cp1252"), "lecture.srt")

    assert read.json == {"segments": [{"id": "1", "start": 1.0, "end": 4.0, "text": "Schönen Tag."}]}


def test_a_lecture_is_named_after_its_book_until_somebody_names_it(student: Caller) -> None:
    begun = begin(student, "liberty")
    assert begun["name"].startswith("Liberty, ")
    assert (begun["is_running"], begun["may_change"]) == (True, True)

    changed = student("PUT", f"/api/v1/sessions/{begun['id']}", {"name": " The harm\n principle "}).json

    assert changed["name"] == "The harm principle"
    day = timedelta(days=30)
    assert datetime.fromisoformat(changed["expires_at"]) - datetime.fromisoformat(changed["created_at"]) == day
    assert begin(student)["name"].startswith("Lecture, ")
    for wrong in ({"days": 7}, {"name": "x" * 201}):
        assert student("PUT", f"/api/v1/sessions/{begun['id']}", wrong).status_code == 400


def test_a_shared_lecture_is_found_by_its_code_however_it_is_typed(campus: Site, student: Caller) -> None:
    begun = begin(student)
    assert begun["code"] is None

    at = f"/api/v1/sessions/{begun['id']}"
    code = student("PUT", at, {"shared": True}).json["code"]

    assert student("PUT", at, {"shared": True, "name": "Liberty"}).json["code"] == code
    assert student("PUT", at, {"name": "On Liberty"}).json["code"] == code
    assert str(find_shared(SCHOOL, code.replace("-", " ").lower(), campus.parts.lectures.context).id) == begun["id"]
    with pytest.raises(NotFound):
        find_shared("another", code, campus.parts.lectures.context)
    assert student("PUT", at, {"shared": False}).json["code"] is None
    with pytest.raises(NotFound):
        find_shared(SCHOOL, code, campus.parts.lectures.context)
