"""Chroma Cloud's limits in front of a Chroma server: https://docs.trychroma.com/cloud/quotas-limits, as of November 2026.

It asks for a key, takes 300 records a write, returns 300 records a call, serves ten calls at once of each collection, and names
1,000 as its limit of a batch (https://github.com/chroma-core/chroma/issues/5453)."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import httpx

RECORDS, CALLS, NAMED = 300, 10, 1000
KEY = "ck-of-a-test"
OF_A_COLLECTION = re.compile(r"/collections/([^/]+)/(add|upsert|update|delete|query|get)$")


@dataclass
class Quotas:
    """refused: what was refused, in its words; most: calls at once of one collection there were."""

    refused: list[str] = field(default_factory=list)
    most: int = 0
    open: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def begin(self, collection: str) -> bool:
        """Whether there is room for one more call."""
        with self.lock:
            self.open[collection] += 1
            self.most = max(self.most, self.open[collection])
            return self.open[collection] <= CALLS

    def end(self, collection: str) -> None:
        with self.lock:
            self.open[collection] -= 1


def beyond(kind: str, body: dict[str, Any]) -> str:
    """Which quota the call exceeds; empty for none."""
    ids = len(body.get("ids") or ())
    if kind in {"add", "upsert", "update", "delete"} and ids > RECORDS:
        return f"Number of records: {ids}"
    if kind == "query" and body.get("n_results", 0) > RECORDS:
        return f"Limit value: {body['n_results']}"
    if kind == "get" and max(ids, body.get("limit") or 0) > RECORDS:
        return f"Limit value: {max(ids, body.get('limit') or 0)}"
    return ""


def with_its_limit(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """What asks for all gets as many as one call returns."""
    return body | {"limit": RECORDS} if kind == "get" and not body.get("ids") and not body.get("limit") else body


@contextmanager
def chroma_cloud(port: int) -> Iterator[tuple[int, Quotas]]:
    """Its port, before the Chroma server at `port`, and what it refused."""
    quotas, http = Quotas(), httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("x-chroma-token") != KEY:
                self.answer(401, error("AuthorizationError", "no such key"))
            elif self.path.endswith("/pre-flight-checks"):
                self.answer(200, json.dumps({"max_batch_size": NAMED}).encode())
            elif found := OF_A_COLLECTION.search(self.path.partition("?")[0]):
                self.limited(found[1], found[2], sent)
            else:
                self.hand_on(sent)

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815

        def limited(self, collection: str, kind: str, sent: bytes) -> None:
            try:
                body = json.loads(sent)
                refusal = beyond(kind, body) if quotas.begin(collection) else "concurrent calls"
                if refusal:
                    quotas.refused.append(refusal)
                    self.answer(429, error("ChromaError", f"Quota exceeded: {refusal}"))
                else:
                    self.hand_on(json.dumps(with_its_limit(kind, body)).encode())
            finally:
                quotas.end(collection)

        def hand_on(self, sent: bytes) -> None:
            done = http.request(self.command, self.path, content=sent, headers={"Content-Type": "application/json"})
            self.answer(done.status_code, done.content)

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128  # connections that wait to be accepted

    with Server(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], quotas
        server.shutdown()
    http.close()


def error(kind: str, message: str) -> bytes:
    return json.dumps({"error": kind, "message": message}).encode()
