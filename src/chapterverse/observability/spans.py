"""Spans of what is done here; without an exporter (traces.py) they cost next to nothing and only hand the trace on."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
        with span(name):
            return call(*arguments, **named)

    return in_span
