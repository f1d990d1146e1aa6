"""`chapterverse ask --collection helpdesk`, as a newcomer walks through it."""

import json
from pathlib import Path

from tests.unit.conftest import Run

FAQ = "id,question,answer,department\nfee,What does a late project cost?,It costs 25 euros at the registry.,\n"
QUESTION = "What does a late project cost?"
NAMED = f"This answers: “{QUESTION}”\n\n"


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


def test_a_conversation_goes_on(run: Run) -> None:
    first = asked(run)

    again = asked(run, "And how?", "--conversation", str(first["conversation"]))

    assert again["conversation"] == first["conversation"]
    assert run("ask", "--collection", "helpdesk", "Why?", "--conversation", "none").exit_code == 3
