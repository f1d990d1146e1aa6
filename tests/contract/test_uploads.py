"""What every Uploads must do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from moto.server import ThreadedMotoServer

from chapterverse.core.errors import BadRequest, BucketUnavailable, NotFound, TooLarge
from chapterverse.core.ports import Uploads
from chapterverse.core.tasks import StoredFile
from chapterverse.infrastructure.storage import s3
from chapterverse.infrastructure.storage.folder import FolderUploads
from chapterverse.infrastructure.storage.gcs import GcsUploads
from chapterverse.infrastructure.storage.s3 import S3Uploads
from tests.support.object_stores import gcs_client, signing_key
from tests.support.refusals import refused
from tests.support.target import Target

BUCKETS = count(1)
PDF = b"%PDF-1.7 a book"


@dataclass(frozen=True)
class Store:
    """One real store: as the port, and as those have it who put files there."""

    uploads: Uploads
    put: Callable[[str, bytes], object]
    delete: Callable[[str], object]  # as those delete it


def folder(request: pytest.FixtureRequest) -> Store:
    uploads = FolderUploads(request.getfixturevalue("tmp_path") / "uploads")

    return Store(uploads, uploads.write, uploads.delete)


def gcs(request: pytest.FixtureRequest) -> Store:
    bucket = gcs_client(request.getfixturevalue("gcs_server")).create_bucket(f"books-{next(BUCKETS)}")

    def put(name: str, data: bytes) -> None:
        bucket.blob(name).upload_from_string(data, content_type="application/pdf")

    return Store(GcsUploads(bucket, signing_key()), put, bucket.delete_blob)


def s3_bucket(request: pytest.FixtureRequest) -> Store:
    client, bucket = request.getfixturevalue("s3_client"), f"books-{next(BUCKETS)}"
    client.create_bucket(Bucket=bucket)

    def put(name: str, data: bytes) -> None:
        client.put_object(Bucket=bucket, Key=name, Body=data)

    return Store(S3Uploads(client, bucket), put, lambda name: client.delete_object(Bucket=bucket, Key=name))


def s3_client_to(address: str) -> Any:
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    return s3.open_client(endpoint_url=address, **keys)


@pytest.fixture(scope="module")
def s3_client() -> Iterator[object]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield s3_client_to(f"http://{host}:{port}")
    server.stop()


@pytest.fixture(params=[folder, gcs, s3_bucket], ids=lambda start: start.__name__)
def store(request: pytest.FixtureRequest) -> Store:
    """Each real store, empty."""
    begun: Store = request.param(request)
    return begun


def test_what_we_write_is_found_and_a_file_beyond_the_limit_is_refused(store: Store) -> None:
    store.uploads.write("school/a.pdf", b"%PDF-1.7 the first")
    written = store.uploads.write("school/a.pdf", PDF)

    assert written == store.uploads.find("school/a.pdf")
    assert store.uploads.read(written, max_bytes=len(PDF)) == PDF
    with pytest.raises(TooLarge, match=str(len(PDF) - 1)):
        store.uploads.read(written, max_bytes=len(PDF) - 1)


def test_only_the_content_that_was_found_is_read(store: Store) -> None:
    with pytest.raises(NotFound):
        store.uploads.find("school/a.pdf")
    with pytest.raises(NotFound):
        store.uploads.read(StoredFile("school/a.pdf", "1"), max_bytes=10)
    store.put("school/a.pdf", PDF)
    old = store.uploads.find("school/a.pdf")
    store.put("school/a.pdf", PDF[::-1])
    new = store.uploads.find("school/a.pdf")

    with pytest.raises(NotFound):
        store.uploads.read(old, max_bytes=100)

    assert store.uploads.read(new, max_bytes=100) == PDF[::-1]
    store.delete("school/a.pdf")
    with pytest.raises(NotFound):
        store.uploads.read(new, max_bytes=100)


def test_files_are_listed_by_name_and_one_is_deleted_and_no_other(store: Store) -> None:
    for name in ("school/b.pdf", "school/a.pdf", "schoolyard/a.pdf"):
        store.put(name, PDF)
    assert store.uploads.files("school/") == [store.uploads.find(f"school/{each}.pdf") for each in "ab"]
    assert store.uploads.files("nobody/") == []

    for _ in range(2):  # the second time it is not there
        store.uploads.delete("school/a.pdf")

    assert [file.name for file in store.uploads.files("school")] == ["school/b.pdf", "schoolyard/a.pdf"]


@pytest.mark.parametrize("name", ["../a.pdf", "school//a.pdf", "", "school/.a.pdf"])
def test_a_name_that_leads_elsewhere_is_refused(store: Store, name: str) -> None:
    with pytest.raises(BadRequest):
        store.uploads.find(name)
    with pytest.raises(BadRequest):
        store.uploads.upload_url(name, seconds=60, max_bytes=100)


@pytest.mark.parametrize("store", [gcs, s3_bucket], ids=lambda start: start.__name__, indirect=True)
def test_a_pdf_sent_to_its_address_arrives(store: Store) -> None:
    address, headers = store.uploads.upload_url("schule ü/a b.pdf", seconds=60, max_bytes=100)

    httpx.put(address, content=PDF, headers=headers).raise_for_status()

    assert store.uploads.read(store.uploads.find("schule ü/a b.pdf"), max_bytes=100) == PDF


def test_a_file_larger_than_its_address_allows_is_refused(gcs_server: str) -> None:
    bucket = gcs_client(gcs_server).create_bucket(f"books-{next(BUCKETS)}")
    address, headers = GcsUploads(bucket, signing_key()).upload_url("school/a.pdf", seconds=60, max_bytes=4)
    assert [httpx.put(address, content=each, headers=headers).status_code for each in (b"12345", b"1234")] == [400, 200]


def gcs_at(address: str) -> Uploads:
    return GcsUploads(gcs_client(address).bucket("books"), seconds=0.5)


def s3_at(address: str) -> Uploads:
    return S3Uploads(s3_client_to(address), "books")


@pytest.mark.parametrize("open_store", [gcs_at, s3_at])
def test_a_store_that_does_not_answer_is_unavailable(open_store: Callable[[str], Uploads]) -> None:
    away = open_store("http://127.0.0.1:9")

    for ask in (
        lambda: away.find("a/b"),
        lambda: away.files("a/"),
        lambda: away.read(StoredFile("a/b", "1"), 10),
        lambda: away.delete("a/b"),
    ):
        with pytest.raises(BucketUnavailable):
            ask()


@pytest.mark.parametrize("status", [403, 503])
@pytest.mark.parametrize("open_store", [gcs_at, s3_at])
def test_a_store_that_refuses_or_is_not_well_is_unavailable(
    open_store: Callable[[str], Uploads], status: int, target: Target
) -> None:
    target.answer = lambda _: (status, None)
    uploads = open_store(target.url)

    with pytest.raises(BucketUnavailable):
        uploads.find("school/a.pdf")
    with pytest.raises(BucketUnavailable):
        uploads.read(StoredFile("school/a.pdf", "1"), max_bytes=10)


@pytest.fixture
def uploads(tmp_path: Path) -> FolderUploads:
    return FolderUploads(tmp_path)


def test_a_folder_gives_out_no_addresses_and_a_file_simply_put_into_it_is_found(uploads: FolderUploads, tmp_path: Path) -> None:
    with refused(BadRequest, "files_come_as_forms"):
        uploads.upload_url("school/a.pdf", 60, 100)
    (tmp_path / "school").mkdir()
    (tmp_path / "school" / "a.pdf").write_bytes(PDF)

    assert uploads.files("") == [uploads.find("school/a.pdf")]
