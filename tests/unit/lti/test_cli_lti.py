"""`chapterverse lti`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chapterverse.cli.app import app
from chapterverse.cli.session import settings


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(tmp_path))
    monkeypatch.setenv("CHAPTERVERSE_SITE_URL", "https://chapterverse.school.example")
    settings.cache_clear()


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_key_is_rotated_and_nothing_secret_is_shown() -> None:
    run("lti", "keys")
    rotated = json.loads(run("lti", "keys", "--rotate", "--json"))

    assert [each["state"].split()[0] for each in rotated] == ["signs", "since"]
    assert set(rotated[0]) == {"key", "state"}


def test_a_secret_for_the_cloud_is_printed_and_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("lti", "keys", "--print-new").strip()
    monkeypatch.setenv("CHAPTERVERSE_LTI_KEYS", first)
    settings.cache_clear()

    second = json.loads(run("lti", "keys", "--print-new"))

    assert second[1]["private"] == json.loads(first)[0]["private"]
