"""The cloud as a user meets it: a PDF put into the bucket is searchable, and HTTP with an API key has an essay's evidence.

Every part is a real program on loopback (scripts/cloud_local); only the embedder's model is a simple one."""

import json
from pathlib import Path

import pytest

from bookreader.ocr import installed_recognizer
from tests.support.cloud import Cloud
from tests.support.home import Home
from tests.support.pdfs import a_long_pdf, pictures_of

SHIP = a_long_pdf("The ship left harbour", pages=8, opening="Bees gathered nectar in the garden.")
ESSAY = "The ship left harbour, as number 144 was told.\n\nBees gathered nectar in the garden.\n\nMy bicycle has a flat tyre.\n"


def test_evidence_of_a_pdf_in_the_bucket_is_that_of_the_program_on_one_machine(cloud: Cloud, tmp_path: Path) -> None:
    cloud.put("meadow/ship.pdf", SHIP)
    cloud.wait_for_book("meadow", "ship")
    home = Home(tmp_path)
    (tmp_path / "ship.pdf").write_bytes(SHIP)
    (tmp_path / "essay.md").write_text(ESSAY, "utf-8")
    assert home.run("sources", "add", tmp_path / "ship.pdf").returncode == 0
    local = json.loads(home.run("feedback", "--evidence", tmp_path / "essay.md", "--json").stdout)

    answer = cloud.evidence(ESSAY, "meadow")

    assert answer.status_code == 200
    assert local["evidence"]
    assert answer.json() == local


@pytest.mark.skipif(installed_recognizer() is None, reason="neither Tesseract nor RapidOCR is installed")
def test_a_scan_in_the_bucket_becomes_searchable(cloud: Cloud) -> None:
    cloud.put("shore/ship.pdf", pictures_of(a_long_pdf("The ship left harbour", pages=1)))

    assert cloud.wait_for_book("shore", "ship")["report"]["recognized_pages"] == [0]
    assert cloud.evidence(ESSAY, "shore").json()["evidence"]
