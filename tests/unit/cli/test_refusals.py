"""What cannot work is refused before anything is done, with a true message."""

import errno
from pathlib import Path
from socket import create_server

import pytest

from chapterverse.cli.serve import refuse_taken
from chapterverse.cli.terminal import Commands
from chapterverse.core.errors import BadRequest
from chapterverse.essays.cli import refuse_unwritable, rubric_at
from tests.support.refusals import refused
from tests.unit.conftest import Run


def test_a_port_that_is_taken_is_named_before_an_address_is_printed() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(BadRequest, match=f"cannot use 127.0.0.1, port {port} .* --port"):
            refuse_taken("127.0.0.1", port)
    refuse_taken("127.0.0.1", port)
    with refused(BadRequest, "cli_no_such_host"):
        refuse_taken("300.1.1.1", port)


def test_a_missing_folder_for_the_output_is_named_before_feedback_is_written(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="No such file or directory"):
        refuse_unwritable(tmp_path / "missing" / "feedback.html")


def test_a_full_disk_is_called_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/home/catalog.db")

    monkeypatch.setattr("typer.core.TyperGroup.invoke", full)
    group = Commands(name="chapterverse")

    with pytest.raises(BaseException):  # noqa: B017, PT011  # typer's exit
        group.invoke(group.context_class(group))

    assert "The disk is full: make room, or set CHAPTERVERSE_HOME." in capsys.readouterr().err


def test_of_a_rubric_in_csv_each_row_is_a_criterion(tmp_path: Path) -> None:
    (path := tmp_path / "rubric.csv").write_text('criterion,points\n"Thesis, stated early",3\nStyle,1\n', "utf-8")

    assert [(each.text, each.weight) for each in rubric_at(path)] == [("Thesis, stated early", 3), ("Style", 1)]


def test_a_class_that_cannot_be_read_leaves_no_folder(run: Run, tmp_path: Path) -> None:
    assert run("batch", str(tmp_path / "missing.csv")).exit_code == 2

    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")  # e.g. of a file that was not closed
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("sources", "add", "https://school.example/book.pdf"), "is a web address. Download"),
        (("sources", "remove", "mill"), "The source mill could not be found"),
        (("ask", "What is liberty?"), "The collection documents is still empty"),
        (("feedback", "-"), "The essay is too short (words: 1). Write"),
        (("feedback", "-", "--rubric", "empty.txt"), "The rubric is empty. Write one criterion per line"),
        (("feedback", "https://school.example/essay"), "https://school.example/essay is a web address. Download"),
        (("feedback", "-", "--tone", "rude"), "'--tone': 'rude' is not one of"),
        (("people", "invite", "a@b.example", "--address", "localhost"), "localhost is not a web address"),
        (("feedback", "-", "--rubric", "nope"), "one of argument, sources, story, explanation"),
        (("index", "fill", "--school", "nope"), "No data was found for a school named nope"),
        (("schools", "export", "nope", "new.zip"), "No data was found for a school named nope"),
    ],
)
def test_a_wrong_use_is_answered_with_what_is_wrong(command: tuple[str, ...], said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    result = run(*(str(tmp_path / word) if word in {"empty.txt", "new.zip"} else word for word in command), stdin="Hello")

    assert result.exit_code in {2, 3}
    assert said in result.stderr
