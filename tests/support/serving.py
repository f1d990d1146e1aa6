"""Servers on threads of this process: real sockets, real requests."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

from flask import Flask
from werkzeug.serving import make_server


@contextmanager
def at_work(server: BaseServer) -> Iterator[None]:
    """It answers until the block ends, and then ends at once: by default it looks twice a second whether it is to."""
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The address of the app, without a slash, until the block ends."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    with at_work(server):
        yield f"http://127.0.0.1:{server.server_port}"


Seen = TypeVar("Seen")


def eventually(look: Callable[[], Seen], what: str = "it", within: float = 120, every: float = 0.1) -> Seen:
    """What `look` sees once it sees something. within, every: seconds; a busy machine is slow."""
    deadline = time.monotonic() + within
    while not (seen := look()):
        assert time.monotonic() < deadline, f"Waited {within} s in vain for {what}"
        time.sleep(every)
    return seen
