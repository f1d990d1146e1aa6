"""gunicorn in this process, with many threads. Separate from serve.py because it needs the extra `server`."""

from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn with our options instead of a command line. make: called in the process that answers."""

    def __init__(self, make: Callable[[], Flask], chosen: dict[str, Any]) -> None:
        self._make, self._chosen = make, chosen
        super().__init__()

    def load_config(self) -> None:
        """Called by gunicorn at its start."""
        for name, value in self._chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Called by gunicorn in the process that answers."""
        return self._make()


def run(make: Callable[[], Flask], bind: str, threads: int, grace: int) -> None:
    """Serve until told to end; open requests then have `grace` seconds. A crashed process is replaced."""
    one = {"workers": 1, "worker_class": "gthread", "threads": threads}
    no_deadline = {"timeout": 0, "graceful_timeout": grace}  # a start that rebuilds the index may take minutes
    Server(make, {"bind": bind, "loglevel": "warning", "control_socket_disable": True, **one, **no_deadline}).run()
