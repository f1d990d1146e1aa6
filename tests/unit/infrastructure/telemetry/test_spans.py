import gc
from contextlib import ExitStack
from contextvars import copy_context

import pytest
from opentelemetry import trace
from opentelemetry.context import get_current
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from chapterverse.infrastructure.telemetry.spans import span, traced


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
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def test_a_ports_calls_are_spans_that_hold_none_of_their_words(spans: InMemorySpanExporter) -> None:
    shelf = traced("shelf", Shelf)

    assert shelf.look("word") == "WORD"
    with pytest.raises(ValueError, match="student"):
        shelf.fall()

    looked, fell = spans.get_finished_spans()
    assert (looked.name, fell.name) == ("shelf.look", "shelf.fall")
    assert (fell.status.status_code, fell.status.description) == (trace.StatusCode.ERROR, "ValueError")
    assert "word" not in looked.to_json() + fell.to_json()


def test_a_port_is_made_at_its_first_use_and_once() -> None:
    made: list[Shelf] = []
    shelf = traced("shelf", lambda: made.append(Shelf()) or made[-1])
    assert made == []

    assert (shelf.look("a"), shelf.look("b")) == ("A", "B")
    assert len(made) == 1


def test_a_port_that_is_a_function_is_called_as_one(spans: InMemorySpanExporter) -> None:
    upper = traced("upper", lambda: str.upper)

    assert upper("word") == "WORD"
    assert [each.name for each in spans.get_finished_spans()] == ["upper"]


def test_a_span_that_nobody_closes_is_not_closed_by_the_garbage_collector() -> None:
    def leave_one_open() -> None:
        left = ExitStack()
        left.enter_context(span("left"))
        open_now = get_current()
        del left
        gc.collect()
        assert get_current() is open_now

    copy_context().run(leave_one_open)
