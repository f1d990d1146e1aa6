"""A process that has loaded the program and forks a copy of itself for each command: real processes without the second that
loading takes each time. One for each set of modules in a run of the tests; it ends with the process that started it.

Nothing runs in it but this loop, in one thread, so a copy finds no lock taken. For each command it receives a line of JSON
{"program", "arguments", "environment", "folder"} with the descriptors of standard input, output and error and of a pipe, into
which it writes the copy's id, and later how it ended (as `Popen.returncode` tells it)."""

import atexit
import json
import os
import runpy
import selectors
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from signal import SIGINT, SIGKILL, default_int_handler, signal
from typing import IO, Any

from chapterverse.core.words import dictionary

ROOT = Path(__file__).parents[2]
COMMANDS = (  # what the commands on books and essays, and the server, load
    "chapterverse.cli.app",
    "chapterverse.settings",
    "chapterverse.accounts.setup",
    "chapterverse.accounts.store",
    "chapterverse.composition",
    "chapterverse.essays.batch.service",
    "chapterverse.essays.service",
    "chapterverse.essays.store",
    "chapterverse.essays.writing.writer",
    "chapterverse.essays.render",
    "chapterverse.infrastructure.embedding.remote",
    "chapterverse.infrastructure.mail",
    "chapterverse.infrastructure.sealing",
    "chapterverse.infrastructure.storage.folder",
    "chapterverse.infrastructure.vectors.bucket",
    "chapterverse.library.indexing",
    "chapterverse.library.intake",
    "bookreader.reading",
    "chapterverse.library.store",
    "chapterverse.operations.batch_app",
    "chapterverse.operations.retention",
    "chapterverse.web.app",
    "chapterverse.web.server",
    "tests.support.word_embedder",
)
LONGEST = 2**17  # bytes of a request


class Running:
    """A copy at work, with what a Popen has: its input and output are text."""

    def __init__(self, args: Sequence[str], report: int, stdin: int, stdout: int, stderr: int) -> None:
        self.args, self._report = list(args), os.fdopen(report)
        self.stdin: IO[str] = os.fdopen(stdin, "w", encoding="utf-8")
        self.stdout: IO[str] = os.fdopen(stdout, encoding="utf-8")
        self.stderr: IO[str] = os.fdopen(stderr, encoding="utf-8")
        self.pid = int(self._report.readline())
        self.returncode: int | None = None

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self.wait()
        self._report.close()

    def poll(self) -> int | None:
        """How it ended, if it has."""
        with selectors.DefaultSelector() as ready:
            if self.returncode is None:
                ready.register(self._report, selectors.EVENT_READ)
            return self.wait() if self.returncode is not None or ready.select(0) else None

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, once it has. Raises TimeoutExpired."""
        if self.returncode is None:
            with selectors.DefaultSelector() as ready:
                ready.register(self._report, selectors.EVENT_READ)
                if not ready.select(timeout):
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = int(self._report.readline())
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it writes, without any further input. Raises TimeoutExpired."""
        self.stdin.close()
        with selectors.DefaultSelector() as ready:
            told = dict.fromkeys((self.stdout, self.stderr), b"")
            for stream in told:
                ready.register(stream, selectors.EVENT_READ)
            while ready.get_map():
                found = ready.select(timeout)
                if not found:
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
                for key, _ in found:
                    part = os.read(key.fd, 2**16)
                    told[key.fileobj] += part  # type: ignore[index]
                    if not part:
                        ready.unregister(key.fileobj)
        self.wait(timeout)
        out, err = (told[stream].decode() for stream in (self.stdout, self.stderr))
        return out, err

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(SIGKILL)


def start(program: str, arguments: Sequence[str], environment: Mapping[str, str], loaded: Sequence[str] = COMMANDS) -> Running:
    """`python -m program arguments`, begun, in the project's folder."""
    (in_end, in_), (out, out_end), (err, err_end), (report, report_end) = (os.pipe() for _ in range(4))
    asked = {"program": program, "arguments": list(arguments), "environment": dict(environment), "folder": str(ROOT)}
    ends = [in_end, out_end, err_end, report_end]
    socket.send_fds(_loaded(tuple(loaded)), [json.dumps(asked).encode()], ends)
    for end in ends:
        os.close(end)
    return Running((program, *arguments), report, in_, out, err)


@cache
def _loaded(modules: tuple[str, ...]) -> socket.socket:
    """Where requests are sent to the process that has loaded those modules."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-m", __name__, str(theirs.fileno()), *modules]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()])
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def main() -> None:
    """Load the modules named, fork for each request until the other end is closed; in a copy, run the program."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    for module in sys.argv[2:]:
        import_module(module)
    dictionary()
    asked = _next_copy(requests)
    if asked:
        os.environ.clear()
        os.environ.update(asked["environment"])
        os.chdir(asked["folder"])
        sys.argv = [asked["program"], *asked["arguments"]]
        runpy.run_module(asked["program"], run_name="__main__")


def _next_copy(requests: socket.socket) -> dict[str, Any] | None:
    """In a copy, what it is asked to do; None in this process, once there are no more requests and all copies have ended."""
    with selectors.DefaultSelector() as events:
        events.register(requests, selectors.EVENT_READ)
        while events.get_map():
            for key, _ in events.select():
                if key.fileobj is not requests:
                    events.unregister(key.fileobj)
                    _tell_end(key.fd, *key.data)
                    continue
                asked, ends, _, _ = socket.recv_fds(requests, LONGEST, 4)
                if not asked:
                    events.unregister(requests)
                    continue
                pid = os.fork()
                if pid == 0:
                    _take_place(*ends, requests)
                    return dict(json.loads(asked))
                *streams, report = ends
                for each in streams:
                    os.close(each)
                os.write(report, f"{pid}\n".encode())
                events.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, report))
    return None


def _take_place(in_: int, out: int, err: int, report: int, requests: socket.socket) -> None:
    """In a copy: the streams are its own, and nothing of the loop's is open. It hears Ctrl-C, to which a shell's background job
    is deaf with all that it starts (POSIX, 2.11): the tests may be one."""
    signal(SIGINT, default_int_handler)
    for number, stream in enumerate((in_, out, err)):
        os.dup2(stream, number)
    for each in (in_, out, err, report):
        os.close(each)
    requests.close()
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115  # to the end


def _tell_end(handle: int, pid: int, report: int) -> None:
    os.close(handle)
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):  # nobody asks any more
        os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os.close(report)


if __name__ == "__main__":
    main()
