"""Gunicorn's settings: one process, because the model is loaded once; many threads, because most of them wait for the model."""

import gc
import os
from typing import Any

gc.disable()  # importing makes hundreds of thousands of objects that stay: an eighth of a cold start was looking through them

from chapterverse.settings import read_settings  # noqa: E402

_at_once = read_settings().max_open_requests

bind = f"{os.environ.get('HOST', '0.0.0.0')}:{os.environ.get('PORT', '8080')}"  # noqa: S104 (the container's own network)
workers = 1
worker_class = "gthread"
threads = _at_once + _at_once // 2 + 16  # requests, tasks, refused requests and health checks
timeout = 120  # seconds without a sign of life from the process; loading a large model holds it up
graceful_timeout = 9  # seconds; Cloud Run kills what is still there 10 s after it asked to end
keepalive = 75  # seconds; longer than clients and load balancers keep a connection
control_socket_disable = True
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 (a heartbeat on a disk may block)


def post_worker_init(_worker: Any) -> None:
    """The app is there: from now on garbage is collected, without what was imported."""
    gc.freeze()
    gc.enable()
