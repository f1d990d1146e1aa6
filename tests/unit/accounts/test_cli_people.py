import json
from pathlib import Path

from chapterverse.cli.session import SERVED
from tests.unit.conftest import Run


def test_somebody_is_invited_with_a_link_listed_and_removed(run: Run, home: Path) -> None:
    assert run("people", "list").stderr == "chapterverse: Nothing to list yet.\n"
    (home / SERVED).write_text("http://127.0.0.1:9090", "utf-8")

    link, told = run("people", "invite", "Anna@school.example", "--role", "teacher").stdout.splitlines()

    assert link.startswith("http://127.0.0.1:9090/sign-in/link")
    assert "as teacher" in told
    [anna] = json.loads(run("people", "list", "--json").stdout)
    assert (anna["email"], anna["role"]) == ("anna@school.example", "teacher")
    assert run("people", "remove", "anna@school.example").exit_code == 0
    assert run("people", "remove", "anna@school.example").exit_code == 3
