"""Log records as Cloud Logging reads them: one JSON object per line, with numbers and our own ids, without texts of people.

Fields: Cloud Logging, "Structured logging" (severity, message, time)."""

import json
import logging
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TextIO

from chapterverse.core.errors import ChapterverseError

OF_OURS = (
    "request", "school", "book", "version", "task", "attempt", "error", "code", "status", "paragraphs", "evidence",
    "prompt_tokens", "answer_tokens", "model_failures", "application", "best", "mean", "scores", "band", "answerable",
    "relevance", "intent", "thumb", "nothing", "total_ms", "age_ms", "model", "prompt", "why", "problem", "codes", "left_out",
    "ended", "session", "windows", "stage", "pairs", "job", "reason",
)  # fmt: skip

QUOTING = ("Invalid request", "Error handling request", "Exception while serving")
"""Beginnings of records that quote a request: gunicorn 27, workers/base.py, handle_error; waitress 3, channel.py, service."""


def start_logging(level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Write log records to `stream` (standard error): ours from `level` on, warnings of libraries; as JSON lines, or plain on a
    terminal."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainLines() if stream.isatty() else JsonLines())
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


class PlainLines(logging.Formatter):
    """Formats a record for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Level, logger and message, and the extra fields that say something."""
        known = [f"{name}={value}" for name, value in _fields_of(record).items() if value not in ("", [])]
        return " ".join([f"{record.levelname} {record.name}: {super().format(record)}", *known])


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name in OF_OURS if (value := getattr(record, name, None)) is not None}


class JsonLines(logging.Formatter):
    """Formats a record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line of JSON, with the extra fields that OF_OURS names and no others: students' texts stay out."""
        fields = {
            "severity": record.levelname,
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "message": _message_of(record),
            "logger": record.name,
            **_fields_of(record),
        }
        return json.dumps(fields, ensure_ascii=False, default=str)


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
