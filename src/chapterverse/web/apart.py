"""An app that another one hands its requests on to."""

from collections.abc import Iterable, Iterator
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


@dataclass(frozen=True)
class Apart:
    """The app, each request in a context of its own: Flask's of a streamed answer would else lie upon the other app's, which
    is put away first."""

    app: "WSGIApplication"

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> "Within":
        context = Context()
        return Within(context, context.run(self.app, environ, start_response))


class Within(Iterator[bytes]):
    """An answer whose every part is made in that context."""

    def __init__(self, context: Context, answer: Iterable[bytes]) -> None:
        self._context, self._answer = context, answer
        self._parts = context.run(iter, answer)

    def __next__(self) -> bytes:
        return self._context.run(next, self._parts)

    def close(self) -> None:
        """As PEP 3333 asks for."""
        if hasattr(self._answer, "close"):
            self._context.run(self._answer.close)
