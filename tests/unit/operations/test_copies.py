"""What a person, and a school's admin, take away with them."""

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from chapterverse.accounts.model import KeyScope
from chapterverse.questions.helpdesk import begin, say
from tests.support.browsers import browser_of
from tests.support.web import ESSAY, Site

ANNA, BEN = "anna@school.example", "ben@school.example"


def test_a_copy_of_ones_own_data_has_essays_feedback_and_conversations_and_nothing_of_others(library: Site) -> None:
    desk = library.parts.helpdesk
    for email, words in ((ANNA, "Where is the gym?"), (BEN, "Is there soup today?")):
        browser = browser_of(library, email)
        assert browser.post("/api/v1/essays/feedback", json={"essay": f"{ESSAY} {words}"}).status_code == 200
        say("school", begin("school", email, desk).id, words, desk)

    with ZipFile(BytesIO(browser_of(library, ANNA).get("/api/v1/me/data.zip").data)) as copy:
        contents = {name: copy.read(name).decode() for name in copy.namelist()}

    assert {"people.jsonl", "conversations.jsonl", "essays/001.txt", "essays/001.html"} <= set(contents)
    assert "gym" in contents["essays/001.txt"]
    assert "gym" in contents["conversations.jsonl"]
    assert json.loads(contents["people.jsonl"])["email"] == ANNA
    assert not any("soup" in text or BEN in text for text in contents.values())


def test_feedback_that_a_teacher_has_not_released_is_not_in_the_copy(library: Site) -> None:
    library.caller(KeyScope.TEACHER)("PATCH", "/api/v1/settings", {"approval": True})
    anna = browser_of(library, ANNA)
    anna.post("/api/v1/essays/feedback", json={"essay": ESSAY})

    with ZipFile(BytesIO(anna.get("/api/v1/me/data.zip").data)) as copy:
        assert [name for name in copy.namelist() if name.startswith("essays/")] == ["essays/001.txt"]
        assert all(b'"answer"' not in copy.read(name) for name in copy.namelist())


def test_an_admin_downloads_the_school_and_a_program_has_no_data_of_its_own(library: Site, tmp_path: Path) -> None:
    admin = library.caller(KeyScope.ADMIN)("GET", "/api/v1/school/data.zip")

    with ZipFile(BytesIO(admin.data)) as archive:
        assert {"tables/books.jsonl", "tables/people.jsonl"} <= {*archive.namelist()}
    assert library.caller(KeyScope.TEACHER)("GET", "/api/v1/me/data.zip").status_code == 400
