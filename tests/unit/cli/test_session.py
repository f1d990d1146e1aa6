from pathlib import Path

import pytest

from tests.unit.conftest import Run


@pytest.mark.parametrize("command", [("sources", "list"), ("doctor",)])
@pytest.mark.parametrize(
    ("name", "value"),
    [("MAX_BOOKS", "many"), ("KEEP_DAYS", "99999999999"), ("MAX_LLM_COST_PER_DAY", "nan"), ("LLM_PRICES", "cheap")],
)
def test_a_wrong_setting_is_named_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str, value: str
) -> None:
    monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)

    result = run(*command)

    assert result.exit_code == 2
    assert result.output.count(f"CHAPTERVERSE_{name}") == 1


def test_an_empty_setting_is_the_usual_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_MAX_BOOKS", "")

    assert run("sources", "list").exit_code == 0


@pytest.mark.parametrize("command", [("sources", "list"), ("sources", "add", __file__), ("feedback", __file__)])
def test_a_home_where_nothing_can_be_kept_is_a_setting_to_be_changed(
    run: Run, home: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file where the folder should be")
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(home / "below"))

    result = run(*command)

    assert result.exit_code == 2
    assert result.stderr.startswith("chapterverse: ")
    assert "CHAPTERVERSE_HOME" in result.stderr
    assert "is not writable" in result.stderr
    assert "Errno" not in result.stderr
