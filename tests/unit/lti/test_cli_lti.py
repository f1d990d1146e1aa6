"""`chapterverse lti`."""

import json

import pytest

from tests.unit.conftest import Run


def test_a_key_is_rotated_and_nothing_secret_is_shown(run: Run) -> None:
    run("lti", "keys")
    rotated = json.loads(run("lti", "keys", "--rotate", "--json").stdout)

    assert [each["state"].split()[0] for each in rotated] == ["signs", "since"]
    assert set(rotated[0]) == {"key", "state"}


def test_a_secret_for_the_cloud_is_printed_and_continued(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("lti", "keys", "--print-new").stdout
    monkeypatch.setenv("CHAPTERVERSE_LTI_KEYS", first)

    assert json.loads(run("lti", "keys", "--print-new").stdout)[1]["private"] == json.loads(first)[0]["private"]
    assert "Enter the new keys there and restart" in run("lti", "keys", "--rotate").stderr
