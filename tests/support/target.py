"""A tiny HTTP service that keeps what it is sent and answers as it is told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition

from tests.support.serving import at_work

PATIENCE = 60.0  # seconds; a busy machine is slow


@dataclass(frozen=True)
class Sent:
    """One request; headers by lower-case name."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Target:
    """answer: the status, and Retry-After where it is not None, for a request."""

    answer: Callable[[Sent], tuple[int, int | None]] = lambda _: (200, None)
    got: list[Sent] = field(default_factory=list)
    url: str = ""
    changed: Condition = field(default_factory=Condition)

    def take(self, sent: Sent) -> tuple[int, int | None]:
        with self.changed:
            self.got.append(sent)
            self.changed.notify_all()
        return self.answer(sent)

    def wait_for(self, requests: int) -> list[Sent]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.got) >= requests, PATIENCE), f"{len(self.got)} requests came"
            return list(self.got)


@contextmanager
def target() -> Iterator[Target]:
    service = Target()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, retry_after = service.take(Sent(self.path, headers, body))
            self.send_response(status)
            if retry_after is not None:
                self.send_header("Retry-After", str(retry_after))
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer  # noqa: N815  # http.server's names

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}"
    with at_work(server):
        yield service
