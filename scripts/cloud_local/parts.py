"""One part of the stack: a process of its own that is started, asked whether it answers, stopped, or killed."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

START_WITHIN = 120  # seconds; a busy machine is slow, and a model may be built at the first start
END_WITHIN = 20
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


class NotStarted(Exception):
    """A part ended, or did not answer in time; the message says where it wrote why."""


@dataclass
class Part:
    """answers: whether it is of use by now. ends_on: the signal that it ends in peace on."""

    name: str
    command: Sequence[str]
    answers: Callable[[], bool]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    user: str | None = None
    ends_on: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """In a session of its own: Ctrl-C is for the stack, which stops its parts in order."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self.user,
                start_new_session=True,
                preexec_fn=end_with_parent,  # noqa: PLW1509  # one call into a library that is loaded already
            )

    def wait(self) -> None:
        """Until it answers. Raises NotStarted."""
        deadline = time.monotonic() + START_WITHIN
        while not self.answers():
            if self.process is None or self.process.poll() is not None or time.monotonic() > deadline:
                raise NotStarted(f"{self.name} did not start: see {self.log}")
            time.sleep(0.05)

    def start(self) -> None:
        """Begin, and wait."""
        self.begin()
        self.wait()

    def stop(self) -> None:
        """It ends in peace, or after a while it is made to; nothing of it is left."""
        if self.process:
            self.process.send_signal(self.ends_on)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(END_WITHIN)
        self.kill()

    def kill(self) -> None:
        """SIGKILL, to all its processes."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


def end_with_parent() -> None:
    """Of a stack that was killed nothing is left running: Linux ends a process with the one that began it (prctl(2))."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def answers_http(url: str, status: int | None = None) -> Callable[[], bool]:
    """Whether there is an answer from there: any, or one of that status."""

    def ask() -> bool:
        try:
            return httpx.get(url, timeout=5).status_code in {status, None} or status is None
        except httpx.HTTPError:
            return False

    return ask


def listens(port: int) -> Callable[[], bool]:
    """Whether a server accepts connections there."""

    def connect() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    return connect


def free_ports(count: int) -> list[int]:
    """Different ports that are free."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()
