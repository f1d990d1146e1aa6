"""The server: slow senders hold nothing but a socket, and not for long; nobody is cut off because of them."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from threading import Thread
from time import monotonic, sleep

import pytest
from flask import Flask, Response, request

from chapterverse.web.server import REST_SECONDS, Server, ServerLimits, server_of

LIMITS = ServerLimits(2**20, small_bytes=2**16)
IMPATIENT = ServerLimits(2**20, header_seconds=1.0, body_seconds=1.0)
PATIENCE = 60.0  # seconds; a busy machine is slow


def app() -> Flask:
    made = Flask("answers")
    made.add_url_rule("/", "home", lambda: "here")
    made.add_url_rule("/too-many", "too-many", lambda: ("wait", 429, {"Retry-After": "1"}))
    made.add_url_rule("/size", "size", lambda: str(len(request.get_data())), methods=["POST"])

    def parts() -> Iterator[str]:
        for number in range(3):
            sleep(0.1)
            yield f"{number},"

    made.add_url_rule("/stream", "stream", lambda: Response(parts()))
    return made


@contextmanager
def running(limits: ServerLimits = LIMITS, threads: int = 8) -> Iterator[Server]:
    server = server_of(app(), ("127.0.0.1", 0), threads, limits)
    thread = Thread(target=server.serve_until_ended, args=(PATIENCE,))
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


def opened(server: Server, sent: bytes = b"") -> socket.socket:
    """A connection over which this was sent."""
    own = socket.create_connection(("127.0.0.1", int(server.effective_port)), PATIENCE)
    own.sendall(sent)
    return own


def got(server: Server, path: str = "/", method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", int(server.effective_port), timeout=PATIENCE)) as client:
        client.request(method, path, body, headers)
        response = client.getresponse()
        return response.status, response.read().decode()


HALF_SENT = [b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\nemail=ada"]


def end_of(client: socket.socket) -> bytes:
    """The first line that comes; empty if the connection is closed without one."""
    with suppress(ConnectionResetError):
        return client.recv(100).partition(b"\r\n")[0]
    return b""


def test_three_hundred_half_sent_requests_stop_nobody_and_are_closed() -> None:
    with running(IMPATIENT) as server, ExitStack() as held:
        slow = [held.enter_context(opened(server, HALF_SENT[number % 3])) for number in range(300)]

        assert got(server) == (200, "here")
        ends = [end_of(each) for each in slow]

    assert set(ends[0::3]) == {b""}
    assert set(ends[1::3]) | set(ends[2::3]) <= {b"HTTP/1.1 408 Request Timeout", b""}


def test_who_types_https_is_answered_at_once(server: Server) -> None:
    with opened(server, b"\x16\x03\x01\x02\x00\x01") as browser:
        assert end_of(browser).endswith(b" 400 Bad Request")


def test_a_body_that_comes_a_byte_at_a_time_is_not_waited_for_without_end() -> None:
    with (
        running(IMPATIENT) as server,
        opened(server, b"POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n") as slow,
    ):
        slow.settimeout(0.05)
        for _ in range(200):
            try:
                slow.sendall(b"x")
                if answer := slow.recv(100):
                    break
            except TimeoutError:
                continue

    assert answer.startswith(b"HTTP/1.1 408")


def test_a_connection_is_kept_longer_than_told_to_wait_and_only_who_goes_on_after_a_429_waits(server: Server) -> None:
    with closing(HTTPConnection("127.0.0.1", int(server.effective_port), timeout=PATIENCE)) as client:
        for wait in (2.5, 0.0):  # Retry-After is 2 seconds
            client.request("GET", "/")
            assert client.getresponse().read() == b"here"
            sleep(wait)

        client.request("GET", "/too-many")
        assert client.getresponse().read() == b"wait"
        began = monotonic()
        client.request("GET", "/")

        assert got(server) == (200, "here")
        assert client.getresponse().read() == b"here"
        assert monotonic() - began > REST_SECONDS / 2


def test_an_address_at_its_limit_loses_its_own_idle_connections_only() -> None:
    with running(ServerLimits(2**20, by_address=3)) as server, ExitStack() as held:
        slow = [held.enter_context(opened(server, b"GET / HT")) for _ in range(3)]

        assert got(server) == (200, "here")
        assert slow[0].recv(1) == b""


def test_a_large_body_is_read_only_with_a_key_or_a_session(server: Server) -> None:
    large = b"x" * 200_000

    assert got(server, "/size", "POST", b"x" * 60_000) == (200, "60000")
    assert got(server, "/size", "POST", large, Cookie="session=any") == (200, "200000")
    with opened(server, b"POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n") as stranger:
        assert stranger.recv(100).startswith(b"HTTP/1.1 401")


def test_large_bodies_wait_for_each_other_and_all_arrive() -> None:
    with running(ServerLimits(2**21, small_bytes=2**16, large_at_once=1)) as server, ThreadPoolExecutor(6) as clients:
        answers = list(clients.map(lambda _: got(server, "/size", "POST", b"x" * 2**20, Authorization="Bearer any"), range(6)))

    assert answers == [(200, str(2**20))] * 6


def test_a_response_that_is_streamed_is_finished_when_the_server_is_told_to_end() -> None:
    with running(threads=2) as server, opened(server, b"GET /stream HTTP/1.0\r\n\r\n") as client:
        answer = client.recv(1000)  # it has begun
        server.end()
        answer += b"".join(iter(lambda: client.recv(1000), b""))

    assert answer.endswith(b"0,1,2,")
