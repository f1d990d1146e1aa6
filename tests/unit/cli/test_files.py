from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chapterverse.cli.files import pdfs_at
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.infrastructure.storage import s3
from tests.support.books import LIMITS
from tests.support.object_stores import gcs_client, gcs_server, s3_server
from tests.support.refusals import refused

Put = Callable[[str, bytes], object]


@contextmanager
def gs(patch: pytest.MonkeyPatch) -> Iterator[Put]:
    with gcs_server("--bucket", "books") as address:
        patch.setenv("STORAGE_EMULATOR_HOST", address)
        patch.setenv("GOOGLE_CLOUD_PROJECT", "p")
        bucket = gcs_client(address).bucket("books")
        yield lambda name, data: bucket.blob(name).upload_from_string(data)


@contextmanager
def s3_store(patch: pytest.MonkeyPatch) -> Iterator[Put]:
    with s3_server() as address:
        of = {"ENDPOINT_URL": address, "ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "DEFAULT_REGION": "us-east-1"}
        for name, value in of.items():
            patch.setenv(f"AWS_{name}", value)
        client = s3.open_client()
        client.create_bucket(Bucket="books")
        yield lambda name, data: client.put_object(Bucket="books", Key=name, Body=data)


@pytest.fixture(params=[("gs", gs), ("s3", s3_store)], ids=["gs", "s3"])
def address(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Of a bucket with three books of one school and one of another."""
    scheme, store = request.param
    with store(monkeypatch) as put:
        for name in ("school/a.pdf", "school/b.PDF", "school/a.pdf.pdf", "school/notes.txt", "other/a.pdf"):
            put(name, name.encode())
        yield f"{scheme}://books"


def test_a_file_in_a_store_is_read_from_there(address: str) -> None:
    [pdf] = pdfs_at(f"{address}/school/a.pdf", LIMITS)

    assert (pdf.name, pdf.read()) == ("a.pdf", b"school/a.pdf")


def test_an_address_that_is_no_file_stands_for_all_pdfs_that_begin_so(address: str) -> None:
    pdfs = pdfs_at(f"{address}/school/", LIMITS)

    assert [pdf.read() for pdf in pdfs] == [b"school/a.pdf", b"school/a.pdf.pdf", b"school/b.PDF"]
    assert len(pdfs_at(address, LIMITS)) == 4


def test_an_address_without_a_pdf_is_not_found(address: str) -> None:
    with refused(NotFound, "cli_no_pdf_at"):
        pdfs_at(f"{address}/school/notes", LIMITS)


def test_a_path_is_looked_at_when_it_is_read(tmp_path: Path) -> None:
    [missing] = pdfs_at(str(tmp_path / "missing.pdf"), LIMITS)

    with refused(BadRequest, "cli_file_unusable"):
        missing.read()
