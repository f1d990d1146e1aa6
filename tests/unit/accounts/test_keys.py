import json

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
    assert key["secret"].startswith(f"cv_{key['id']}_")
    assert known == {name: value for name, value in key.items() if name != "secret"}
    assert (known["scope"], known["note"], known["expires"]) == ("teacher", "for the LMS", None)


def test_for_people_the_secret_is_the_first_line(run: Run) -> None:
    secret, told = run("keys", "create").stdout.splitlines()

    assert secret.startswith("cv_")
    assert "scope student for the school local" in told


def test_a_key_may_be_good_for_some_days_only(run: Run) -> None:
    made(run, "--days", "30")

    assert "good until" in run("keys", "list").stdout


def test_each_school_has_its_own_keys_and_a_new_one_is_told_of(run: Run) -> None:
    told = [run("keys", "create", "--school", "elsewhere").stderr for _ in range(2)]

    assert ["elsewhere" in each for each in told] == [True, False]
    assert listed(run) == []
    assert len(listed(run, "--school", "elsewhere")) == 2
