"""The HTTP server of `chapterverse serve`: waitress, with deadlines for slow senders and a share of connections for each
address (docs/security.md).

One thread reads all requests and writes all responses; a request takes one of the other threads when it is whole. So whoever
sends slowly, or not at all, holds a socket and nothing else, and only until a deadline."""

import signal
import socket
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from threading import current_thread, main_thread
from time import sleep, time
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import Error

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one client may take. body_bytes: the largest body; small_bytes: of one that anybody may send; large ones are read
    only with a key or a session, which is checked then."""

    body_bytes: int
    small_bytes: int = 2**20
    header_seconds: float = 10.0  # from a request's first byte to the end of its headers, and from connecting to the first byte
    body_seconds: float = 30.0  # for a body, and as long again as slow_bytes a second take
    slow_bytes: int = 64 * 1024  # a second: the slowest line that a large file is taken from
    keep_alive: float = 75.0  # that an idle connection stays open: longer than any Retry-After but those of rates
    unread_seconds: float = 60.0  # that a client may leave a response unread
    connections: int = 1000
    by_address: int = 400  # of these: a school of 200 pupils may come from one address
    large_at_once: int = 8  # large bodies that are read; the others wait unread


CREDENTIALS = {"AUTHORIZATION", "COOKIE"}
READ_BYTES = 512 * 1024  # at a time: each time all connections are looked at
MANY = 100  # connections, from which on
REST_SECONDS = 1.0  # that a connection is not read after a 429: a client that goes on at once costs nothing meanwhile
PAUSE_SECONDS = 0.003  # pass before they are looked at again, so that one look serves several
IDLE_SECONDS = 1.0  # for threads without a request to end in: until then waitress counts them as running
MAINTENANCE_SECONDS = 0.25  # between two looks for deadlines that have passed
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
TLS = b"\x16"  # the first byte of who types https:// (RFC 8446, 5.1)
TOO_MANY = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class NotAdmitted(Error):  # type: ignore[misc]  # waitress has no types
    """The answer to a large body of a stranger."""

    code, reason = 401, "Unauthorized"


class ResponseTask(WSGITask):  # type: ignore[misc]
    """Answers one request, and lets its connection rest after a 429."""

    def build_response_header(self) -> bytes:
        if self.status.startswith("429"):
            self.channel.rests_until = time() + REST_SECONDS
        return bytes(super().build_response_header())


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection. began: when the request being read began, or the connection was made; None: between two requests.
    rests_until: when it is read again."""

    task_class = ResponseTask

    def __init__(self, server: "Server", sock: socket.socket, address: Any, adj: Adjustments, **options: Any) -> None:
        self.began: float | None = time()
        self.rests_until = 0.0
        self.parser_class = partial(LimitedParser, server=server)
        super().__init__(server, sock, address, adj, **options)

    @property
    def is_idle(self) -> bool:
        """Whether no request of it is being answered."""
        return not self.requests and not self.total_outbufs_len

    @property
    def is_large(self) -> bool:
        """Whether it is sending a large body."""
        request = self.request
        return bool(request and request.headers_finished and request.content_length > self.server.limits.small_bytes)

    def readable(self) -> bool:
        if self.request is None and time() < self.rests_until:
            return False
        return bool(super().readable()) and (self.request is None or not self.is_large or self.server.may_read(self))

    def received(self, data: bytes) -> bool:
        """Take what came, and note when the request began that is not whole yet."""
        if self.request is None:
            self.began = time()
            if data.startswith(TLS):
                data = TLS + b"\r\n\r\n"  # it would wait for an answer to the rest; this is a bad request
        taken = bool(super().received(data))
        if self.request is None:
            self.began = None
        return taken

    def is_late(self, now: float, limits: ServerLimits) -> bool:
        if self.requests:
            return False
        request, last = self.request, float(self.last_activity)
        if self.total_outbufs_len:
            return now - last > limits.unread_seconds
        if self.began is None:
            return now - last > limits.keep_alive
        if request is None or not request.headers_finished:
            return now - self.began > limits.header_seconds
        return now - self.began > limits.body_seconds + int(request.body_bytes_received) / limits.slow_bytes


class LimitedParser(HTTPRequestParser):  # type: ignore[misc]
    """A request as it is read. A large body is refused before it is read, without credentials."""

    def __init__(self, adj: Adjustments, server: "Server") -> None:
        super().__init__(adj)
        self._server = server

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.content_length > self._server.limits.small_bytes and CREDENTIALS.isdisjoint(self.headers):
            self.error = NotAdmitted("Send a key.")
            self.completed = True


class Server(TcpWSGIServer):  # type: ignore[misc]
    """The server; `limits` hold for every connection."""

    def __init__(self, app: "WSGIApplication", adj: Adjustments, limits: ServerLimits) -> None:
        self.limits = limits
        self._large: set[Channel] = set()
        self._ending = False
        self._maintained = 0.0  # when deadlines were last looked at
        super().__init__(app, adj=adj)

    def channel_class(self, _server: Any, conn: socket.socket, address: Any, adj: Adjustments, **options: Any) -> None:
        """A connection was made. At an address's limit, its oldest idle connection is closed; without one, this is refused."""
        if len(self.active_channels) >= min(self.limits.by_address, self.limits.connections) and not self._has_room(address[0]):
            with suppress(OSError):
                conn.send(TOO_MANY)
                conn.shutdown(socket.SHUT_WR)
            conn.close()
            return
        Channel(self, conn, address, adj, **options)

    def _has_room(self, host: str) -> bool:
        """Whether the host may have another connection, perhaps after its oldest idle one was closed."""
        own = [each for each in self.active_channels.values() if each.addr[0] == host]
        if len(own) < self.limits.by_address and len(self.active_channels) < self.limits.connections:
            return True
        idle = [each for each in own if each.is_idle]
        if idle:
            min(idle, key=attrgetter("last_activity")).handle_close()
        return bool(idle)

    def may_read(self, channel: Channel) -> bool:
        """Whether a large body may be read on now; else its sender waits, and its deadline with it."""
        self._large = {each for each in self._large if each.connected and each.is_large}
        if channel in self._large:
            return True
        if len(self._large) < self.limits.large_at_once:
            self._large.add(channel)
            return True
        channel.began = time()
        return False

    def maintenance(self, now: float) -> None:
        """Close the connections whose deadline has passed; looks at all of them, so not at every turn."""
        if 0 <= now - self._maintained < MAINTENANCE_SECONDS:
            return
        self._maintained = now
        for channel in list(self.active_channels.values()):
            if channel.is_late(now, self.limits):
                if channel.request is not None:
                    with suppress(OSError):
                        channel.socket.send(TOO_LATE)
                channel.handle_close()

    def serve_until_ended(self, grace: float) -> None:
        """Serve until `end`, SIGTERM or Ctrl-C; requests that are being answered then have `grace` seconds."""
        if current_thread() is main_thread():
            for each in (signal.SIGTERM, signal.SIGINT):
                signal.signal(each, lambda *_: self.end())
        while not self._ending:
            self.turn()
        self.accepting = False
        self.del_channel()
        self.socket.close()
        until = time() + grace
        while time() < until and not all(each.is_idle for each in self.active_channels.values()):
            self.turn()
        for channel in list(self.active_channels.values()):
            channel.handle_close()
        self.task_dispatcher.shutdown(timeout=IDLE_SECONDS)

    def end(self) -> None:
        """Tell serve_until_ended to end; it returns when the open requests are answered."""
        self._ending = True
        self.pull_trigger()

    def turn(self) -> None:
        """Read and write whatever can be; a second at most."""
        if len(self.active_channels) > MANY:
            sleep(PAUSE_SECONDS)
        wasyncore.loop(timeout=1.0, use_poll=True, map=self._map, count=1)
        self.maintenance(time())


def server_of(app: "WSGIApplication", at: tuple[str, int], threads: int, limits: ServerLimits) -> Server:
    """The server, listening. at: host and port; port 0 is any free one."""
    host, port = at
    adjustments = Adjustments(
        host=host,
        port=port,
        threads=threads,
        backlog=limits.connections,
        connection_limit=2 * limits.connections,  # it stops accepting there; ours chooses whom to refuse before
        max_request_body_size=limits.body_bytes + 1,
        recv_bytes=READ_BYTES,
        cleanup_interval=3600,  # ours runs at every turn
        ident="",
        clear_untrusted_proxy_headers=True,
    )
    return Server(app, adjustments, limits)
