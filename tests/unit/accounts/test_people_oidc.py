import json

import pytest

from tests.unit.conftest import Run

LESSING = (
    "--title",
    "Lessing",
    "--issuer",
    "https://accounts.google.com",
    "--client",
    "12",
    "--domain",
    "@Lessing.example",
)


def test_a_schools_sign_in_is_registered_listed_and_removed(run: Run) -> None:
    added = run("people", "oidc", "lessing", *LESSING, "--role-claim", "groups", "--role", "staff=teacher")

    assert "http://127.0.0.1:8080/sign-in/school/lessing/back" in added.stdout
    assert "CHAPTERVERSE_OIDC_SECRETS has no secret" in added.stdout
    [told] = json.loads(run("people", "oidc", "--json").stdout)
    assert (told["domains"], told["roles"]) == (["lessing.example"], [["staff", "teacher"]])
    assert "accounts.google.com" in run("people", "oidc").stdout
    assert run("people", "oidc", "lessing", "--remove").exit_code == 0
    assert run("people", "oidc", "lessing", "--remove").exit_code == 3


def test_no_secret_is_ever_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_OIDC_SECRETS", '{"lessing": "hush-hush"}')

    said = [run("people", "oidc", "lessing", *LESSING), run("people", "oidc", "--json"), run("doctor")]

    assert all("hush" not in each.output for each in said)
    assert "has no secret" not in said[0].stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ("--role", "staff=teacher"),
        ("--role-claim", "x", "--role", "staff=head"),
        ("--require", "hd"),
        ("--role-claim", "x"),
        ("--client", ""),
    ],
)
def test_what_cannot_be_meant_is_refused(run: Run, wrong: tuple[str, ...]) -> None:
    assert run("people", "oidc", "lessing", *LESSING, *wrong).exit_code == 2
