"""Sources of the help desk by the command line."""

import json
from pathlib import Path

from tests.unit.conftest import Run


def test_a_page_of_a_department_is_added_listed_and_removed(run: Run, tmp_path: Path) -> None:
    assert json.loads(run("sources", "list", "-c", "helpdesk", "--json").stdout) == []
    (tmp_path / "thesis.md").write_text("# Thesis\n\nA thesis has at most sixty pages.\n")

    assert run("sources", "add", "-c", "helpdesk", tmp_path / "thesis.md", "--department", "physics").exit_code == 0

    [source] = json.loads(run("sources", "list", "-c", "helpdesk", "--json").stdout)
    assert (source["department"], source["title"]) == ("physics", "Thesis")
    assert run("sources", "remove", "-c", "helpdesk", source["source"], "--yes").exit_code == 0
