import json

import pytest

from chapterverse.accounts.model import KeyScope
from tests.unit.conftest import Run


def made(run: Run, *more: str) -> dict[str, str]:
    """A new key as --json tells it."""
    key: dict[str, str] = json.loads(run("keys", "create", "--json", *more).stdout)
    return key


def listed(run: Run, *more: str) -> list[dict[str, str]]:
    keys: list[dict[str, str]] = json.loads(run("keys", "list", "--json", *more).stdout)
    return keys


def test_a_key_is_made_and_its_secret_shown_once(run: Run) -> None:
    key = made(run, "--scope", "teacher", "--note", "for the LMS")

    [known] = listed(run)
    assert key["secret"].startswith(f"cv_{key['key']}_")
    assert known == {name: value for name, value in key.items() if name != "secret"}
    assert (known["scope"], known["note"], known["expires"]) == ("teacher", "for the LMS", None)


def test_for_people_the_secret_is_the_first_line(run: Run) -> None:
    secret, told = run("keys", "create").stdout.splitlines()

    assert secret.startswith("cv_")
    assert "scope student for the school local" in told


def test_a_key_may_be_good_for_some_days_only(run: Run) -> None:
    made(run, "--days", "30")

    assert "good until" in run("keys", "list").stdout


def test_each_school_has_its_own_keys(run: Run) -> None:
    made(run, "--school", "elsewhere")

    assert listed(run) == []
    assert len(listed(run, "--school", "elsewhere")) == 1


def test_a_rotated_key_has_a_successor_like_it_and_ends_soon(run: Run) -> None:
    old = made(run, "--scope", "teacher", "--note", "LMS")

    new = json.loads(run("keys", "create", "--rotate", old["key"], "--json").stdout)

    assert (new["scope"], new["note"], new["secret"] == old["secret"]) == ("teacher", "LMS", False)
    assert {key["key"]: key["expires"] is None for key in listed(run)} == {old["key"]: False, new["key"]: True}


def test_a_revoked_key_stays_in_the_list_as_such(run: Run) -> None:
    key = made(run)

    assert run("keys", "revoke", key["key"]).stdout == f"Revoked {key['key']}.\n"
    assert "revoked" in run("keys", "list").stdout


def test_a_key_of_another_school_is_not_found(run: Run) -> None:
    key = made(run, "--school", "elsewhere")

    assert run("keys", "create", "--rotate", key["key"]).exit_code == 3
    assert run("keys", "revoke", key["key"]).exit_code == 3


def test_a_scope_that_there_is_not_is_refused(run: Run) -> None:
    assert run("keys", "create", "--scope", "principal").exit_code == 2


@pytest.mark.parametrize("scope", KeyScope)
def test_every_scope_can_be_chosen(run: Run, scope: KeyScope) -> None:
    assert json.loads(run("keys", "create", "--scope", scope, "--json").stdout)["scope"] == scope
