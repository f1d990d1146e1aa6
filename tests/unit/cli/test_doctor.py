import json
import shutil
from pathlib import Path

import pytest

from tests.support.shelved import empty_library, shelve
from tests.unit.cli.conftest import Run


def states(output: str) -> dict[str, str]:
    return {finding["name"]: finding["state"] for finding in json.loads(output)}


def test_what_fails_does_not_keep_the_rest_from_being_looked_at(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no-model").mkdir()
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(tmp_path / "no-model"))

    result = run("doctor", "--json")

    assert result.exit_code == 1
    assert states(result.stdout)["model"] == "fail"
    assert {name for name, state in states(result.stdout).items() if state == "ok"} >= {"python", "home", "catalog", "index"}


def test_a_home_that_cannot_be_written_fails(run: Run, home: Path) -> None:
    home.write_text("a file where the folder should be")

    result = run("doctor", "--json")

    assert result.exit_code == 1
    assert states(result.stdout)["home"] == "fail"
    assert "Errno" not in result.stdout


def test_of_a_book_whose_files_are_lost_it_says_to_add_the_pdf_again(run: Run, home: Path) -> None:
    with empty_library(home) as services:
        shelve(services, "Bees", ["Bees gather nectar."], school="local")
    shutil.rmtree(home / "artefacts")

    found = {finding["name"]: (finding["state"], finding["message"]) for finding in json.loads(run("doctor", "--json").stdout)}

    assert found["kept"][0] == "fail"
    assert "bees is lost: add the PDF again" in found["kept"][1]
    assert "reindex" not in str(found)


def test_of_a_book_that_only_the_index_has_lost_it_says_to_reindex(run: Run, home: Path) -> None:
    with empty_library(home) as services:
        book = shelve(services, "Bees", ["Bees gather nectar."], school="local")
        assert book.active
        services.index.remove(book.active.key.partition, book.active.key.version)

    found = {finding["name"]: (finding["state"], finding["message"]) for finding in json.loads(run("doctor", "--json").stdout)}

    assert found["kept"][0] == "ok"
    assert "bees: `chapterverse books reindex`" in found["index"][1]
