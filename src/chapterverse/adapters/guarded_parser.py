"""Parsing behind a wall: a PDF that hangs, crashes or eats memory costs a child process, and becomes a BadBook like any other.

The child is a fresh interpreter (a fork would copy the threads' locks in whatever state they are); parser_child.py says how
the two speak. It dies with this process, with the caller's exception and with Ctrl-C."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from signal import Signals
from tempfile import TemporaryFile
from threading import Event, Timer
from typing import IO, Any

import chapterverse
from chapterverse.errors import BadBook
from chapterverse.ingestion.refusals import damaged, refuse_too_large, too_much_memory
from chapterverse.messages import from_json
from chapterverse.model import Book, BookId, Limits
from chapterverse.usecases.artefacts import BOOK

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
CHILD = (sys.executable, "-P", "-m", "chapterverse.adapters.parser_child")  # -P: no module from the current folder
OUT_OF_MEMORY = (b"MemoryError", b"bad_alloc", b"alloc (", b"failed to map segment", b"Cannot allocate memory")
NOT_INSTALLED = (b"ImportError", b"ModuleNotFoundError")
NOISE_KEPT = 4000  # bytes from the end of what the child printed


class ChildError(Exception):
    """How the child ended when it gave no answer, with the end of what it printed: the cause behind a BadBook, or a defect."""


def parse_in_child(pdf: bytes, book: BookId, limits: Limits, progress: Progress | None = None) -> Book:
    """What `ingestion.source.read_source` gives, from a child process within limits.seconds and limits.megabytes.

    progress(pages done, pages in all) is called in this process. Raises BadBook: the child's own, or too_many_bytes,
    too_many_words, too_slow, too_much_memory, damaged (it crashed)."""
    refuse_too_large(len(pdf), limits)
    with (
        request_file({"book": book, "limits": asdict(limits)}, pdf) as request,
        TemporaryFile() as noise,
        child(request, noise, CHILD) as process,
    ):
        with killed_after(limits.seconds, process) as too_late:
            answer = read_answer(process, progress)
            process.wait()
        if answer is None:
            raise what_ended(process.returncode, tail(noise), limits, too_late.is_set())
    return BOOK.validate_json(answer)


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


def read_answer(process: subprocess.Popen[bytes], progress: Progress | None) -> bytes | None:
    """The bytes of the book; None if the child ended before it had given them all. Raises its BadBook."""
    assert process.stdout is not None  # noqa: S101  # a pipe was asked for
    for line in process.stdout:
        if not line.endswith(b"\n"):
            return None
        match json.loads(line):
            case {"progress": [done, total]}:
                if progress:
                    progress(done, total)
            case {"refused": [reason, message]}:
                raise BadBook(reason, from_json(message))
            case {"book": size}:
                data = process.stdout.read(size)
                return data if len(data) == size else None
    return None


def what_ended(exit_code: int, said: bytes, limits: Limits, too_late: bool) -> BadBook | ChildError:
    """What to raise for a child that gave no answer: the refusal, or the defect where the parser could not even be loaded.

    A traceback from within the parser counts as damage: no sound PDF that we know of gives one."""
    cause = ChildError(f"The parser ended with exit code {exit_code}. {said.decode(errors='replace')}")
    if too_late or was_killed_by(exit_code, "SIGXCPU"):
        refusal = too_slow(limits)
    elif any(sign in said for sign in OUT_OF_MEMORY) or was_killed_by(exit_code, "SIGKILL"):  # the kernel kills for memory only
        refusal = too_much_memory()
    elif any(sign in said for sign in NOT_INSTALLED):
        return cause
    else:
        refusal = damaged("pdf_not_readable")
    log.warning("a PDF was refused because its parser ended", exc_info=cause)
    refusal.__cause__ = cause
    return refusal


def too_slow(limits: Limits) -> BadBook:
    """The refusal of a file that keeps the parser busy."""
    return BadBook("too_slow", "pdf_too_slow", seconds=limits.seconds)


def was_killed_by(exit_code: int, signal: str) -> bool:
    """Whether a negative exit code stands for that signal; never, where the platform has no such signal."""
    return signal in Signals.__members__ and exit_code == -Signals[signal]


def tail(noise: IO[bytes]) -> bytes:
    """The last of what the child printed."""
    size = noise.seek(0, os.SEEK_END)
    noise.seek(max(0, size - NOISE_KEPT))
    return noise.read()
