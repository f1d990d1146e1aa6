"""Spans, also around calls of ports. Without an exporter (logs.py) they cost almost nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind

Port = TypeVar("Port")


class span:  # noqa: N801 - used as a function is
    """A span as a context manager; of an error it stores the class, without the message, which may quote input.

    It is a class, because the garbage collector may close a forgotten generator during another change of the same context
    variable, which crashes CPython 3.11 (docs/cursed-knowledge.md)."""

    def __init__(self, name: str, context: Context | None = None, kind: SpanKind | None = None) -> None:
        self._name, self._context, self._kind = name, context, kind

    def __enter__(self) -> None:
        from opentelemetry import trace
        from opentelemetry.context import attach

        kind = self._kind or trace.SpanKind.INTERNAL
        self._span = trace.get_tracer("chapterverse").start_span(self._name, self._context, kind)
        self._token = attach(trace.set_span_in_context(self._span))

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        from opentelemetry import trace
        from opentelemetry.context import detach

        detach(self._token)
        if isinstance(error, Exception):
            self._span.set_status(trace.StatusCode.ERROR, type(error).__qualname__)
        self._span.end()


def traced_port(name: str, make: Callable[[], Port]) -> Port:
    """The port that `make` returns, made at its first use; each call of a method is a span "name.method"."""
    return cast(Port, _Traced(name, make))


class _Traced:
    """Proxy of a port. Spans have no arguments, because these contain texts of students."""

    def __init__(self, name: str, make: Callable[[], object]) -> None:
        self._name, self._make, self._lock = name, make, Lock()
        self._made: Any = None

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._port(), attribute)
        return _in_span(f"{self._name}.{attribute}", found) if callable(found) else found

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call a port that is a function."""
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
