from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import CatalogUnavailable, NotFound
from chapterverse.library.store import SqlCatalog
from chapterverse.web.app import create_app
from chapterverse.web.problems import is_full
from tests.support.web import Site, web_parts


def test_a_process_that_answers_is_alive_and_ready(empty_site: Site) -> None:
    for path in ("/healthz", "/readyz"):
        answer = empty_site.anybody("GET", path)
        assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})


def test_a_process_without_its_catalog_is_alive_but_not_ready(tmp_path: Path) -> None:
    away = SqlCatalog("postgresql+psycopg://nobody@127.0.0.1:9/none")
    with web_parts(tmp_path) as parts:
        app = create_app(replace(parts, services=replace(parts.services, catalog=away)))
        alive, ready = (app.test_client().get(path) for path in ("/healthz", "/readyz"))

    assert alive.status_code == 200
    assert (ready.status_code, ready.get_json()["code"]) == (503, "catalog_unavailable")
    assert "Retry-After" in ready.headers


def test_a_process_whose_disk_is_nearly_full_is_alive_but_not_ready(tmp_path: Path) -> None:
    with web_parts(tmp_path) as parts:
        app = create_app(replace(parts, free_bytes=lambda: 2**20))
        alive, ready = (app.test_client().get(path) for path in ("/healthz", "/readyz"))

    assert (alive.status_code, ready.status_code, ready.get_json()["id"]) == (200, 503, "storage_full")


def test_a_full_disk_is_told_and_nothing_is_handed_out(empty_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher = empty_site.caller(KeyScope.TEACHER)
    address = teacher("POST", "/api/v1/collections/books/sources", {"file_name": "a.pdf"}).get_json()["upload"]["url"]

    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("chapterverse.infrastructure.storage.folder.copyfileobj", full)
    path = address.partition("//")[2].partition("/")[2]
    answer = empty_site.anybody("PUT", f"/{path}", data=b"A book.", headers={"Content-Type": "application/pdf"})

    assert (answer.status_code, answer.get_json()["code"], "Retry-After" in answer.headers) == (507, "storage_full", True)
    with pytest.raises(NotFound):
        empty_site.parts.intake.uploads.find("school/a.pdf")


def test_a_database_that_cannot_grow_says_that_the_disk_is_full(empty_site: Site) -> None:
    error = CatalogUnavailable("catalog_away")
    error.__cause__ = OperationalError("INSERT", {}, Exception("database or disk is full"))

    assert is_full(error)
    assert not is_full(CatalogUnavailable("catalog_away"))
