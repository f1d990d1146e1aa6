"""What cannot work is refused before anything is done, with a true message."""

import errno
import json
import os
import re
import subprocess
import sys
from itertools import count
from pathlib import Path
from socket import create_server
from threading import Thread

import pytest
import typer

from chapterverse.cli import terminal
from chapterverse.cli.serve import refuse_taken
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import Commands, how_to_install, print_json, print_line, print_table
from chapterverse.core.errors import BadRequest, Exit
from chapterverse.essays.cli import rubric_at
from chapterverse.infrastructure.storage.folder import locked
from tests.support.refusals import refused
from tests.unit.conftest import Run

ORDERS = "a\x1b[31mb\x9b2Jc\rd\x7f\x00"


def test_what_a_terminal_would_obey_goes_and_text_of_every_script_stays(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(text := "naïve עברית 😀\u200d👩 two\nlines a\tb")
    assert capsys.readouterr().out == f"{text}\n"
    print_line(ORDERS)
    print_table(("book",), [("a\x1b[2J",)])
    assert capsys.readouterr().out == "a\ufffd[31mb\ufffd2Jc\ufffdd\ufffd\ufffd\na\ufffd[2J\n"

    print_json({"title": ORDERS})
    printed = capsys.readouterr().out
    assert not [character for character in printed[:-1] if not character.isprintable()]
    assert json.loads(printed) == {"title": ORDERS}


def test_the_commands_that_hints_name_are_there(run: Run) -> None:
    named = [each.split() for each in re.findall(r"`chapterverse ([^`]+)`", " ".join(terminal.HINTS.values()))]

    assert [words for words in named if run(*(word for word in words if not word.isupper()), "--help").exit_code] == []
    assert "Nothing came on standard input" in run("feedback", "-", stdin=" ").stderr


def test_an_essay_may_come_through_a_pipe_that_has_a_name(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    Thread(target=lambda: (tmp_path / "pipe").write_text("Everybody may say what he thinks."), daemon=True).start()

    assert "is still empty" in run("feedback", tmp_path / "pipe").stderr


def test_who_asks_beside_the_demo_is_told_where_its_book_is(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = "set CHAPTERVERSE_HOME=.demo"
    assert said not in run("ask", "Who may speak?").stderr

    (tmp_path / ".demo").mkdir()

    assert said in run("ask", "Who", "may", "speak?").stderr
    assert said in run("feedback", "-", stdin="Everybody may say what he thinks.").stderr


@pytest.mark.parametrize("command", [("sources", "list"), ("doctor",)])
@pytest.mark.parametrize(
    ("name", "value"),
    [("MAX_BOOKS", "many"), ("KEEP_DAYS", "99999999999"), ("MAX_LLM_COST_PER_DAY", "nan"), ("LLM_PRICES", "cheap")],
)
def test_a_wrong_setting_is_named_once_and_an_empty_one_is_the_usual_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str, value: str
) -> None:
    monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)

    result = run(*command)

    assert result.exit_code == 2
    assert result.output.count(f"CHAPTERVERSE_{name}") == 1
    monkeypatch.setenv(f"CHAPTERVERSE_{name}", "")
    settings.cache_clear()
    assert run("sources", "list").exit_code == 0


@pytest.mark.parametrize("command", [("sources", "list"), ("people", "list"), ("lti", "keys"), ("feedback", __file__)])
def test_a_home_where_nothing_can_be_kept_is_a_setting_to_be_changed(
    run: Run, home: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file where the folder should be")
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(home / "below"))

    result = run(*command)

    assert result.exit_code == 2
    assert "(CHAPTERVERSE_HOME) is not writable" in result.stderr
    assert "Errno" not in result.stderr


def test_a_port_that_is_taken_is_named_before_an_address_is_printed() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(BadRequest, match=f"cannot use 127.0.0.1, port {port} .* --port"):
            refuse_taken("127.0.0.1", port)
    refuse_taken("127.0.0.1", port)
    with refused(BadRequest, "cli_no_such_host"):
        refuse_taken("300.1.1.1", port)


def test_a_second_server_on_the_same_folder_is_told_where_the_first_one_is(run: Run, home: Path) -> None:
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with locked(home / "serving"):
        (home / "address").write_text("http://127.0.0.1:8099")
        assert run("serve", "--port", port).exit_code == 2
    assert (home / "address").read_text() == "http://127.0.0.1:8099"


def test_a_full_disk_is_called_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/home/catalog.db")

    monkeypatch.setattr("typer.core.TyperGroup.invoke", full)
    group = Commands(name="chapterverse")

    with pytest.raises(typer.Exit) as ended:
        group.invoke(group.context_class(group))

    assert ended.value.exit_code == Exit.TRY_AGAIN
    assert "The disk is full: make room, or set CHAPTERVERSE_HOME." in capsys.readouterr().err


def test_progress_is_said_where_no_bar_can_be(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "monotonic", count(0, 6).__next__)
    with terminal.progress_bar("mill.pdf") as progress:
        progress("parsing", 2, 3)
        progress("parsing", 3, 3)

    assert capsys.readouterr().err.count("mill.pdf: parsing") == 1


def test_of_a_rubric_in_csv_each_row_is_a_criterion(tmp_path: Path) -> None:
    for mark in ",;":
        text = 'criterion,points\n"Thesis, stated early",3\nStyle,1\n'.replace(",", mark)
        (path := tmp_path / "rubric.CSV").write_text(text, "utf-8")
        assert [(each.text, each.weight) for each in rubric_at(path)] == [(f"Thesis{mark} stated early", 3), ("Style", 1)]


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")  # e.g. of a file that was not closed
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (("sources", "add", "https://school.example/book.pdf"), 2, "is a web address. Download"),
        (("sources", "list", "mill"), 3, "`chapterverse sources list --collection books` shows"),
        (("sources", "remove", "-c", "documents", "mill", "--yes"), 3, "The source mill could not be found"),
        (("ask", "What is liberty?"), 3, "`chapterverse sources add FILE --collection documents` adds"),
        (("feedback", "-"), 2, "The essay is too short (words: 1). Write"),
        (("feedback", "-", "--rubric", "empty.txt"), 2, "empty.txt is empty; write the text in it"),
        (("batch", "essays.jsonl", "--task", "empty.txt"), 2, "empty.txt is empty; write the text in it"),
        (("feedback", "-", "--output", "feedback.docx"), 2, ".html, .pdf"),
        (("feedback", "-", "--output", "missing/feedback.html"), 2, "Choose another name or place"),
        (("batch", "essays.jsonl", "--out", "empty.txt"), 2, "(Not a directory). Choose another"),
        (("evaluate", "mill", "--output", "empty.txt/feedback.jsonl"), 2, "(Not a directory). Choose another"),
        (("people", "invite", "a@b.example", "--address", "localhost"), 2, "localhost is not a web address"),
        (("feedback", "-", "--rubric", "nope"), 2, "one of argument, sources, story, explanation"),
        (("batch", "--nice", "0"), 0, "No essays are waiting. Name a file"),
        (("lti", "keys", "--print-new", "--rotate"), 2, "--print-new stores nothing"),
        (("index", "fill", "--school", "nope"), 3, "No data was found for a school named nope"),
    ],
)
def test_a_wrong_use_is_told_what_is_wrong(command: tuple[str, ...], code: int, said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "essays.jsonl").write_text('{"text": "An essay."}')
    files = {"essays.jsonl", "empty.txt", "new.zip", "feedback.docx", "missing/feedback.html", "empty.txt/feedback.jsonl"}

    result = run(*(str(tmp_path / word) if word in files else word for word in command), stdin="Hello")

    assert result.exit_code == code
    assert said in result.stderr


def test_the_base_opens_its_catalogue_without_the_libraries_of_the_server(tmp_path: Path) -> None:
    blocked = ("jwt", "requests", "pylti1p3", "flask", "openai", "chromadb", "spacy")
    code = f"""
import sys
sys.modules.update(dict.fromkeys({blocked}))
from chapterverse import composition
from chapterverse.settings import Settings
composition.compose(Settings(home={str(tmp_path)!r})).catalog.books("local")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["numpy", "chapterverse.nothing", None])
def test_a_library_of_no_extra_is_a_defect(name: str | None) -> None:
    assert how_to_install(ModuleNotFoundError(name=name)) is None
