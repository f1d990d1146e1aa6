"""The local front end does to requests what Cloud Run's does before a program hears of them."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from chapterverse.core.errors import Unauthenticated
from chapterverse.web.auth import SIGNATURE_REMOVED, ServiceAuthenticator
from scripts.cloud_local.parts import free_ports
from tests.support.emulators import emulator
from tests.support.target import Target

CALLER = "tasks@local.iam.gserviceaccount.com"
pytestmark = pytest.mark.slow  # of what the slow tests of the cloud stand on


@pytest.fixture
def fronts(target: Target) -> Iterator[tuple[str, str, str]]:
    """The addresses of a private and of an open service with that container, and of the tokens."""
    private, opened = free_ports(2)
    inside = target.url.rpartition(":")[2]
    with ExitStack() as running:
        certs = f"http://127.0.0.1:{running.enter_context(emulator('scripts.cloud_local.tasks'))['certs_port']}"
        services = [f"--service={private}={inside}={CALLER}", f"--service={opened}={inside}="]
        running.enter_context(emulator("scripts.cloud_local.front", "--certs", f"{certs}/certs", *services))
        yield f"http://127.0.0.1:{private}", f"http://127.0.0.1:{opened}", certs


def token(certs: str, audience: str, email: str = CALLER) -> str:
    at = f"{certs}/computeMetadata/v1/instance/service-accounts/{email}/identity"
    return httpx.get(at, params={"audience": audience}, headers={"Metadata-Flavor": "Google"}).text


def test_a_verified_token_arrives_without_its_signature(fronts: tuple[str, str, str], target: Target) -> None:
    private, _, certs = fronts
    authorization = f"Bearer {token(certs, private)}"

    answer = httpx.post(f"{private}/v1/index", content=b"body", headers={"Authorization": authorization})

    [sent] = target.got
    assert (answer.status_code, sent.path, sent.body) == (200, "/v1/index", b"body")
    assert sent.headers["authorization"].endswith(f".{SIGNATURE_REMOVED}")
    behind = ServiceAuthenticator(private, frozenset({CALLER}), f"{certs}/certs", verified=True)
    assert behind.admit(sent.headers["authorization"]) == CALLER
    with pytest.raises(Unauthenticated):  # a program that verifies again, as ours once did, refuses every caller
        ServiceAuthenticator(private, frozenset({CALLER}), f"{certs}/certs").admit(sent.headers["authorization"])


def test_who_may_not_invoke_a_private_service_never_reaches_it(fronts: tuple[str, str, str], target: Target) -> None:
    private, opened, certs = fronts
    stranger = f"Bearer {token(certs, private, 'somebody@local.iam.gserviceaccount.com')}"
    elsewhere = f"Bearer {token(certs, opened)}"

    statuses = [
        httpx.post(private, headers={"Authorization": each} if each else {}).status_code for each in ("", elsewhere, stranger)
    ]

    assert statuses == [401, 401, 403]
    assert target.got == []


def test_an_open_service_is_reached_but_for_paths_that_google_keeps(fronts: tuple[str, str, str], target: Target) -> None:
    _, opened, _ = fronts

    statuses = [httpx.get(f"{opened}{path}").status_code for path in ("/ready", "/healthz", "/readyz?x=1")]

    assert statuses == [200, 404, 404]
    assert [sent.path for sent in target.got] == ["/ready"]
