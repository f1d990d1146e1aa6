from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run


def test_a_wrong_setting_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_MAX_BOOKS", "many")

    result = run("books", "list")

    assert result.exit_code == 2
    assert "CHAPTERVERSE_MAX_BOOKS" in result.stderr


@pytest.mark.parametrize("command", [("books", "list"), ("books", "add", __file__), ("evidence", __file__)])
def test_a_home_where_nothing_can_be_kept_is_a_setting_to_be_changed(
    run: Run, home: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file where the folder should be")
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(home / "below"))

    result = run(*command)

    assert result.exit_code == 2
    assert result.stderr.startswith("chapterverse: ")
    assert "Nothing can be kept in CHAPTERVERSE_HOME" in result.stderr
    assert "Errno" not in result.stderr
