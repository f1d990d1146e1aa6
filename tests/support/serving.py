"""Servers on threads of this process: real sockets, real requests."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread

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
