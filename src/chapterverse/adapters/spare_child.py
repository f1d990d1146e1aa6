"""A child that has started already and waits to be asked: its answer is not late by the time that a program takes to start.

It answers once, as the children of one_answer.py do, about one file, and another is started then: what is hostile in one file
meets no other. While it waits it ends with us, because what it waits for ends; asked, at the end of its time."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import IO, Any

from chapterverse.adapters.guarded_parser import found_by_child, killed_after
from chapterverse.adapters.one_answer import Wall

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
