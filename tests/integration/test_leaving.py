"""A school leaves the cloud: nothing of it is found anywhere."""

import json
from dataclasses import dataclass

import chromadb
import psycopg
import pytest

from chapterverse.accounts.model import KeyScope
from scripts.cloud_local.stack import ARTEFACTS, RESULTS, UPLOADS
from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.serving import eventually

SCHOOL = "leaving-school"
SAID = "Zanzibar"  # in the school's book and essays, and nowhere else
BOOK = a_long_pdf(f"The ship left {SAID}", pages=3)
ESSAY = f"The ship left {SAID}, as number 7 was told."


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

    done = cloud.run("chapterverse.cli.app", "schools", "remove", SCHOOL, "--yes")

    assert done.returncode == 0, done.stderr
    cloud.wait_until_quiet()
    eventually(lambda: not busy.buckets(), "the last event to be dealt with")
    assert (busy.buckets(), busy.collections(), busy.rows()) == ([], [], [])
    address = f"{cloud.stack.url('api')}/api/v1/collections/books/sources"
    answer = cloud.http.get(address, headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401
