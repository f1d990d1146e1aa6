"""OpenTelemetry: one trace from a request or event to the last vector, across HTTP and tasks.

Spans are exported to OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and sampled by OTEL_TRACES_SAMPLER.
Without an endpoint nothing is recorded, but a caller's trace id is still logged and passed on."""

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opentelemetry import propagate, trace
from opentelemetry.propagators.composite import CompositePropagator
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from werkzeug.wsgi import ClosingIterator

from chapterverse.infrastructure.telemetry.logs import GoogleTraceHeader
from chapterverse.infrastructure.telemetry.spans import span

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

EXPORT_TO = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
NAMED_PARTS = 3  # of a path, in a span's name: "/api/v1/books", without the book


def start_tracing(service: str) -> None:
    """Continue callers' traces; record and export spans of `service` if the environment has an endpoint."""
    propagate.set_global_textmap(CompositePropagator([GoogleTraceHeader(), TraceContextTextMapPropagator()]))
    if any(os.environ.get(name) for name in EXPORT_TO):
        _export(service)


def _export(service: str) -> None:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def request_span(name: str, headers: Mapping[str, str]) -> span:
    """Span for serving a request or event, part of the caller's trace if the headers name one."""
    context = propagate.extract({name.lower(): value for name, value in headers.items()})
    return span(name, context, trace.SpanKind.SERVER)


@dataclass(frozen=True)
class TracedApp:
    """A WSGI app with a span per request, which ends with the last byte of a stream."""

    app: "WSGIApplication"

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path = "/".join(environ.get("PATH_INFO", "").split("/")[: NAMED_PARTS + 1])
        with ExitStack() as open_span:
            open_span.enter_context(request_span(f"{environ['REQUEST_METHOD']} {path}", _headers(environ)))
            answer = self.app(environ, start_response)
            return ClosingIterator(answer, open_span.pop_all().close)


def _headers(environ: "WSGIEnvironment") -> dict[str, str]:
    sent = (name for name in environ if name.startswith("HTTP_"))
    return {name.removeprefix("HTTP_").replace("_", "-"): environ[name] for name in sent}
