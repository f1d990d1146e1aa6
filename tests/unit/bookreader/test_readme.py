"""The README's example runs, and the command prints the same."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bookreader
from tests.support.typeset import page, typeset

README = Path(bookreader.__file__).with_name("README.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a book."""
    (tmp_path / "on-liberty.pdf").write_bytes(typeset(page("The harbour was quiet. Nobody came.")))
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(README.parents[1])}
    command = [sys.executable, "-m", "bookreader", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_example_prints_each_sentence_with_its_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    [example] = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)

    exec(compile(example, str(README), "exec"), {})

    assert capsys.readouterr().out == "None 1 The harbour was quiet.\nNone 1 Nobody came.\n"


def test_the_command_prints_sentences_or_the_report(folder: Path) -> None:
    sentences = [json.loads(line)["text"] for line in run(folder, "on-liberty.pdf").stdout.splitlines()]
    report = json.loads(run(folder, "on-liberty.pdf", "--report").stdout)

    assert sentences == ["The harbour was quiet.", "Nobody came."]
    assert (report["title"], report["report"]["sentences"]) == ("On Liberty", 2)


def test_a_page_and_a_folder_of_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    for name in ("tides", "ships"):
        (tmp_path / "site" / f"{name}.md").write_text(f"# {name.title()}\n\nThey come and go.")

    whole, single = bookreader.read(tmp_path / "site"), bookreader.read(tmp_path / "site" / "ships.md")

    assert [chapter.title for chapter in whole.chapters] == ["Ships", "Tides"]
    assert [sentence.text for sentence in single.sentences] == ["They come and go."]


def test_a_file_that_is_no_book_is_refused_in_a_sentence(folder: Path) -> None:
    (folder / "notes.pdf").write_text("only words")

    for name in ("notes.pdf", "missing.pdf"):
        ended = run(folder, name)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.startswith("bookreader: ")
        assert "Traceback" not in ended.stderr


def test_the_readme_is_short() -> None:
    assert len(README.read_text("utf-8").split()) <= 300
