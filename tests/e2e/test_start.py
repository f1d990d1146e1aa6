"""The program as the shell starts it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chapterverse import __version__
from tests.support.pdfs import a_long_pdf

HEAVY = ("chromadb", "numpy", "onnxruntime", "pydantic", "pymupdf", "spacy", "sqlalchemy")
CHAPTERVERSE = (sys.executable, "-m", "chapterverse.cli.app")


def test_asking_for_help_loads_nothing_heavy() -> None:
    listing = "import sys, chapterverse.cli.app; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()

    assert not set(HEAVY) & set(loaded)


def test_it_says_its_version() -> None:
    said = subprocess.run([*CHAPTERVERSE, "--version"], capture_output=True, text=True, check=True).stdout

    assert said == f"chapterverse {__version__}\n"


def test_streams_that_are_closed_are_no_defect(tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m chapterverse.cli.app feedback - <&- >&-'
    environment = os.environ | {"CHAPTERVERSE_HOME": str(tmp_path)}

    ended = subprocess.run(["sh", "-c", command], input="", capture_output=True, text=True, check=False, env=environment)

    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell with pipes")
def test_a_reader_that_stops_reading_ends_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "long.pdf").write_bytes(a_long_pdf("The ship left", pages=8))  # more than a pipe holds
    command = [*CHAPTERVERSE, "inspect", str(tmp_path / "long.pdf"), "--sentences"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()

        assert program.stderr.read() == b""
        assert program.wait() == 141
