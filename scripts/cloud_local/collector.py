"""An OpenTelemetry collector on loopback: it keeps the spans that are sent to it (OTLP over HTTP, protobuf)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from gzip import decompress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class Span:
    """ids in hex; parent is empty for the first span of a trace."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    seconds: float


@dataclass
class Collector:
    """url: for OTEL_EXPORTER_OTLP_ENDPOINT. raw: every byte that arrived."""

    url: str = ""
    spans: list[Span] = field(default_factory=list)
    raw: bytes = b""

    def take(self, body: bytes) -> None:
        self.raw += body
        self.spans += spans_of(ExportTraceServiceRequest.FromString(body))

    def of_trace(self, id: str) -> list[Span]:
        return [span for span in self.spans if span.trace == id]


def spans_of(request: ExportTraceServiceRequest) -> Iterator[Span]:
    for resource in request.resource_spans:
        attributes = {each.key: each.value.string_value for each in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                seconds = (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9
                ids = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
                yield Span(attributes["service.name"], span.name, *ids, seconds)


@contextmanager
def collector() -> Iterator[Collector]:
    """Until the end of the block."""
    collected = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # http.server's name
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collected.take(decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Not a word."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collected.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield collected
    finally:
        server.shutdown()
        server.server_close()
