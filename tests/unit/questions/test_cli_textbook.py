"""`chapterverse textbook`."""

import json
from pathlib import Path

from tests.unit.conftest import Run


def test_a_folder_that_is_refused_is_on_record_and_no_book_among_those_for_essays(run: Run, tmp_path: Path) -> None:
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "page.md").write_text("")

    result = run("sources", "add", "-c", "textbook", tmp_path / "robots")

    assert result.exit_code == 2
    assert "page.md contains no text" in result.stderr
    [book] = json.loads(run("sources", "list", "-c", "textbook", "--json").stdout)
    assert (book["book"], book["file"], book["state"], book["reason"]) == ("robots", "robots.zip", "failed", "no_text")
    assert json.loads(run("sources", "list", "--json").stdout) == []
