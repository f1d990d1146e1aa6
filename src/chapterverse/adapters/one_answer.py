"""A child that answers once, behind the wall that parsing stands behind: it dies with us, and at the end of its time."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from tempfile import TemporaryFile
from typing import IO, Any

from chapterverse.adapters.guarded_parser import child, killed_after, request_file


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
