"""The cloud as a user meets it: a PDF put into the bucket is searchable, and HTTP with an API key has an essay's evidence.

Every part is a real program on loopback (scripts/cloud_local); only the embedder's model is a simple one."""

import json
from pathlib import Path

import pytest

from bookreader.ocr import installed_recognizer
from tests.support.cloud import Cloud
from tests.support.home import Home
from tests.support.pdfs import a_long_pdf, pictures_of
from tests.support.serving import eventually

SHIP = a_long_pdf("The ship left harbour", pages=8, opening="Bees gathered nectar in the garden.")
ESSAY = "The ship left harbour, as number 144 was told.\n\nBees gathered nectar in the garden.\n\nMy bicycle has a flat tyre.\n"


@pytest.fixture(scope="module")
def meadow(cloud: Cloud) -> Cloud:
    """A cloud where the school "meadow" has put its book into the bucket; nothing else was done."""
    cloud.put("meadow/ship.pdf", SHIP)
    cloud.wait_for_book("meadow", "ship")
    return cloud


def test_a_pdf_in_the_bucket_becomes_searchable_without_any_other_action(meadow: Cloud) -> None:
    book = meadow.book("meadow", "ship")

    assert book["progress"] == {"done": 3, "total": 3}
    assert book["chunks"] > 150


def test_its_evidence_over_http_is_that_of_the_program_on_one_machine(meadow: Cloud, tmp_path: Path) -> None:
    home = Home(tmp_path)
    (tmp_path / "ship.pdf").write_bytes(SHIP)
    (tmp_path / "essay.md").write_text(ESSAY, "utf-8")
    assert home.run("sources", "add", tmp_path / "ship.pdf").returncode == 0
    local = json.loads(home.run("feedback", "--evidence", tmp_path / "essay.md", "--json").stdout)

    answer = meadow.evidence(ESSAY, "meadow")

    assert answer.status_code == 200
    assert local["evidence"]
    assert answer.json() == local


@pytest.mark.skipif(installed_recognizer() is None, reason="neither Tesseract nor RapidOCR is installed")
def test_a_scan_in_the_bucket_becomes_searchable(cloud: Cloud) -> None:
    cloud.put("shore/ship.pdf", pictures_of(a_long_pdf("The ship left harbour", pages=1)))

    book = cloud.wait_for_book("shore", "ship")

    assert book["report"]["recognized_pages"] == [0]
    assert cloud.evidence(ESSAY, "shore").json()["evidence"]


def test_a_book_removed_over_http_takes_its_file_along(cloud: Cloud) -> None:
    cloud.put("fell/ship.pdf", SHIP)
    cloud.wait_for_book("fell", "ship")

    def removed() -> bool:
        answer = cloud.call("DELETE", "/api/v1/collections/books/sources/ship", "fell")
        assert answer.status_code in {204, 409}, answer.text  # 409: the task that added it still holds it
        return answer.status_code == 204

    eventually(removed, "the book to be removed")

    assert cloud.uploaded("fell") == []
    assert cloud.contents("fell") == {"catalog": [], "bucket": {}, "index": []}


def test_a_pdf_sent_to_the_address_given_becomes_a_book(cloud: Cloud) -> None:
    given = cloud.call("POST", "/api/v1/collections/books/sources", "dale", json={"file_name": "ship.pdf"}).json()
    upload = given["upload"]

    sent = cloud.http.request(upload["method"], upload["url"], headers=upload["headers"], content=SHIP)

    assert sent.status_code == 200
    assert cloud.wait_for_book("dale", given["source"])["chunks"] > 150
