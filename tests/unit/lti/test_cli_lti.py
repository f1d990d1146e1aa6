"""`chapterverse lti`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chapterverse.cli.app import app
from chapterverse.cli.session import settings

MOODLE = ("lti", "add", "moodle", "--host", "https://moodle.school.example/", "--client-id", "c1")


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(tmp_path))
    monkeypatch.setenv("CHAPTERVERSE_SITE_URL", "https://chapterverse.school.example")
    settings.cache_clear()


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_moodle_is_added_by_its_host_and_a_deployment_later() -> None:
    run(*MOODLE)
    told = json.loads(run(*MOODLE, "--deployment", "2", "--json"))

    assert told["keys_url"] == "https://moodle.school.example/mod/lti/certs.php"
    assert (told["issuer"], told["deployments"], told["widest"]) == ("https://moodle.school.example", ["2"], "teacher")
    assert len(json.loads(run("lti", "list", "--json"))) == 1


def test_another_platform_is_added_by_all_its_addresses() -> None:
    at = "https://lms.school.example"
    addresses = ("--login-url", f"{at}/auth", "--token-url", f"{at}/token", "--keys-url", f"{at}/jwks")
    other = ("lti", "add", "other", "--client-id", "c1", *addresses)

    told = json.loads(run(*other, "--issuer", "https://vendor.example", "--json"))

    assert (told["issuer"], told["login_url"], told["keys_url"]) == ("https://vendor.example", f"{at}/auth", f"{at}/jwks")
    assert CliRunner().invoke(app, other).exit_code == 2  # without its issuer


def test_a_platform_or_one_deployment_of_it_is_removed() -> None:
    id = json.loads(run(*MOODLE, "--deployment", "1", "--deployment", "2", "--json"))["id"]

    run("lti", "remove", id, "--deployment", "1")
    assert json.loads(run("lti", "list", "--json"))[0]["deployments"] == ["2"]
    run("lti", "remove", id)
    assert json.loads(run("lti", "list", "--json")) == []


def test_what_canvas_takes_names_our_addresses() -> None:
    told = json.loads(run("lti", "list", "--canvas"))

    assert told["oidc_initiation_url"] == "https://chapterverse.school.example/lti/login"
    assert told["public_jwk_url"] == "https://chapterverse.school.example/lti/jwks"
    assert {each["placement"] for each in told["extensions"][0]["settings"]["placements"]} == {
        "assignment_selection",
        "link_selection",
        "ActivityAssetProcessor",
    }
    assert "/lti/launch" in run("lti", "list", "--ours")


def test_a_canvas_of_instructure_has_its_logins_in_one_place() -> None:
    told = json.loads(
        run(
            "lti",
            "add",
            "canvas",
            "--host",
            "https://school.instructure.com",
            "--client-id",
            "10",
            "--deployment",
            "7:a",
            "--json",
        )
    )

    assert told["issuer"] == "https://canvas.instructure.com"
    assert told["token_url"] == "https://school.instructure.com/login/oauth2/token"
    assert "https://school.instructure.com" in told["origins"]


@pytest.mark.parametrize("url", ["http://moodle.school.example", "https://a b", "ftp://x", ""])
def test_an_address_that_is_not_safe_is_refused(url: str) -> None:
    result = CliRunner().invoke(app, ["lti", "add", "moodle", "--host", url, "--client-id", "c1"])

    assert result.exit_code == 2


def test_a_key_is_rotated_and_nothing_secret_is_shown() -> None:
    run("lti", "keys")
    rotated = json.loads(run("lti", "keys", "--rotate", "--json"))

    assert [each["state"].split()[0] for each in rotated] == ["signs", "since"]
    assert set(rotated[0]) == {"key", "state"}


def test_a_secret_for_the_cloud_is_printed_and_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("lti", "keys", "--print-new").strip()
    monkeypatch.setenv("CHAPTERVERSE_LTI_KEYS", first)
    settings.cache_clear()

    second = json.loads(run("lti", "keys", "--print-new"))

    assert second[1]["private"] == json.loads(first)[0]["private"]
