"""Subprocess workers for files from outside: a PDF that hangs, crashes or eats memory costs a worker and becomes BadBook.

A worker is a fresh interpreter (a fork would copy the threads' locks in any state). It ends with this process, with the
caller's exception, with Ctrl-C and at the end of its time. It answers once, about one file, so a hostile file meets no other.
A spare worker is started in advance and waits for a file, which saves the start of the program."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from signal import Signals
from tempfile import TemporaryFile
from threading import Event, Lock, Timer
from typing import IO, Any

import chapterverse

NOISE_KEPT = 4000  # bytes from the end of what the child printed


class ChildError(Exception):
    """How the child ended when it gave no answer, with the end of what it printed: the cause behind a BadBook, or a defect."""


@contextmanager
def request_file(wanted: Mapping[str, Any], data: bytes) -> Iterator[IO[bytes]]:
    """What a child reads: a line of JSON, what is wanted and whose child it is, then the data. A file, not a pipe: a child that
    hangs before it reads could block us."""
    with TemporaryFile() as file:
        file.write(json.dumps({**wanted, "parent": os.getpid()}).encode() + b"\n")
        file.write(data)
        file.seek(0)
        yield file


@contextmanager
def child(request: IO[bytes], noise: IO[bytes], command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A running child that does not outlive the block."""
    environment = {**os.environ, "PYTHONPATH": found_by_child()}
    with subprocess.Popen(  # noqa: S603  # our own
        command, stdin=request, stdout=subprocess.PIPE, stderr=noise, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def found_by_child() -> str:
    """PYTHONPATH for the child, so that it finds this very package also where it is not installed, as in a function."""
    return os.pathsep.join(filter(None, [str(Path(chapterverse.__file__).parents[1]), os.environ.get("PYTHONPATH")]))


@contextmanager
def killed_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[Event]:
    """Kill the process if the block takes longer; the event says whether that happened. Reading from it then ends."""
    too_late = Event()

    def stop() -> None:
        too_late.set()
        process.kill()

    clock = Timer(seconds, stop)
    clock.daemon = True
    clock.start()
    try:
        yield too_late
    finally:
        clock.cancel()


def was_killed_by(exit_code: int, signal: str) -> bool:
    """Whether a negative exit code stands for that signal; never, where the platform has no such signal."""
    return signal in Signals.__members__ and exit_code == -Signals[signal]


def tail(noise: IO[bytes]) -> bytes:
    """The last of what the child printed."""
    size = noise.seek(0, os.SEEK_END)
    noise.seek(max(0, size - NOISE_KEPT))
    return noise.read()


@dataclass(frozen=True, slots=True)
class Wall:
    """seconds: wall clock, for one answer; megabytes: MiB of address space."""

    seconds: float
    megabytes: int


@contextmanager
def answer_of(module: str, wanted: Mapping[str, Any], data: bytes, wall: Wall) -> Iterator[IO[bytes]]:
    """What the module prints, run as a program that reads one line of JSON, `wanted` with its limits, and then the data."""
    command = (sys.executable, "-P", "-m", module)
    with (
        request_file({**wanted, **asdict(wall)}, data) as request,
        TemporaryFile() as noise,
        child(request, noise, command) as process,
        killed_after(wall.seconds, process),
    ):
        assert process.stdout is not None  # noqa: S101  # a pipe was asked for
        yield process.stdout


WAITS = "--waits"  # tells the child to load what it needs before it is asked


@dataclass
class SpareChild:
    """Children of the module at hand, so many, from the first answer on; who comes while they are busy has one started."""

    module: str
    at_hand: int = 1
    _lock: Lock = field(default_factory=Lock)
    _spare: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @contextmanager
    def answer_of(self, wanted: Mapping[str, Any], data: bytes, wall: Wall) -> Iterator[IO[bytes]]:
        """What it prints, told one line of JSON, `wanted` with its limits, and then the data."""
        process = self._taken() or self._started()
        try:
            with killed_after(wall.seconds, process):
                yield _told(process, {**wanted, **asdict(wall), "parent": os.getpid()}, data)
        finally:
            process.kill()
            process.communicate()
            self._refill()

    def _taken(self) -> subprocess.Popen[bytes] | None:
        """The one that has waited longest and still lives."""
        with self._lock:
            while self._spare:
                if (spare := self._spare.pop(0)).poll() is None:
                    return spare
        return None

    def _refill(self) -> None:
        with self._lock:
            while len(self._spare) < self.at_hand:
                self._spare.append(self._started())

    def _started(self) -> subprocess.Popen[bytes]:
        command = (sys.executable, "-P", "-m", self.module, WAITS)
        environment = {**os.environ, "PYTHONPATH": found_by_child()}
        pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, env=environment)  # noqa: S603  # our own


def _told(process: subprocess.Popen[bytes], request: Mapping[str, Any], data: bytes) -> IO[bytes]:
    """Its answer. One that does not listen is killed at the end of its time, and says nothing."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018  # pipes were asked for
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.write(data)
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stdin = None
    return process.stdout
