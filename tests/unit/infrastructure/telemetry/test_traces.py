from collections.abc import Iterable

import pytest
from opentelemetry import propagate, trace
from werkzeug.test import Client

from chapterverse.infrastructure.telemetry.traces import TracedApp, request_span, start_tracing

TRACE = "0af7651916cd43dd8448eb211c80319c"
TRACEPARENT = {"Traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
GOOGLES = {"X-Cloud-Trace-Context": f"{TRACE}/13235353014750950193;o=1"}


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
