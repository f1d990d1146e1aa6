"""A tiny HTTP service that keeps what it is sent and answers as it is told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import Flask, Response, request

from tests.support.serving import eventually, serving

METHODS = ["GET", "POST", "PUT", "DELETE"]


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

    def wait_for(self, requests: int) -> list[Sent]:
        eventually(lambda: len(self.got) >= requests, f"{requests} requests", every=0.01)
        return list(self.got)


@contextmanager
def target() -> Iterator[Target]:
    service, app = Target(), Flask("target")

    @app.route("/", defaults={"path": ""}, methods=METHODS)
    @app.route("/<path:path>", methods=METHODS)
    def answer(path: str) -> Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        sent = Sent(request.full_path.removesuffix("?"), headers, request.get_data())
        service.got.append(sent)
        status, retry_after = service.answer(sent)
        return Response(status=status, headers={} if retry_after is None else {"Retry-After": str(retry_after)})

    with serving(app) as service.url:
        yield service
