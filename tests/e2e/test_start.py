"""The program as the shell starts it."""

import subprocess
import sys

import pytest

from tests.support.pdfs import a_pdf

HEAVY = ("chromadb", "numpy", "onnxruntime", "pydantic", "pymupdf", "spacy", "sqlalchemy")
CHAPTERVERSE = (sys.executable, "-m", "chapterverse.cli.app")


def test_asking_for_help_loads_nothing_heavy() -> None:
    listing = "import sys, chapterverse.cli.app; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()

    assert not set(HEAVY) & set(loaded)


def test_help_says_what_the_exit_codes_mean() -> None:
    said = subprocess.run([*CHAPTERVERSE, "--help"], capture_output=True, text=True, check=True, env=None).stdout

    assert "Exit codes" in said
    assert "CHAPTERVERSE_HOME" in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell with pipes")
def test_a_reader_that_stops_reading_ends_it_quietly(tmp_path_factory: pytest.TempPathFactory) -> None:
    pdf = tmp_path_factory.mktemp("pipe") / "long.pdf"
    pdf.write_bytes(a_pdf(*["The same sentence comes again and again, on every page of this book. " * 12] * 40))

    program = subprocess.Popen(
        [*CHAPTERVERSE, "inspect", str(pdf), "--sentences"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout is not None
    program.stdout.readline()
    program.stdout.close()

    assert program.stderr is not None
    assert program.stderr.read() == b""
    assert program.wait() == 141
