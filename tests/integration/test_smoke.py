"""scripts/smoke.py against the cloud on this machine (scripts/cloud_local), and against one that does not work."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.servers import free_port
from tests.support.serving import eventually

ROOT = Path(__file__).parents[2]
SCHOOL = "smoked"
ESSAY = "The ship left harbour, as number 7 was told.\n\nBees gathered nectar in the garden.\n"


def smoke(url: str, key: str, folder: Path, pdf: bytes, *options: str) -> subprocess.CompletedProcess[str]:
    """The program, run to its end."""
    (folder / "book.pdf").write_bytes(pdf)
    (folder / "essay.md").write_text(ESSAY, "utf-8")
    files = ["--book", str(folder / "book.pdf"), "--essay", str(folder / "essay.md")]
    command = [sys.executable, "-m", "scripts.smoke", url, *files, *options]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "KEY": key}, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return a_long_pdf("The ship left harbour", pages=4, opening="Bees gathered nectar in the garden.")


def test_a_deployment_that_works_says_so_and_keeps_nothing_of_it(cloud: Cloud, pdf: bytes, tmp_path: Path) -> None:
    done = smoke(cloud.stack.url("api"), cloud.key(SCHOOL), tmp_path, pdf)

    assert done.returncode == 0, done.stdout + done.stderr
    assert [line[:4] for line in done.stdout.splitlines()] == ["ok  "] * 7 + ["It w"]
    assert "2 of this book" in done.stdout
    assert cloud.call("GET", "/api/v1/collections/books/sources", SCHOOL).json()["sources"] == []
    assert cloud.call("GET", "/api/v1/feedback", SCHOOL).json()["feedback"] == []
    assert cloud.uploaded(SCHOOL) == []
    eventually(lambda: cloud.contents(SCHOOL) == {"catalog": [], "bucket": {}, "index": []}, "all of it to go")


def test_nobody_there_is_said(pdf: bytes, tmp_path: Path) -> None:
    done = smoke(f"http://127.0.0.1:{free_port()}", "cv_a_key", tmp_path, pdf)

    assert done.returncode == 1
    assert done.stdout.startswith("NOT the key is good, and the catalog and the index answer")
