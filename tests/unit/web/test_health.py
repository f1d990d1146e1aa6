from dataclasses import replace
from pathlib import Path

from chapterverse.library.store import SqlCatalog
from chapterverse.web.app import create_app
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
