import pytest

from tests.unit.cli.conftest import Run


def test_a_wrong_setting_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_MAX_BOOKS", "many")

    result = run("books", "list")

    assert result.exit_code == 2
    assert "CHAPTERVERSE_MAX_BOOKS" in result.stderr
