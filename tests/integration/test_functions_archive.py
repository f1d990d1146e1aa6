"""What is deployed: one archive, unpacked in a folder of its own and started as Cloud Functions starts it."""

import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.build_functions import NOT_REACHED, REQUIREMENTS, locked, requirements, write_archive

START = (  # what functions-framework does before it serves
    "import sys, functions_framework; app = functions_framework.create_app(sys.argv[1], 'main.py'); "
    "import chapterverse; print(chapterverse.__file__); print(*sorted(sys.modules))"
)
UNUSED_AT_START = {"chromadb", "google.cloud.storage", "pymupdf", "spacy", "sqlalchemy", "onnxruntime", "numpy"}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("function")
    write_archive(folder / "functions.zip")
    with ZipFile(folder / "functions.zip") as archive:
        archive.extractall(folder / "workspace")
    return folder / "workspace"


def pinned() -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", REQUIREMENTS.read_text("utf-8"), re.MULTILINE))


def test_the_requirements_committed_are_those_that_the_generator_makes() -> None:
    assert REQUIREMENTS.read_text("utf-8") == requirements(), "run `make functions`"


def test_they_are_the_versions_of_the_lock_without_what_no_function_reaches() -> None:
    pins, lock = pinned(), locked()

    assert pins.pop("chromadb-client") == lock["chromadb"]
    assert pins.items() <= lock.items()
    assert not pins.keys() & NOT_REACHED.keys() - {"gunicorn"}  # which functions-framework brings


def test_the_same_sources_give_the_same_archive(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_archive(tmp_path / name)

    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.parametrize("target", ["on_book_uploaded", "on_book_deleted", "api"])
def test_each_function_starts_from_the_archive_alone_and_loads_nothing_heavy(target: str, unpacked: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PYTHONPATH"] = str(unpacked)  # before a package of ours that is installed for development

    command = [sys.executable, "-W", "ignore", "-c", START, target]
    started = subprocess.run(command, cwd=unpacked, env=environment, capture_output=True, text=True, check=False)

    assert started.returncode == 0, started.stderr
    file, modules = started.stdout.splitlines()
    assert Path(file).is_relative_to(unpacked)
    assert not {*modules.split()} & UNUSED_AT_START
