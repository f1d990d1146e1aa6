"""Spans of what is done here; without an exporter (traces.py) they cost next to nothing and only hand the trace on."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar, cast

from opentelemetry import trace
from opentelemetry.context import Context

Port = TypeVar("Port")


@contextmanager
def span(name: str, context: Context | None = None, kind: trace.SpanKind = trace.SpanKind.INTERNAL) -> Iterator[None]:
    """Of an error it keeps the kind, not the message: other libraries' messages quote what they were given."""
    tracer = trace.get_tracer("chapterverse")
    with tracer.start_as_current_span(name, context, kind, record_exception=False, set_status_on_exception=False) as span:
        try:
            yield
        except Exception as error:
            span.set_status(trace.StatusCode.ERROR, type(error).__qualname__)
            raise


def traced(name: str, make: Callable[[], Port]) -> Port:
    """The port that `make` gives, made at its first use, each call of a method a span "name.method"."""
    return cast(Port, _Traced(name, make))


class _Traced:
    """Stands before a port. Spans hold no arguments: what students write goes through ports."""

    def __init__(self, name: str, make: Callable[[], object]) -> None:
        self._name, self._make, self._lock = name, make, Lock()
        self._made: Any = None

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._port(), attribute)
        return _in_span(f"{self._name}.{attribute}", found) if callable(found) else found

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """For a port that is a function."""
        return _in_span(self._name, self._port())(*arguments, **named)

    def _port(self) -> Any:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


def _in_span(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def in_span(*arguments: Any, **named: Any) -> Any:
        with span(name):
            return call(*arguments, **named)

    return in_span
