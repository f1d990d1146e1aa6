"""`chapterverse ask --collection helpdesk`, as a newcomer walks through it."""

import json
from pathlib import Path

from tests.unit.conftest import Run

QUESTION = "What does a late project cost?"


def asked(run: Run, question: str = QUESTION, *more: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(run("ask", "--collection", "helpdesk", question, "--json", *more).stdout)
    return told


def test_where_there_is_nothing_a_person_is_offered_and_commands_say_what_to_do(run: Run) -> None:
    assert json.loads(run("sources", "list", "-c", "helpdesk", "--json").stdout) == []
    assert "Talk to Human" in run("ask", "--collection", "helpdesk", "Why?").stdout


def test_a_page_of_a_department_is_found_there_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("# Thesis\n\nA thesis has at most sixty pages.\n")

    assert run("sources", "add", "-c", "helpdesk", tmp_path / "thesis.md", "--department", "physics").exit_code == 0

    asks = "How many pages has a thesis at most?"
    assert not asked(run, asks, "--department", "physics")["no_relevant_info"]
    assert asked(run, asks, "--department", "chemistry")["no_relevant_info"]
    [source] = json.loads(run("sources", "list", "-c", "helpdesk", "--json").stdout)
    assert (source["department"], source["title"]) == ("physics", "Thesis")
    assert run("sources", "remove", "-c", "helpdesk", source["book"], "--yes").exit_code == 0


def test_each_line_is_a_message_of_one_conversation(run: Run) -> None:
    told = run("ask", "--collection", "helpdesk", "--json", stdin=f"{QUESTION}\nAnd how?\n")

    assert [json.loads(line)["no_relevant_info"] for line in told.stdout.splitlines()] == [True, True]
