import gc
import io
import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from contextvars import copy_context
from socket import socketpair
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.errors import InvalidRequestLine
from gunicorn.workers.gthread import ThreadWorker
from opentelemetry import propagate, trace
from opentelemetry.context import get_current
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from werkzeug.test import Client

from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.ports import Prompt
from chapterverse.infrastructure.llm.streaming import Refusal
from chapterverse.infrastructure.logs import JsonLines, TracedApp, request_span, start_logging, start_tracing
from chapterverse.infrastructure.spans import span, traced_port

TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = {"Traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
log = logging.getLogger("chapterverse.somewhere")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root logger, as it was when the test is over."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("chapterverse").setLevel(logging.NOTSET)


@pytest.fixture
def lines(root: logging.Logger) -> io.StringIO:
    """What is logged, as JSON lines."""
    stream = io.StringIO()
    start_logging(logging.DEBUG, stream=stream)
    return stream


def only(lines: io.StringIO) -> dict[str, str]:
    [line] = lines.getvalue().splitlines()
    return json.loads(line)


def test_a_record_is_one_json_object_of_our_fields_with_the_names_that_cloud_logging_reads(
    lines: io.StringIO,
) -> None:
    log.warning("%d books", 3, extra={"school": "north", "total_ms": 12, "essay": "Dear diary"})

    assert "diary" not in lines.getvalue()
    record = only(lines)
    assert (record["severity"], record["message"]) == ("WARNING", "3 books")
    assert (record["school"], record["total_ms"], record["logger"]) == ("north", 12, "chapterverse.somewhere")
    assert record["time"].endswith("+00:00")


def test_why_a_language_model_gave_nothing_is_told(lines: io.StringIO) -> None:
    Refusal(400, "Bad token", frozenset({"invalid"})).write_log(Prompt("p-1", "Answer.", "An essay."), "gemma")

    [line] = map(json.loads, lines.getvalue().splitlines())
    assert (line["model"], line["prompt"], line["codes"], line["reason"]) == ("gemma", "p-1", ["invalid"], "Bad token")


@pytest.mark.parametrize("gunicorn_is_set_up", ["before", "after"])
def test_gunicorn_tells_of_a_request_it_cannot_read_but_not_what_that_said(
    root: logging.Logger, capfd: pytest.CaptureFixture[str], gunicorn_is_set_up: str
) -> None:
    first = Logger(Config()) if gunicorn_is_set_up == "before" else None
    start_logging(stream=io.StringIO())
    worker = ThreadWorker(0, 0, [], None, 0, Config(), first or Logger(Config()))
    failure, (here, there) = RuntimeError("sesame"), socketpair()
    with here, there:
        worker.handle_error(None, here, ("192.0.2.7", 1), InvalidRequestLine("PUT /uploads/a.pdf?signature=sesame"))
        with suppress(AttributeError):  # the rest of a request
            try:
                raise failure
            except RuntimeError as error:
                request = SimpleNamespace(method="PUT", uri="/uploads/a.pdf?signature=sesame")
                worker.handle_error(request, here, ("192.0.2.7", 1), error)

    said = capfd.readouterr().err
    assert "Invalid request (what it said is left out)" in said
    assert "Error handling request (what it said is left out)" in said
    assert "RuntimeError" in said
    assert "sesame" not in said


def test_waitress_does_not_name_the_file_of_a_request_that_failed(root: logging.Logger) -> None:
    said = io.StringIO()
    start_logging(stream=said)

    logging.getLogger("waitress").error("Exception while serving /uploads/school/sesame.pdf")

    assert "Exception while serving (what it said is left out)" in said.getvalue()
    assert "sesame" not in said.getvalue()


def test_a_record_names_the_trace_it_was_made_in_with_its_project_where_there_is_one(lines: io.StringIO) -> None:
    with request_span("GET /", CALLER):
        log.info("answered")
        line = JsonLines("meadow").format(logging.makeLogRecord({"msg": "answered"}))

    assert only(lines)["logging.googleapis.com/trace"] == TRACE
    assert len(only(lines)["logging.googleapis.com/spanId"]) == 16
    assert json.loads(line)["logging.googleapis.com/trace"] == f"projects/meadow/traces/{TRACE}"


def test_an_error_is_logged_with_its_place_and_its_cause_but_only_our_own_words(lines: io.StringIO) -> None:
    try:
        try:
            raise ValueError("cannot index 'Dear diary'")
        except ValueError as error:
            raise IndexUnavailable("The vector server does not answer.") from error
    except IndexUnavailable:
        log.exception("not answered")

    message = only(lines)["message"]
    assert "IndexUnavailable: The vector server does not answer." in message
    assert "ValueError: (message left out)" in message
    assert "test_logs.py" in message
    assert "cannot index" not in message.replace('raise ValueError("cannot index', "")


def test_a_person_at_a_terminal_reads_plain_lines(root: logging.Logger) -> None:
    terminal = Terminal()
    start_logging(stream=terminal)

    log.info("answered")

    assert terminal.getvalue() == "INFO chapterverse.somewhere: answered\n"


def current_trace() -> str:
    return trace.format_trace_id(trace.get_current_span().get_span_context().trace_id)


def test_a_callers_trace_is_taken_over_and_handed_on_without_an_exporter() -> None:
    start_tracing("chapterverse-test")
    outgoing: dict[str, str] = {}

    with request_span("GET /", CALLER):
        propagate.inject(outgoing)

    assert outgoing["traceparent"].split("-")[1] == TRACE


def test_a_request_is_in_its_trace_until_the_last_byte_is_sent_or_it_fails() -> None:
    def app(_environ: object, start: object) -> Iterable[bytes]:
        start("200 OK", [])
        return (current_trace().encode() for _ in range(2))

    answer = Client(TracedApp(app)).get("/", headers=CALLER, buffered=True)

    assert answer.text == TRACE * 2
    assert not trace.get_current_span().get_span_context().is_valid

    def fails(_environ: object, _start: object) -> Iterable[bytes]:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        Client(TracedApp(fails)).get("/", headers=CALLER)

    assert not trace.get_current_span().get_span_context().is_valid


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
    shelf = traced_port("shelf", Shelf)

    assert shelf.look("word") == "WORD"
    with pytest.raises(ValueError, match="student"):
        shelf.fall()

    looked, fell = spans.get_finished_spans()
    assert (looked.name, fell.name) == ("shelf.look", "shelf.fall")
    assert (fell.status.status_code, fell.status.description) == (trace.StatusCode.ERROR, "ValueError")
    assert "word" not in looked.to_json() + fell.to_json()


def test_a_port_is_made_at_its_first_use_and_once() -> None:
    made: list[Shelf] = []
    shelf = traced_port("shelf", lambda: made.append(Shelf()) or made[-1])
    assert made == []

    assert (shelf.look("a"), shelf.look("b")) == ("A", "B")
    assert len(made) == 1


def test_a_span_that_nobody_closes_is_not_closed_by_the_garbage_collector() -> None:
    def leave_one_open() -> None:
        left = ExitStack()
        left.enter_context(span("left"))
        open_now = get_current()
        del left
        gc.collect()
        assert get_current() is open_now

    copy_context().run(leave_one_open)
