"""A school leaves, on one machine and in the cloud: nothing of it is found anywhere, and all of another school is."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import chromadb
import psycopg
import pytest

from chapterverse import composition
from chapterverse.accounts.model import KeyScope
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.operations.archive import school_archive
from chapterverse.settings import Settings
from scripts.cloud_local.stack import ARTEFACTS, RESULTS, UPLOADS
from tests.support.cloud import Cloud
from tests.support.home import Home
from tests.support.pdfs import a_long_pdf
from tests.support.serving import eventually

ROOT = Path(__file__).parents[2]
SCHOOL, OTHER = "leaving-school", "staying-school"
SAID = "Zanzibar"  # in the school's book and essays, and nowhere else
TRACES = (SCHOOL.encode(), SAID.encode(), SAID.lower().encode())
BOOK = a_long_pdf(f"The ship left {SAID}", pages=3)
OTHERS = a_long_pdf("Bees gathered nectar", pages=3)
ESSAY = f"The ship left {SAID}, as number 7 was told."


@dataclass(frozen=True)
class Machine:
    """One machine with two schools."""

    home: Home

    def run(self, school: str, *arguments: str | Path) -> str:
        """What a command says, once it has succeeded."""
        os.environ["CHAPTERVERSE_SCHOOL"] = school
        done = self.home.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def traces(self) -> list[str]:
        """Files that name the school or say what it has said, in their names or in themselves."""
        files = list(self.home.path.rglob("*"))
        named = [str(path) for path in files if any(trace.decode() in path.name for trace in TRACES)]
        return named + [str(path) for path in files if path.is_file() and any(each in path.read_bytes() for each in TRACES)]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Both schools have a book, a file that was uploaded, feedback, and have spent something; one a key and a batch, too."""
    monkeypatch.setenv("CHAPTERVERSE_SCHOOL", "")
    made = Machine(Home(tmp_path / "home"))
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.md").write_text(ESSAY, "utf-8")
    for school, pdf in ((SCHOOL, BOOK), (OTHER, OTHERS)):
        (tmp_path / f"{school}.pdf").write_bytes(pdf)
        made.run(school, "sources", "add", tmp_path / f"{school}.pdf")
        keep(made.home.path, school, ESSAY if school == SCHOOL else "Bees gathered nectar.")
    made.run(SCHOOL, "keys", "create", "--note", SAID)
    made.run(SCHOOL, "batch", tmp_path / "class", "--out", tmp_path / "out")
    return made


def keep(home: Path, school: str, essay: str) -> None:
    """Feedback and what it has cost, and a file as `serve` takes one in."""
    address = f"sqlite:///{home / 'catalog.db'}"
    feedback, ledger = SqlFeedback(address), SqlLedger(address)
    feedback.save(StoredFeedback(f"id-{school}", school, datetime.now(UTC), None, json.dumps({"essay": essay})))
    ledger.settle(school, datetime.now(UTC).date(), 7)
    feedback.close()
    ledger.close()
    uploads = composition.ports.folder_uploads(Settings(home=home))
    uploads.write(f"{school}/{school}.pdf", BOOK if school == SCHOOL else OTHERS)


def test_a_school_takes_its_archive_and_leaves_no_trace(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "essay.md").write_text(ESSAY, "utf-8")
    evidence: list[str | Path] = ["feedback", "--evidence", tmp_path / "essay.md", "--json"]
    of_other = machine.run(OTHER, *evidence)
    archive = b"".join(school_archive(SCHOOL, composition.school_stores(Settings(home=machine.home.path))))
    assert machine.traces()

    said = json.loads(machine.run(OTHER, "schools", "remove", SCHOOL, "--yes", "--json"))

    assert machine.traces() == []
    assert (said["books"], said["files"]) == (4, 1)  # a book for essays, Ask, textbooks and lectures
    assert said["rows"] == {"api_keys": 1, "feedback": 1, "spending": 1}
    again = json.loads(machine.run(OTHER, "schools", "remove", SCHOOL, "--yes", "--json"))
    assert again == {"school": SCHOOL, "books": 0, "files": 0, "batches": 0, "rows": {}}
    assert machine.run(OTHER, *evidence) == of_other
    with ZipFile(BytesIO(archive)) as taken:
        assert taken.read(f"uploads/{SCHOOL}.pdf") == BOOK


@pytest.mark.parametrize("school", ["", ".."])
def test_what_is_no_schools_name_removes_nothing(school: str, tmp_path: Path) -> None:
    assert Home(tmp_path).run("schools", "remove", school, "--yes").returncode == 2


def test_nobody_is_removed_by_mistake_nor_asked_about_a_school_that_is_not_there(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.run("keys", "create")

    assert "of local for good" in home.run("schools", "remove", "local").stderr
    assert "for good" not in (other := home.run("schools", "remove", OTHER)).stderr
    assert (other.returncode, OTHER in other.stderr) == (3, True)


@dataclass(frozen=True)
class Look:
    """Into every store of the cloud."""

    cloud: Cloud

    def buckets(self) -> list[str]:
        storage = self.cloud._storage
        return [blob.name for name in (UPLOADS, ARTEFACTS, RESULTS) for blob in storage.list_blobs(name) if SCHOOL in blob.name]

    def collections(self) -> list[str]:
        client = chromadb.HttpClient("127.0.0.1", self.cloud.stack.ports.chroma)
        return [each.name for each in client.list_collections() if SCHOOL in each.name]

    def rows(self) -> list[str]:
        """Of every table of the database, whoever made it."""
        address = self.cloud.stack.environment["CHAPTERVERSE_CATALOG"].replace("+psycopg", "")
        with psycopg.connect(address) as connection:
            tables = connection.execute(
                "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'"
            ).fetchall()
            found = [(table, self._rows_of(connection, table)) for (table,) in tables]
        return [table for table, rows in found if SCHOOL in rows or SAID in rows]

    @staticmethod
    def _rows_of(connection: psycopg.Connection, table: str) -> str:
        return str(connection.execute(f"SELECT each::text FROM {table} AS each").fetchall())


@pytest.fixture
def busy(cloud: Cloud) -> Look:
    """A school that has used everything."""
    cloud.put(f"{SCHOOL}/ship.pdf", BOOK)
    cloud.put(f"{SCHOOL}/broken.pdf", b"no PDF at all")
    cloud.wait_for_book(SCHOOL, "ship")
    cloud.wait_for_book(SCHOOL, "broken", state="failed")
    assert cloud.call("POST", "/api/v1/essays/feedback", SCHOOL, json={"essay": ESSAY}).status_code == 200
    lines = json.dumps({"id": "ada", "text": ESSAY})
    headers = {"Content-Type": "application/x-ndjson"}
    assert cloud.call("POST", "/api/v1/batches", SCHOOL, content=lines, headers=headers).is_success
    cloud.wait_until_quiet()
    return Look(cloud)


def test_nothing_of_it_is_in_any_store_of_the_cloud(busy: Look) -> None:
    cloud, secret = busy.cloud, busy.cloud.key(SCHOOL, KeyScope.TEACHER)
    assert all([busy.buckets(), busy.collections(), busy.rows()])

    command = [sys.executable, "-W", "ignore", "-m", "chapterverse.cli.app", "schools", "remove", SCHOOL, "--yes"]
    environment = {**os.environ, **cloud.stack.environment}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    cloud.wait_until_quiet()
    eventually(lambda: not busy.buckets(), "the last event to be dealt with")
    assert (busy.buckets(), busy.collections(), busy.rows()) == ([], [], [])
    answer = cloud.http.get(
        f"{cloud.stack.url('api')}/api/v1/collections/books/sources", headers={"Authorization": f"Bearer {secret}"}
    )
    assert answer.status_code == 401
