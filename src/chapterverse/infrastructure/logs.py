"""Log records as Cloud Logging reads them: one JSON object per line, with numbers and our own ids, without texts of people.

Fields: Cloud Logging, "Structured logging" (severity, message, time, logging.googleapis.com/…).

OpenTelemetry: one trace from a request or event to the last vector, across HTTP and tasks. Google's front ends send it in
"traceparent", the only header that is read (Cloud Trace, "Trace context").

Spans are exported to OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and sampled by OTEL_TRACES_SAMPLER.
Without an endpoint nothing is recorded, but a caller's trace id is still logged and passed on."""

import json
import logging
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

from opentelemetry import propagate, trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from werkzeug.datastructures import EnvironHeaders
from werkzeug.wsgi import ClosingIterator

from chapterverse.core.errors import ChapterverseError
from chapterverse.infrastructure.spans import span

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


OF_OURS = (
    "request", "school", "book", "version", "task", "attempt", "error", "code", "status", "paragraphs", "evidence",
    "prompt_tokens", "answer_tokens", "model_failures", "application", "best", "mean", "scores", "band", "answerable",
    "relevance", "intent", "thumb", "nothing", "total_ms", "age_ms", "model", "prompt", "why", "problem", "codes", "left_out",
    "ended", "session", "windows", "stage", "pairs", "job", "reason",
)  # fmt: skip

QUOTING = ("Invalid request", "Error handling request", "Exception while serving")
"""Beginnings of records that quote a request: gunicorn 27, workers/base.py, handle_error; waitress 3, channel.py, service."""

PLAIN = "%(levelname)s %(name)s: %(message)s"


def start_logging(level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Write log records to `stream` (standard error): ours from `level` on, warnings of libraries; as JSON lines, or plain on a
    terminal."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter(PLAIN) if stream.isatty() else JsonLines(os.environ.get("GOOGLE_CLOUD_PROJECT", "")))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for server in ("gunicorn.error", "waitress"):
        logging.getLogger(server).addFilter(without_requests)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it tells of every request that waits
    logging.getLogger("chapterverse").setLevel(level)


def without_requests(record: logging.LogRecord) -> bool:
    """Filter for the servers' logs, which quote invalid requests, including signed addresses."""
    text = str(record.msg)
    if quoting := next((start for start in QUOTING if text.startswith(start)), None):
        record.msg, record.args = f"{quoting} (what it said is left out)", ()
    if record.exc_info:
        record.msg, record.args, record.exc_info = _message_of(record), (), None
    return True


class JsonLines(logging.Formatter):
    """Formats a record as a line of JSON. project: Google Cloud project of the traces; empty for bare trace ids."""

    def __init__(self, project: str = "") -> None:
        super().__init__()
        self.project = project

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line of JSON, with the extra fields that OF_OURS names."""
        fields = {
            "severity": record.levelname,
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "message": _message_of(record),
            "logger": record.name,
            **{name: value for name in OF_OURS if (value := getattr(record, name, None)) is not None},
            **self._trace(),
        }
        return json.dumps(fields, ensure_ascii=False, default=str)

    def _trace(self) -> dict[str, str]:
        """Fields of the current trace; empty without one."""
        span = trace.get_current_span().get_span_context()
        if not span.is_valid:
            return {}
        id = trace.format_trace_id(span.trace_id)
        return {
            "logging.googleapis.com/trace": f"projects/{self.project}/traces/{id}" if self.project else id,
            "logging.googleapis.com/spanId": trace.format_span_id(span.span_id),
        }


def _message_of(record: logging.LogRecord) -> str:
    """The message, followed by the tracebacks of an error and its causes."""
    error = record.exc_info[1] if record.exc_info else None
    return "\n".join([record.getMessage(), *map(_without_words, _causes(error))])


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes, latest first."""
    while error:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _without_words(error: BaseException) -> str:
    """Traceback and class of an error, without messages of libraries, which quote their input."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    text = str(error) if isinstance(error, ChapterverseError) else "(message left out)"
    return f"Traceback (most recent call last):\n{frames}{type(error).__qualname__}: {text}"


EXPORT_TO = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
NAMED_PARTS = 3  # of a path, in a span's name: "/api/v1/books", without the book


def start_tracing(service: str) -> None:
    """Continue callers' traces; record and export spans of `service` if the environment has an endpoint."""
    propagate.set_global_textmap(TraceContextTextMapPropagator())
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
            open_span.enter_context(request_span(f"{environ['REQUEST_METHOD']} {path}", dict(EnvironHeaders(environ))))
            answer = self.app(environ, start_response)
            return ClosingIterator(answer, open_span.pop_all().close)
