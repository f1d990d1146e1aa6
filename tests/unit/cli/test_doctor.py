import json
import shutil
from pathlib import Path

import pytest

from chapterverse.accounts.setup import ModelSetup
from chapterverse.cli.doctor import is_broken
from chapterverse.composition import lti, school_setups
from chapterverse.lti.launching import register
from chapterverse.lti.model import ANY_DEPLOYMENT, Platform
from chapterverse.settings import read_settings
from tests.support.intake import NOON
from tests.support.language_servers import Reply, language_server, says
from tests.support.lti_platform.model import CLIENT
from tests.support.lti_platform.server import lti_platform
from tests.support.mail_server import MailServer
from tests.support.pdfs import a_locked_pdf
from tests.support.shelved import empty_library, key_of, shelve
from tests.unit.conftest import Run

AWAY = "postgresql+psycopg://reader:hunter2@127.0.0.1:9"
OF_ONE_MACHINE = {"home", "catalog", "index", "artefacts", "uploads", "queue"}


def states(output: str) -> dict[str, str]:
    return {finding["name"]: finding["state"] for finding in json.loads(output)}


def test_what_fails_does_not_keep_the_rest_from_being_looked_at_and_what_is_no_setting_is_named(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAPTERVERSE_MODEL", "a-model")
    (tmp_path / "no-model").mkdir()
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(tmp_path / "no-model"))

    result = run("doctor", "--json")

    assert result.exit_code == 1
    assert states(result.stdout)["model"] == "fail"
    assert {name for name, state in states(result.stdout).items() if state == "ok"} >= OF_ONE_MACHINE
    assert [path for path in (home / "artefacts").rglob("*") if path.is_file()] == []  # nothing is left of what was tried
    state, message = found(result.stdout, "settings")
    assert state == "warn"
    assert "CHAPTERVERSE_MODEL" in message


def test_where_the_index_has_lost_a_book_it_is_to_be_filled_and_where_files_are_lost_added_again(run: Run, home: Path) -> None:
    with empty_library(home) as services:
        key = key_of(shelve(services, "Bees", ["Bees gather nectar."], school="local"))
        services.index.remove(key.partition, key.version)

    output = run("doctor", "--json").stdout

    assert found(output, "kept")[0] == "ok"
    assert "of bees: `chapterverse index fill`" in found(output, "index")[1]

    shutil.rmtree(home / "artefacts")
    output = run("doctor", "--json").stdout
    assert found(output, "kept")[0] == "fail"
    assert "bees is lost: add the file again" in found(output, "kept")[1]
    assert "index fill" not in output


def found(output: str, name: str) -> tuple[str, str]:
    """State and message of one finding."""
    [(state, message)] = [(each["state"], each["message"]) for each in json.loads(output) if each["name"] == name]
    return state, message


def test_a_language_model_comments_on_a_paragraph(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(run("doctor", "--json").stdout, "language model")[0] == "ok"

    with language_server(says({"comments": [], "summary": ""}), Reply(status=401)) as server:
        monkeypatch.setenv("CHAPTERVERSE_LLM_URL", server.url)
        monkeypatch.setenv("CHAPTERVERSE_LLM_MODEL", "a-model")
        silent = found(run("doctor", "--json").stdout, "language model")
        monkeypatch.delenv("CHAPTERVERSE_LLM_URL")
        monkeypatch.delenv("CHAPTERVERSE_LLM_MODEL")
        school_setups(read_settings()).keep_model("local", ModelSetup(url=server.url, model="of-the-page"), "an admin", NOON)
        of_the_page = found(run("doctor", "--json").stdout, "language model")

    assert ("of-the-page" in of_the_page[1], "Check its API key" in of_the_page[1]) == (True, True)
    assert server.asked[0].instructions.startswith("You are an experienced teacher")
    assert (silent[0], "without a comment" in silent[1]) == ("fail", True)


def test_mail_is_tried_with_no_letter_and_platforms_with_our_key(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tool := lti(read_settings())).keys.all()
    with MailServer() as server, lti_platform("", lambda: {"keys": [key.public for key in tool.keys.all()]}) as platform:
        monkeypatch.setenv("CHAPTERVERSE_MAIL_SERVER", server.address)
        monkeypatch.setenv("CHAPTERVERSE_MAIL_FROM", "office@school.example")
        addresses = (f"{platform.address}/{each}" for each in ("auth", "token", "jwks"))
        register(Platform(platform.address, *addresses, (), "1", "local", CLIENT, (ANY_DEPLOYMENT,), NOON), tool)
        output = run("doctor", "--json").stdout

    assert (states(output)["mail"], states(output)["learning platforms"], len(platform.tokens)) == ("ok", "ok", 1)
    assert server.letters == []
    output = run("doctor", "--json").stdout
    assert (found(output, "mail")[0], found(output, "learning platforms")[0]) == ("fail", "fail")
    assert found(output, "learning platforms")[1].startswith(platform.address)

    (keys := home / "lti-keys.json").unlink()
    state, message = found(run("doctor", "--json").stdout, "learning platforms")
    assert (state, "CHAPTERVERSE_LTI_KEYS" in message, keys.exists()) == ("warn", True, False)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"LTI_KEYS": "[]"}, ["learning platforms"]),
        ({"EMBEDDER": "remote", "EMBEDDER_URL": "http://127.0.0.1:9"}, ["model"]),
        ({"LLM_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "m", "LLM_KEY": "hunter2"}, ["language model"]),
        ({"RERANK": "/nowhere"}, ["re-ranker"]),
        ({"INDEX": "http://127.0.0.1:9"}, ["index"]),
        ({"INDEX": "pgvector", "CATALOG": f"{AWAY}/none"}, ["catalog", "index"]),
    ],
)
def test_what_does_not_answer_is_said_without_a_secret(
    run: Run, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], names: list[str]
) -> None:
    for setting, value in settings.items():
        monkeypatch.setenv(f"CHAPTERVERSE_{setting}", value)

    result = run("doctor", "--json")

    told = [found(result.stdout, name) for name in names]
    assert (result.exit_code, {state for state, _ in told}, all(message for _, message in told)) == (1, {"fail"}, True)
    assert "hunter2" not in result.output


def test_every_collection_is_looked_at_and_named_with_its_own_command(run: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("# Thesis\n\nA thesis has at most sixty pages.\n")
    (tmp_path / "bad.pdf").write_bytes(a_locked_pdf("secret"))
    run("sources", "add", "-c", "helpdesk", tmp_path / "thesis.md", tmp_path / "bad.pdf")
    output = run("doctor", "--json").stdout
    assert "1 of 500 helpdesk" in found(output, "catalog")[1]
    assert "not ready: bad (`chapterverse sources list --collection helpdesk` says why)" in found(output, "catalog")[1]
    assert (found(output, "kept")[0], found(output, "index")) == ("ok", ("ok", "1 sentences and chunks"))

    shutil.rmtree(home / "artefacts")

    state, message = found(run("doctor", "--json").stdout, "kept")
    assert (state, "`chapterverse sources add --collection helpdesk FILE`" in message) == ("fail", True)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0 and nothing more" * 200])
def test_a_catalog_that_is_empty_or_cut_off_beside_stored_books_is_named(home: Path, content: bytes) -> None:
    (home / "artefacts" / "local").mkdir(parents=True)
    (home / "catalog.db").write_bytes(content)

    assert is_broken(home / "catalog.db", home / "artefacts")


def test_the_home_folder_and_its_files_are_the_owners_alone(run: Run, home: Path) -> None:
    home.mkdir(mode=0o755, exist_ok=True)
    (home / "old.db").touch(mode=0o644)

    run("keys", "list")

    assert oct(home.stat().st_mode & 0o777) == "0o700"
    assert {oct(path.stat().st_mode & 0o077) for path in home.iterdir()} == {"0o0"}
