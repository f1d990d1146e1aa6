from collections.abc import Iterable

import pytest
from opentelemetry import propagate, trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from werkzeug.test import Client

from chapterverse.observability import traces
from chapterverse.observability.traces import TracedApp, request_span, start_tracing, traced

TRACE = "0af7651916cd43dd8448eb211c80319c"
TRACEPARENT = {"Traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
GOOGLES = {"X-Cloud-Trace-Context": f"{TRACE}/13235353014750950193;o=1"}


class Shelf:
    def look(self, word: str) -> str:
        return word.upper()

    def fall(self) -> None:
        raise ValueError("words of a student")


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What is recorded within the test."""
    provider, exporter = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(traces.trace, "get_tracer", provider.get_tracer)
    return exporter


def current_trace() -> str:
    return trace.format_trace_id(trace.get_current_span().get_span_context().trace_id)


@pytest.mark.parametrize("headers", [TRACEPARENT, GOOGLES], ids=["traceparent", "Google's"])
def test_a_callers_trace_is_taken_over_and_handed_on_without_an_exporter(headers: dict[str, str]) -> None:
    start_tracing("chapterverse-test")
    outgoing: dict[str, str] = {}

    with request_span("GET /", headers):
        propagate.inject(outgoing)

    assert outgoing["traceparent"].split("-")[1] == TRACE


@pytest.mark.parametrize("header", ["", "nonsense", TRACE[:-1], f"{TRACE}/x"])
def test_a_header_that_is_no_trace_is_passed_over(header: str) -> None:
    start_tracing("chapterverse-test")

    with request_span("GET /", {"X-Cloud-Trace-Context": header}):
        assert not trace.get_current_span().get_span_context().is_valid


def test_a_request_is_in_its_trace_until_the_last_byte_is_sent() -> None:
    def app(_environ: object, start: object) -> Iterable[bytes]:
        start("200 OK", [])  # type: ignore[operator]
        return (current_trace().encode() for _ in range(2))

    answer = Client(TracedApp(app)).get("/", headers=TRACEPARENT, buffered=True)  # type: ignore[arg-type]

    assert answer.text == TRACE * 2
    assert not trace.get_current_span().get_span_context().is_valid


def test_a_request_that_fails_leaves_no_trace_behind() -> None:
    def app(_environ: object, _start: object) -> Iterable[bytes]:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        Client(TracedApp(app)).get("/", headers=TRACEPARENT)  # type: ignore[arg-type]

    assert not trace.get_current_span().get_span_context().is_valid


def test_a_ports_calls_are_spans_that_hold_none_of_their_words(spans: InMemorySpanExporter) -> None:
    shelf = traced("shelf", Shelf())

    assert shelf.look("word") == "WORD"
    with pytest.raises(ValueError, match="student"):
        shelf.fall()

    looked, fell = spans.get_finished_spans()
    assert (looked.name, fell.name) == ("shelf.look", "shelf.fall")
    assert (fell.status.status_code, fell.status.description) == (trace.StatusCode.ERROR, "ValueError")
    assert "word" not in looked.to_json() + fell.to_json()
