import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run


def states(output: str) -> dict[str, str]:
    return {finding["name"]: finding["state"] for finding in json.loads(output)}


def test_what_fails_does_not_keep_the_rest_from_being_looked_at(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no-model").mkdir()
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(tmp_path / "no-model"))

    result = run("doctor", "--json")

    assert result.exit_code == 1
    assert states(result.stdout)["model"] == "fail"
    assert {name for name, state in states(result.stdout).items() if state == "ok"} >= {"python", "home", "catalog", "index"}


def test_a_home_that_cannot_be_written_fails(run: Run, home: Path) -> None:
    home.write_text("a file where the folder should be")

    assert states(run("doctor", "--json").stdout)["home"] == "fail"
