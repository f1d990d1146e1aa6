"""The local Cloud Storage and Cloud Tasks do to the real clients what the services do, and tell of it as Eventarc does."""

import json
import socket
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import grpc
import httpx
import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from google.cloud import tasks_v2 as api
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport

from chapterverse.infrastructure.storage.gcs import GcsUploads
from scripts.cloud_local.dispatch import backoff
from tests.support.discovery import refused
from tests.support.emulators import emulator
from tests.support.serving import eventually
from tests.support.target import Target, target

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
    eventually(lambda: all(event["done"] for event in json.load(urlopen(f"{server}/_events"))), every=0.02)


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
    blob.upload_from_string("x")

    event = json.loads(service.wait_for(1)[0].body)
    listed = httpx.get(f"{server}/storage/v1/b/books/o").json()

    assert (refused("storage.Object", event), refused("storage.Objects", listed)) == ([], [])


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


LOCATION = "projects/p/locations/l"

QUEUES = count(1)


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    with emulator("scripts.cloud_local.tasks") as ports:
        yield ports


@pytest.fixture(scope="module")
def client(ports: dict[str, int]) -> Iterator[api.CloudTasksClient]:
    with grpc.insecure_channel(f"127.0.0.1:{ports['port']}") as channel:
        yield api.CloudTasksClient(transport=CloudTasksGrpcTransport(channel=channel))


def new_queue(client: api.CloudTasksClient, *, min_backoff: float = 0.05, **of: Any) -> str:
    retry = api.RetryConfig(min_backoff=timedelta(seconds=min_backoff), max_attempts=of.pop("max_attempts", -1))
    queue = api.Queue(name=f"{LOCATION}/queues/q{next(QUEUES)}", retry_config=retry, rate_limits=api.RateLimits(**of))
    return client.create_queue(parent=LOCATION, queue=queue).name


def add(client: api.CloudTasksClient, queue: str, url: str, name: str = "", **of: Any) -> api.Task:
    request = api.HttpRequest(url=url, body=of.pop("body", b"{}"), oidc_token=of.pop("oidc_token", None))
    full = f"{queue}/tasks/{name}" if name else ""
    return client.create_task(parent=queue, task=api.Task(name=full, http_request=request, **of))


@pytest.mark.parametrize("wrong", [{"name": "no blanks"}, {"body": b"x" * 1024 * 1024}, {"url": "ftp://x"}])
def test_what_the_service_refuses_is_refused(client: api.CloudTasksClient, target: Target, wrong: dict[str, Any]) -> None:
    queue = new_queue(client)

    with pytest.raises(exceptions.InvalidArgument):
        add(client, queue, **({"url": target.url} | wrong))
    with pytest.raises(exceptions.NotFound):
        add(client, queue + "x", target.url)


def test_the_wait_doubles_then_grows_evenly_up_to_a_limit() -> None:
    """The example of the reference: 10 s, doublings 3, limit 300 s."""
    retry = api.RetryConfig(min_backoff=timedelta(seconds=10), max_backoff=timedelta(seconds=300), max_doublings=3)

    assert [backoff(retry, failures) for failures in range(1, 9)] == [10, 20, 40, 80, 160, 240, 300, 300]
