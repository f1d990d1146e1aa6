"""The local Cloud Tasks does to the real client what the service does."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import tasks_v2 as api
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport

from scripts.cloud_local.dispatch import backoff
from tests.support.emulators import emulator
from tests.support.target import Target, target

LOCATION = "projects/p/locations/l"
QUEUES = count(1)
pytestmark = pytest.mark.slow  # of what the slow tests of the cloud stand on


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    with emulator("scripts.cloud_local.tasks") as ports:
        yield ports


@pytest.fixture(scope="module")
def client(ports: dict[str, int]) -> Iterator[api.CloudTasksClient]:
    with grpc.insecure_channel(f"127.0.0.1:{ports['port']}") as channel:
        yield api.CloudTasksClient(transport=CloudTasksGrpcTransport(channel=channel))


@pytest.fixture
def service() -> Iterator[Target]:
    with target() as service:
        yield service


def new_queue(client: api.CloudTasksClient, *, min_backoff: float = 0.05, **of: Any) -> str:
    retry = api.RetryConfig(min_backoff=timedelta(seconds=min_backoff), max_attempts=of.pop("max_attempts", -1))
    queue = api.Queue(name=f"{LOCATION}/queues/q{next(QUEUES)}", retry_config=retry, rate_limits=api.RateLimits(**of))
    return client.create_queue(parent=LOCATION, queue=queue).name


def add(client: api.CloudTasksClient, queue: str, url: str, name: str = "", **of: Any) -> api.Task:
    request = api.HttpRequest(url=url, body=of.pop("body", b"{}"), oidc_token=of.pop("oidc_token", None))
    full = f"{queue}/tasks/{name}" if name else ""
    return client.create_task(parent=queue, task=api.Task(name=full, http_request=request, **of))


@pytest.mark.parametrize("wrong", [{"name": "no blanks"}, {"body": b"x" * 1024 * 1024}, {"url": "ftp://x"}])
def test_what_the_service_refuses_is_refused(client: api.CloudTasksClient, service: Target, wrong: dict[str, Any]) -> None:
    queue = new_queue(client)

    with pytest.raises(exceptions.InvalidArgument):
        add(client, queue, **({"url": service.url} | wrong))
    with pytest.raises(exceptions.NotFound):
        add(client, queue + "x", service.url)


def test_the_wait_doubles_then_grows_evenly_up_to_a_limit() -> None:
    """The example of the reference: 10 s, doublings 3, limit 300 s."""
    retry = api.RetryConfig(min_backoff=timedelta(seconds=10), max_backoff=timedelta(seconds=300), max_doublings=3)

    assert [backoff(retry, failures) for failures in range(1, 9)] == [10, 20, 40, 80, 160, 240, 300, 300]
