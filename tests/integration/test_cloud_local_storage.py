"""The local Cloud Storage does to the real client what the service does, and tells of it as Eventarc does."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import monotonic, sleep
from urllib.parse import quote
from urllib.request import Request, urlopen

import httpx
import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

from chapterverse.infrastructure.storage.gcs import GcsUploads
from tests.support.discovery import refused
from tests.support.emulators import emulator
from tests.support.target import PATIENCE, Target, target

NAMES = count(1)
pytestmark = pytest.mark.slow  # of what the slow tests of the cloud stand on


@pytest.fixture(scope="module")
def service() -> Iterator[Target]:
    with target() as service:
        yield service


@pytest.fixture(scope="module")
def server(service: Target) -> Iterator[str]:
    told = (f"--event=finalized={service.url}/new", f"--event=archived={service.url}/gone", "--retry-seconds", "0.05", "0.1")
    told += ("--grant=reader:books=objectViewer", "--grant=writer:books=objectUser")
    with emulator("scripts.cloud_local.storage", "--bucket", "books", "--bucket", "quiet", "--watch", "books", *told) as ports:
        yield f"http://127.0.0.1:{ports['port']}"


@pytest.fixture
def bucket(server: str, service: Target) -> storage.Bucket:
    settle(server)
    service.got.clear()
    service.answer = lambda _: (200, None)
    control(server, "copies?n=1")
    client = storage.Client(project="p", credentials=AnonymousCredentials(), client_options={"api_endpoint": server})
    return client.bucket("books")


@pytest.fixture
def blob(bucket: storage.Bucket) -> storage.Blob:
    return bucket.blob(f"school/buch ü {next(NAMES)}.pdf")


def control(server: str, what: str) -> None:
    urlopen(Request(f"{server}/_events/{what}", method="POST")).close()


def settle(server: str) -> None:
    """Until every event of the tests before was taken."""
    deadline = monotonic() + PATIENCE
    while not all(event["done"] for event in json.load(urlopen(f"{server}/_events"))):
        assert monotonic() < deadline
        sleep(0.02)


def test_of_many_who_write_what_is_not_there_one_wins(bucket: storage.Bucket) -> None:
    def write(number: int) -> bool:
        try:
            bucket.blob("race").upload_from_string(str(number), if_generation_match=0)
        except exceptions.PreconditionFailed:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(write, range(16))) == 1


def test_only_the_generation_expected_is_replaced_or_deleted(blob: storage.Blob) -> None:
    blob.upload_from_string("first")
    first = blob.generation
    blob.upload_from_string("second", if_generation_match=first)

    with pytest.raises(exceptions.PreconditionFailed):
        blob.upload_from_string("third", if_generation_match=first)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.delete(if_generation_match=first)

    assert blob.download_as_bytes(if_generation_match=blob.generation) == b"second"


def test_an_upload_in_pieces_keeps_its_precondition(blob: storage.Blob) -> None:
    blob.chunk_size = 256 * 1024
    blob.upload_from_string(b"x" * 600_000, if_generation_match=0)

    with pytest.raises(exceptions.PreconditionFailed):
        blob.upload_from_string(b"y" * 600_000, if_generation_match=0)

    assert blob.download_as_bytes() == b"x" * 600_000


def test_events_can_be_held_turned_round_doubled_and_replayed(
    bucket: storage.Bucket, blob: storage.Blob, server: str, service: Target
) -> None:
    control(server, "hold")
    for text in ("first", "second"):
        blob.upload_from_string(text)
    control(server, "release-backwards")
    generations = [json.loads(sent.body)["generation"] for sent in service.wait_for(3)]
    assert generations[1:] == sorted(generations[1:], reverse=True)

    control(server, "copies?n=2")
    bucket.blob("twice").upload_from_string("x")
    event = service.wait_for(5)[-1].headers["ce-id"]
    control(server, f"replay?id={event}")

    assert [sent.headers["ce-id"] for sent in service.wait_for(7)[3:]] == [event] * 4


def test_what_is_told_of_an_object_is_what_the_service_tells(blob: storage.Blob, server: str, service: Target) -> None:
    blob.metadata = {"title": "On Liberty"}
    blob.upload_from_string("x")

    event = json.loads(service.wait_for(1)[0].body)
    listed = httpx.get(f"{server}/storage/v1/b/books/o").json()

    assert (refused("storage.Object", event), refused("storage.Objects", listed)) == ([], [])
    assert event["metadata"] == {"title": "On Liberty"}


def test_an_upload_whose_client_died_never_happened(bucket: storage.Bucket, blob: storage.Blob, server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    path = quote(f"/books/{blob.name}")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"PUT {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it".encode())
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""

    assert not blob.exists()


def test_a_body_larger_than_the_address_allows_is_refused(server: str, bucket: storage.Bucket) -> None:
    url, headers = GcsUploads(bucket).upload_url("school/large.pdf", 60, max_bytes=4)

    refused = httpx.put(url, content=b"12345", headers=dict(headers))
    taken = httpx.put(url, content=b"1234", headers=dict(headers))

    assert (refused.status_code, taken.status_code) == (400, 200)


def test_a_program_does_to_a_bucket_what_its_role_allows(server: str, blob: storage.Blob) -> None:
    def of(program: str, bucket: str) -> storage.Blob:
        options = {"api_endpoint": f"{server}/as/{program}"}
        client = storage.Client(project="p", credentials=AnonymousCredentials(), client_options=options)
        return client.bucket(bucket).blob(blob.name)

    of("writer", "books").upload_from_string("by one who may")

    assert of("reader", "books").download_as_bytes() == b"by one who may"
    for forbidden in (of("reader", "books"), of("writer", "quiet"), of("stranger", "books")):
        with pytest.raises(exceptions.Forbidden):
            forbidden.upload_from_string("no")
    with pytest.raises(exceptions.Forbidden):
        of("reader", "books").delete()
