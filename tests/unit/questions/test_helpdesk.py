"""`chapterverse helpdesk`, as a newcomer walks through it."""

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
    shown = run("helpdesk", "faq", "list", "none")
    assert (shown.exit_code, "`chapterverse helpdesk faq list`" in shown.stderr) == (3, True)
    assert run("helpdesk", "faq", "approve").exit_code == 2


def test_a_list_is_added_read_approved_asked_changed_and_removed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "faq.csv").write_text(FAQ)

    added = run("helpdesk", "faq", "add", tmp_path / "faq.csv")
    assert (added.exit_code, "helpdesk faq approve --all" in added.stdout) == (0, True)
    assert asked(run)["no_relevant_info"]

    assert run("helpdesk", "faq", "approve", "--all").exit_code == 0
    told = asked(run)
    assert (told["no_relevant_info"], told["reply"]) == (False, f"{NAMED}It costs 25 euros at the registry. [1]")
    [entry] = json.loads(run("helpdesk", "faq", "list", "--json").stdout)

    assert run("helpdesk", "faq", "add", "--change", entry["id"], "--answer", "It costs 30 euros.").exit_code == 0
    assert asked(run)["no_relevant_info"]
    run("helpdesk", "faq", "approve", entry["id"])
    assert asked(run)["reply"] == f"{NAMED}It costs 30 euros. [1]"
    assert run("helpdesk", "faq", "remove", entry["id"], "--yes").exit_code == 0
    assert asked(run)["no_relevant_info"]


def test_a_page_of_a_department_is_found_there_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("# Thesis\n\nA thesis has at most sixty pages.\n")

    assert run("sources", "add", "-c", "helpdesk", tmp_path / "thesis.md", "--department", "physics").exit_code == 0

    asks = "How many pages has a thesis at most?"
    assert not asked(run, asks, "--department", "physics")["no_relevant_info"]
    assert asked(run, asks, "--department", "chemistry")["no_relevant_info"]
    [source] = json.loads(run("sources", "list", "-c", "helpdesk", "--json").stdout)
    assert (source["department"], source["title"]) == ("physics", "Thesis")
    assert run("sources", "remove", "-c", "helpdesk", source["book"], "--yes").exit_code == 0


def test_an_agents_answer_becomes_an_entry(run: Run) -> None:
    talk = run("ask", "--collection", "helpdesk", "--name", "Ada", stdin="Where is the prayer room, asks Ada?\n\n/human\n")
    assert "An agent will answer" in talk.stdout

    [waiting] = json.loads(run("helpdesk", "handoffs", "--json").stdout)
    run("helpdesk", "handoffs", waiting["id"], "It is in the east wing, Ada.")
    draft = json.loads(run("helpdesk", "faq", "add", "--conversation", waiting["id"], "--json").stdout)
    run("helpdesk", "faq", "approve", draft["id"])

    assert (draft["question"], draft["type"]) == ("Where is the prayer room, asks <PERSON>?", "resolved_query")
    assert json.loads(run("helpdesk", "handoffs", "--json").stdout) == []
    reply = asked(run, "Where is the prayer room?")["reply"]
    assert reply == "This answers: “Where is the prayer room, asks <PERSON>?”\n\nIt is in the east wing, <PERSON>. [1]"
    said = run("helpdesk", "handoffs", waiting["id"]).stdout
    assert "agent: It is in the east wing, Ada." in said


def test_a_conversation_goes_on(run: Run) -> None:
    first = asked(run)

    again = asked(run, "And how?", "--conversation", str(first["conversation"]))

    assert again["conversation"] == first["conversation"]
    assert run("ask", "--collection", "helpdesk", "Why?", "--conversation", "none").exit_code == 3


def test_a_list_at_fault_keeps_no_other_file_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('[{"question": "Why?"}]')
    (tmp_path / "faq.csv").write_text(FAQ)

    result = run("helpdesk", "faq", "add", tmp_path / "bad.json", tmp_path / "faq.csv", "--approve")

    assert (result.exit_code, "has no answer" in result.stderr) == (2, True)
    assert not asked(run)["no_relevant_info"]
