import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from errno import ENOSPC, EROFS
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.errors import BadBook, CatalogUnavailable, ChapterverseError, NotFound, RetryableError, SignInRefused
from chapterverse.library.store import SqlCatalog
from chapterverse.web.app import create_app
from chapterverse.web.bare import bare_app
from tests.support.web import ESSAY, Caller, Site, web_parts

SECRET = "My grandmother told me so."


def kinds(root: type[ChapterverseError]) -> Iterator[type[ChapterverseError]]:
    """The errors that are raised."""
    for child in root.__subclasses__():
        yield from kinds(child) if child.__subclasses__() else [child]


def app_that_raises(error: Exception) -> Flask:
    app = bare_app(1024)

    def fail() -> None:
        raise error

    app.add_url_rule("/", "fail", fail)
    return app


@pytest.mark.parametrize("kind", [kind for kind in kinds(ChapterverseError) if kind.__module__ == errors.__name__])
def test_every_error_of_ours_has_its_status_its_code_and_what_to_do(kind: type[ChapterverseError]) -> None:
    error = kind("stale", "session_ended") if kind in (BadBook, SignInRefused) else kind("session_ended")

    answer = app_that_raises(error).test_client().get("/", headers={"X-Request-Id": "lesson-7"})

    assert answer.mimetype == "application/problem+json"
    assert answer.get_json() == {
        "type": f"urn:chapterverse:problem:{error.code}",
        "title": (kind.__doc__ or "").splitlines()[0],
        "status": kind.status,
        "detail": "Your session has ended. Sign in again.",
        "code": error.code,
        "id": "session_ended",
        "values": {},
        "request_id": "lesson-7",
    }
    assert answer.status_code == kind.status
    assert answer.headers.get("Retry-After") == ("5" if issubclass(kind, RetryableError) else None)


def test_what_nobody_foresaw_is_told_and_logged_without_a_word_of_it(caplog: pytest.LogCaptureFixture) -> None:
    answer = app_that_raises(ValueError(SECRET)).test_client().get("/")

    assert (answer.status_code, answer.get_json()["code"]) == (500, "internal")
    assert SECRET not in answer.text + caplog.text
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert (record.levelno, record.exc_info, record.getMessage().split()[0]) == (logging.ERROR, None, "ValueError")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/api/v1/pages/on-liberty/-1.png", 404, "not_found"),
        ("GET", "/api/v1/essays/evidence", 405, "method_not_allowed"),
        ("OPTIONS", "/api/v1/collections/books/sources", 405, "method_not_allowed"),
    ],
)
def test_what_is_not_offered_is_a_problem_too(student: Caller, method: str, path: str, status: int, code: str) -> None:
    answer = student(method, path)

    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.get_json()["code"] == code


@pytest.mark.parametrize(
    ("data", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"", "application/json", 400),
        (b'{"essay": "\\ud800"}', "application/json", 400),
        (ESSAY.encode(), "text/plain", 415),
        (ESSAY.encode(), "", 415),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem(student: Caller, data: bytes, content_type: str, status: int) -> None:
    answer = student("POST", "/api/v1/essays/evidence", data=data, content_type=content_type)

    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")


def test_no_problem_quotes_what_was_sent(student: Caller, caplog: pytest.LogCaptureFixture) -> None:
    answers = [
        student("POST", "/api/v1/essays/evidence", {"essay": [SECRET], "books": SECRET, SECRET: SECRET}),
        student("POST", "/api/v1/essays/evidence", data=f'{{"essay": "{SECRET}'.encode(), content_type="application/json"),
        student("GET", "/api/v1/pages/on-liberty/0.png", query_string={"scale": SECRET}),
        student("GET", f"/api/v1/{SECRET}"),
    ]

    assert [answer.status_code for answer in answers] == [400, 400, 400, 404]
    assert SECRET not in "".join(answer.text for answer in answers) + caplog.text


def test_every_answer_has_an_id_is_safe_to_show_and_is_not_kept(library: Site) -> None:
    odd = [{"X-Request-Id": given} for given in ("", "has spaces", "x" * 65, "na\u00efve")]
    answers = [*(library.anybody("GET", "/health", headers=each) for each in odd), library.anybody("GET", "/nowhere")]

    for answer in answers:
        assert len(answer.headers["X-Request-Id"]) == 32
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_process_that_answers_is_alive_and_without_its_catalog_not_ready(tmp_path: Path) -> None:
    away = SqlCatalog("postgresql+psycopg://nobody@127.0.0.1:9/none")
    with web_parts(tmp_path) as parts:
        for path in ("/health", "/ready"):
            answer = create_app(parts).test_client().get(path)
            assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})
        app = create_app(replace(parts, services=replace(parts.services, catalog=away)))
        alive, ready = (app.test_client().get(path) for path in ("/health", "/ready"))

    assert alive.status_code == 200
    assert (ready.status_code, ready.get_json()["code"]) == (503, "catalog_unavailable")
    assert "Retry-After" in ready.headers


@pytest.mark.parametrize(
    ("disk", "number", "status", "problem"),
    [
        ({"free_bytes": lambda: 2**20}, ENOSPC, 507, "storage_full"),
        ({"is_writable": lambda: False}, EROFS, 503, "storage_read_only"),
    ],
    ids=["full", "read-only"],
)
def test_a_process_whose_disk_takes_nothing_is_alive_but_not_ready_and_hands_nothing_out(
    empty_site: Site, monkeypatch: pytest.MonkeyPatch, disk: Any, number: int, status: int, problem: str
) -> None:
    app = create_app(replace(empty_site.parts, **disk))
    alive, ready = (app.test_client().get(path) for path in ("/health", "/ready"))
    assert (alive.status_code, ready.status_code, ready.get_json()["id"]) == (200, 503, problem)
    teacher = empty_site.caller(KeyScope.TEACHER)

    def refuse(*_: object) -> None:
        raise OSError(number, "not taken")

    monkeypatch.setattr("chapterverse.infrastructure.storage.folder.copyfileobj", refuse)
    form = {"file": (BytesIO(b"A book."), "a.pdf")}
    answer = teacher("POST", "/api/v1/collections/books/sources", data=form, content_type="multipart/form-data")

    assert (answer.status_code, answer.get_json()["id"], "Retry-After" in answer.headers) == (status, problem, True)
    with pytest.raises(NotFound):
        empty_site.parts.intake.uploads.find("school/a.pdf")


@pytest.mark.parametrize(
    ("words", "status", "problem"),
    [
        ("database or disk is full", 507, "storage_full"),
        ("attempt to write a readonly database", 503, "storage_read_only"),
        ("database is locked", 503, "catalog_file_unusable"),
    ],
)
def test_a_database_that_takes_nothing_says_why(empty_site: Site, words: str, status: int, problem: str) -> None:
    told = sqlite3.OperationalError(words)
    error = CatalogUnavailable("catalog_file_unusable")
    error.__cause__ = OperationalError("INSERT", {}, told)
    error.__cause__.__cause__ = told

    def fail() -> None:
        raise error

    empty_site.app.add_url_rule("/fail", "fail", fail)
    answer = empty_site.anybody("GET", "/fail")

    assert (answer.status_code, answer.get_json()["id"]) == (status, problem)
    assert app_that_raises(errors.BadRequest("not_https", url=words)).test_client().get("/").status_code == 400
