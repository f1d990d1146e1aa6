import io
import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from socket import socketpair
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.errors import InvalidRequestLine
from gunicorn.workers.gthread import ThreadWorker

from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.ports import Prompt
from chapterverse.infrastructure.llm.streaming import Refusal
from chapterverse.infrastructure.logs import start_logging

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


def test_a_record_is_one_json_object_of_our_fields_with_the_names_that_cloud_logging_reads(lines: io.StringIO) -> None:
    log.warning("%d books", 3, extra={"school": "north", "total_ms": 12, "essay": "Dear diary"})

    assert "diary" not in lines.getvalue()
    record = only(lines)
    assert (record["severity"], record["message"]) == ("WARNING", "3 books")
    assert (record["school"], record["total_ms"], record["logger"]) == ("north", 12, "chapterverse.somewhere")
    assert record["time"].endswith("+00:00")


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

    log.info("answered", extra={"total_ms": 12, "codes": []})
    Refusal(400, "Bad token", frozenset({"invalid"})).logged(Prompt("p-1", "Answer.", "An essay."), "gemma")

    first, second = terminal.getvalue().splitlines()
    assert first == "INFO chapterverse.somewhere: answered total_ms=12"
    assert second.endswith("model=gemma prompt=p-1 codes=['invalid'] reason=Bad token")
