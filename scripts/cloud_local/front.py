"""Cloud Run's front end on one machine: it stands before each program of ours and does to requests what Google's does.

    python -m scripts.cloud_local.front --certs http://127.0.0.1:8124/certs --service 8080=8081=tasks@local.example …

A service is PORT=CONTAINER=CALLERS. Sources: https://docs.cloud.google.com/run/docs/authenticating/service-to-service (the
signature of a verified token is replaced), https://docs.cloud.google.com/run/docs/known-issues (paths that end in z)."""

import argparse
import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request
from google.oauth2 import id_token

from chapterverse.web.auth import SIGNATURE_REMOVED

TOKENS = ("x-serverless-authorization", "authorization")  # the first that is there is verified
PIECE = 64 * 1024
LARGEST_HEAD = 64 * 1024


class Refused(Exception):
    """Answered here; the container never hears of it. Arguments: status and reason."""


@dataclass(frozen=True)
class Service:
    """callers: accounts with roles/run.invoker; none: Cloud Run's check of callers is off."""

    port: int
    container: int
    callers: frozenset[str]
    certs: str

    @classmethod
    def of(cls, text: str, certs: str) -> "Service":
        port, container, callers = text.split("=")
        return cls(int(port), int(container), frozenset(filter(None, callers.split(","))), certs)

    def admitted(self, path: str, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The headers that the container gets. Raises Refused."""
        if path.partition("?")[0].endswith("z"):
            raise Refused(404, "Not Found")
        if not self.callers:
            return headers
        given = {name.lower(): value for name, value in headers}
        name = next((name for name in TOKENS if name in given), "")
        token = given.get(name, "").removeprefix("Bearer ")
        claims = verified(token, f"http://127.0.0.1:{self.port}", self.certs)
        if claims.get("email") not in self.callers:
            raise Refused(403, "Forbidden")
        without = f"Bearer {token.rpartition('.')[0]}.{SIGNATURE_REMOVED}"
        return [(each, without if each.lower() == name else value) for each, value in headers]


@cache
def verified(token: str, audience: str, certs: str) -> Mapping[str, Any]:
    """The claims of a token that is valid. Raises Refused."""
    try:
        claims: Mapping[str, Any] = id_token.verify_token(token, Request(), audience, certs)
    except (GoogleAuthError, ValueError) as error:
        raise Refused(401, "Unauthorized") from error
    return claims


async def forward(service: Service, client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
    """One request and its response, in pieces as they come; the connection ends with it."""
    with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        try:
            head = (await client.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head[:-4].split("\r\n")
            headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
            kept = await asyncio.to_thread(service.admitted, first.split(" ")[1], headers)
            inside, container = await asyncio.open_connection("127.0.0.1", service.container)
        except Refused as refused:
            status, reason = refused.args
            answer.write(f"HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        except ConnectionError:  # no instance
            answer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            told = [f"{name}: {value}" for name, value in kept if name.lower() != "connection"]
            container.write("\r\n".join([first, *told, "Connection: close", "", ""]).encode("latin-1"))
            sending = asyncio.create_task(pump(client, container))
            await pump(inside, answer)
            sending.cancel()
            container.close()
    answer.close()


async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Until there is no more, or nobody listens; then the other side ends too."""
    with suppress(OSError):
        while piece := await source.read(PIECE):
            sink.write(piece)
            await sink.drain()
    sink.close()


async def serve(services: list[Service]) -> None:
    for service in services:
        await asyncio.start_server(partial(forward, service), "127.0.0.1", service.port, limit=LARGEST_HEAD, backlog=1024)
    print(json.dumps({}), flush=True)  # it listens
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="Cloud Run's front end on one machine.")
    parser.add_argument("--certs", required=True, help="where the certificates of tokens are")
    parser.add_argument("--service", action="append", default=[], help="PORT=CONTAINER=CALLERS, separated by commas")
    given = parser.parse_args()
    asyncio.run(serve([Service.of(each, given.certs) for each in given.service]))


if __name__ == "__main__":
    main()
