"""Subprocess workers for files from outside: a PDF that hangs, crashes or eats memory costs a worker and becomes BadFile.

A worker is a fresh interpreter (a fork would copy locks of threads in any state). It ends with this process, with the caller's
exception, with Ctrl-C and at its time limit. It handles one file, so a hostile file meets no other. Spare workers are started
in advance, which saves the start of the program. Forking workers save the loading of their modules, too: they have one thread
and fork a child for each file."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from signal import Signals
from threading import Lock, Timer
from time import monotonic
from typing import IO, Any, Self

MAX_NOISE_BYTES = 4000  # bytes from the end of a worker's output


class WorkerError(Exception):
    """A worker ended without an answer. The message has the end of its output: the cause of a BadFile, or a defect."""


def started(*arguments: str, noise: int | IO[bytes] = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A running worker with pipes to it, which takes no module from the current folder. noise: gets its standard error."""
    # this package and those beside it are found also if they are not installed
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(  # noqa: S603  # our own
        (sys.executable, "-P", *arguments), stdin=pipe, stdout=pipe, stderr=noise, env=environment
    )


def ended(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker and close the pipes to it."""
    process.kill()
    process.communicate()


class Deadline:
    """When a process is killed, which ends reads from it, if the block is not left before. passed: whether it was."""

    def __init__(self, seconds: float, process: subprocess.Popen[bytes]) -> None:
        self._process, self._at, self.passed = process, monotonic() + seconds, False
        self._clock = self._started()

    def extend(self, seconds: float) -> None:
        """Set it later by so much."""
        self._clock.cancel()
        self._at += seconds
        self._clock = self._started()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clock.cancel()

    def _started(self) -> Timer:
        clock = Timer(max(0.0, self._at - monotonic()), self._stop)
        clock.daemon = True
        clock.start()
        return clock

    def _stop(self) -> None:
        self.passed = True
        self._process.kill()


def was_killed_by(exit_code: int, signal: str) -> bool:
    """Whether an exit code means that signal; False on platforms without it."""
    return signal in Signals.__members__ and exit_code == -Signals[signal]


def tail(noise: IO[bytes]) -> bytes:
    """The end of a worker's output."""
    size = noise.seek(0, os.SEEK_END)
    noise.seek(max(0, size - MAX_NOISE_BYTES))
    return noise.read()


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Limits of a worker. seconds: wall clock; megabytes: MiB of address space."""

    seconds: float
    megabytes: int


WAITS = "--waits"  # argument for loading modules before the request


@dataclass
class SpareWorkers:
    """Workers started in advance, `at_hand` of them from the first call on; if all are busy, another one is started.

    The module reads a line of JSON, the request with the limits and the id of its parent, and then the data to the end."""

    module: str
    at_hand: int = 1
    _lock: Lock = field(default_factory=Lock)
    _spare: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @contextmanager
    def answer_of(self, wanted: Mapping[str, Any], data: bytes, limits: SandboxLimits) -> Iterator[IO[bytes]]:
        """Output of a worker."""
        process = self._taken() or self._started()
        try:
            with Deadline(limits.seconds, process):
                yield output_of(process, {**wanted, **asdict(limits)}, data)
        finally:
            ended(process)
            with self._lock:
                while len(self._spare) < self.at_hand:
                    self._spare.append(self._started())

    def _taken(self) -> subprocess.Popen[bytes] | None:
        """The spare worker that has waited longest and is alive; None without one."""
        with self._lock:
            while self._spare:
                if (spare := self._spare.pop(0)).poll() is None:
                    return spare
        return None

    def _started(self) -> subprocess.Popen[bytes]:
        return started("-m", self.module, *([WAITS] if self.at_hand else ()))


def output_of(process: subprocess.Popen[bytes], request: Mapping[str, Any], data: bytes, *, last: bool = True) -> IO[bytes]:
    """Send a request, with the id of this process, and the data; returns the worker's output, which ends when it is killed.

    last: whether the worker's input ends after it."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018  # both are pipes
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps({**request, "parent": os.getpid()}).encode() + b"\n")
        process.stdin.write(data)
        process.stdin.flush()
    if last:
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.stdin = None
    return process.stdout


SECONDS_TO_START = 30.0  # that a worker's modules may take to load on a busy machine
IDLE_SECONDS = 60.0  # after which a waiting worker ends, because it holds memory


@dataclass
class ForkingWorkers:
    """Workers that go on waiting for further files, at most `at_hand` of them; if all are busy, another one is started.

    The module reads requests from its input until it ends: a line of JSON with the limits and the "size" of the data, then the
    data. It answers each with a line, from a child of its own."""

    module: str
    at_hand: int = 2
    _lock: Lock = field(default_factory=Lock)
    _waiting: list[tuple[float, subprocess.Popen[bytes]]] = field(default_factory=list)

    def ask(self, data: bytes, limits: SandboxLimits) -> bytes:
        """The line that a worker answers; empty if it ended without one. A worker that ended while it waited is replaced."""
        answer, is_fresh = b"", False
        while not answer.endswith(b"\n") and not is_fresh:
            waiting = self._taken()
            process, is_fresh = waiting or self._started(), waiting is None
            with Deadline(limits.seconds + SECONDS_TO_START, process) as deadline:
                answer = output_of(process, {**asdict(limits), "size": len(data)}, data, last=False).readline()
            is_fresh = is_fresh or deadline.passed
            self._keep(process, is_well=answer.endswith(b"\n"))
        return answer

    def _taken(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            while self._waiting:
                if (process := self._waiting.pop()[1]).poll() is None:
                    return process
                ended(process)
        return None

    def _keep(self, process: subprocess.Popen[bytes], *, is_well: bool) -> None:
        with self._lock:
            if is_well and len(self._waiting) < self.at_hand:
                self._waiting.append((monotonic(), process))
                clock = Timer(IDLE_SECONDS, self._end_idle)
                clock.daemon = True
                clock.start()
                return
        ended(process)

    def _end_idle(self) -> None:
        with self._lock:
            idle = [one for one in self._waiting if one[0] <= monotonic() - IDLE_SECONDS]
            self._waiting = [one for one in self._waiting if one not in idle]
        for _, process in idle:
            ended(process)

    def _started(self) -> subprocess.Popen[bytes]:
        return started("-m", self.module)
