"""The local Cloud Storage does to the real client what the service does, and tells of it as Eventarc does."""

import json
import socket
from collections.abc import Iterator
from itertools import count
from time import monotonic, sleep
from urllib.parse import quote
from urllib.request import urlopen

import httpx
import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

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
    client = storage.Client(project="p", credentials=AnonymousCredentials(), client_options={"api_endpoint": server})
    return client.bucket("books")


@pytest.fixture
def blob(bucket: storage.Bucket) -> storage.Blob:
    return bucket.blob(f"school/buch ü {next(NAMES)}.pdf")


def settle(server: str) -> None:
    """Until every event of the tests before was taken."""
    deadline = monotonic() + PATIENCE
    while not all(event["done"] for event in json.load(urlopen(f"{server}/_events"))):
        assert monotonic() < deadline
        sleep(0.02)


def test_only_the_generation_expected_is_replaced_or_deleted(blob: storage.Blob) -> None:
    blob.upload_from_string("first")
    first = blob.generation
    blob.upload_from_string("second", if_generation_match=first)

    with pytest.raises(exceptions.PreconditionFailed):
        blob.upload_from_string("third", if_generation_match=first)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.delete(if_generation_match=first)

    assert blob.download_as_bytes(if_generation_match=blob.generation) == b"second"


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
