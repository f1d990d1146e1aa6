"""OpenTelemetry: one trace from the request or event that began it to the last vector, through headers and task headers.

Spans are exported where the standard OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT says so, and sampled as
OTEL_TRACES_SAMPLER says; unset, nothing is recorded, but a caller's trace id is still taken over, logged and handed on."""

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from opentelemetry import propagate, trace
from opentelemetry.context import Context
from opentelemetry.propagators.composite import CompositePropagator
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from werkzeug.wsgi import ClosingIterator

from chapterverse.observability.google_trace import GoogleTraceHeader

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

EXPORT_TO = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
NAMED_PARTS = 3  # of a path, in a span's name: "/api/v1/books", without the book

Port = TypeVar("Port")


def start_tracing(service: str) -> None:
    """Take over callers' traces; record and export spans of `service` where the environment says where to."""
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


@contextmanager
def request_span(name: str, headers: Mapping[str, str]) -> Iterator[None]:
    """The block is the serving of one request or event, part of its caller's trace where the headers name one."""
    context = propagate.extract({name.lower(): value for name, value in headers.items()})
    with _span(name, context, trace.SpanKind.SERVER):
        yield


@contextmanager
def _span(name: str, context: Context | None = None, kind: trace.SpanKind = trace.SpanKind.INTERNAL) -> Iterator[None]:
    """Of an error it keeps the kind, not the message: other libraries' messages quote what they were given."""
    tracer = trace.get_tracer("chapterverse")
    with tracer.start_as_current_span(name, context, kind, record_exception=False, set_status_on_exception=False) as span:
        try:
            yield
        except Exception as error:
            span.set_status(trace.StatusCode.ERROR, type(error).__qualname__)
            raise


@dataclass(frozen=True)
class TracedApp:
    """A WSGI app, each request a span, until the last byte of a streamed answer."""

    app: "WSGIApplication"

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path = "/".join(environ.get("PATH_INFO", "").split("/")[: NAMED_PARTS + 1])
        with ExitStack() as span:
            span.enter_context(request_span(f"{environ['REQUEST_METHOD']} {path}", _headers(environ)))
            answer = self.app(environ, start_response)
            return ClosingIterator(answer, span.pop_all().close)


def _headers(environ: "WSGIEnvironment") -> dict[str, str]:
    sent = (name for name in environ if name.startswith("HTTP_"))
    return {name.removeprefix("HTTP_").replace("_", "-"): environ[name] for name in sent}


def traced(name: str, port: Port) -> Port:
    """The same port, each call of a method a span "name.method"."""
    return cast(Port, _Traced(name, port))


class _Traced:
    """Stands before a port. Spans hold no arguments: what students write goes through ports."""

    def __init__(self, name: str, port: object) -> None:
        self._name, self._port = name, port

    def __getattr__(self, method: str) -> Any:
        found = getattr(self._port, method)
        return _in_span(f"{self._name}.{method}", found) if callable(found) else found


def _in_span(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def in_span(*arguments: Any, **named: Any) -> Any:
        with _span(name):
            return call(*arguments, **named)

    return in_span
