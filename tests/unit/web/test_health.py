import sqlite3
from dataclasses import replace
from errno import ENOSPC, EROFS
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import CatalogUnavailable, NotFound
from chapterverse.library.store import SqlCatalog
from chapterverse.web.app import create_app
from tests.support.web import Site, web_parts


def test_a_process_that_answers_is_alive_and_ready(empty_site: Site) -> None:
    for path in ("/health", "/ready"):
        answer = empty_site.anybody("GET", path)
        assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})


def test_a_process_without_its_catalog_is_alive_but_not_ready(tmp_path: Path) -> None:
    away = SqlCatalog("postgresql+psycopg://nobody@127.0.0.1:9/none")
    with web_parts(tmp_path) as parts:
        app = create_app(replace(parts, services=replace(parts.services, catalog=away)))
        alive, ready = (app.test_client().get(path) for path in ("/health", "/ready"))

    assert alive.status_code == 200
    assert (ready.status_code, ready.get_json()["code"]) == (503, "catalog_unavailable")
    assert "Retry-After" in ready.headers


@pytest.mark.parametrize(
    ("disk", "problem"),
    [({"free_bytes": lambda: 2**20}, "storage_full"), ({"is_writable": lambda: False}, "storage_read_only")],
    ids=["full", "read-only"],
)
def test_a_process_whose_disk_takes_nothing_is_alive_but_not_ready(tmp_path: Path, disk: Any, problem: str) -> None:
    with web_parts(tmp_path) as parts:
        app = create_app(replace(parts, **disk))
        alive, ready = (app.test_client().get(path) for path in ("/health", "/ready"))

    assert (alive.status_code, ready.status_code, ready.get_json()["id"]) == (200, 503, problem)


@pytest.mark.parametrize(
    ("number", "status", "problem"),
    [(ENOSPC, 507, "storage_full"), (EROFS, 503, "storage_read_only")],
    ids=["full", "read-only"],
)
def test_what_a_disk_does_not_take_is_not_handed_out(
    empty_site: Site, monkeypatch: pytest.MonkeyPatch, number: int, status: int, problem: str
) -> None:
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
        ("database is locked", 503, "catalog_away"),
    ],
)
def test_a_database_that_takes_nothing_says_why(empty_site: Site, words: str, status: int, problem: str) -> None:
    told = sqlite3.OperationalError(words)
    error = CatalogUnavailable("catalog_away")
    error.__cause__ = OperationalError("INSERT", {}, told)
    error.__cause__.__cause__ = told

    def fail() -> None:
        raise error

    empty_site.app.add_url_rule("/fail", "fail", fail)
    answer = empty_site.anybody("GET", "/fail")

    assert (answer.status_code, answer.get_json()["id"]) == (status, problem)
