"""The README's example runs, and the command prints the same."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import bookreader
from bookreader.__main__ import main
from tests.support.typeset import page, typeset

Run = Callable[..., tuple[int, str, str]]
README = Path(bookreader.__file__).with_name("README.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a book."""
    (tmp_path / "on-liberty.pdf").write_bytes(typeset(page("The harbour was quiet. Nobody came.")))
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in that folder: its exit code, and what it prints as output and as errors."""
    monkeypatch.chdir(folder)

    def command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["bookreader", *arguments])
        return (main(), *capsys.readouterr())

    return command


def test_the_example_prints_each_sentence_with_its_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    [example] = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)

    exec(compile(example, str(README), "exec"), {})

    assert capsys.readouterr().out == "None 1 The harbour was quiet.\nNone 1 Nobody came.\n"


def test_the_command_prints_sentences_or_the_report(run: Run) -> None:
    sentences = [json.loads(line)["text"] for line in run("on-liberty.pdf")[1].splitlines()]
    report = json.loads(run("on-liberty.pdf", "--report")[1])

    assert sentences == ["The harbour was quiet.", "Nobody came."]
    assert (report["title"], report["report"]["sentences"]) == ("On Liberty", 2)


def test_a_page_and_a_folder_of_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    for name in ("tides", "ships"):
        (tmp_path / "site" / f"{name}.md").write_text(f"# {name.title()}\n\nThey come and go.")

    whole, single = bookreader.read(tmp_path / "site"), bookreader.read(tmp_path / "site" / "ships.md")

    assert [chapter.title for chapter in whole.chapters] == ["Ships", "Tides"]
    assert [sentence.text for sentence in single.sentences] == ["They come and go."]


def test_a_file_that_is_no_book_is_refused_in_a_sentence(folder: Path, run: Run) -> None:
    (folder / "notes.pdf").write_text("only words")

    for name in ("notes.pdf", "missing.pdf"):
        code, out, said = run(name)
        assert (code, out, said.count("\n")) == (2, "", 1)
        assert said.startswith("bookreader: ")
