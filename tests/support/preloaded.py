"""Real processes without the second that loading the program takes each time: each is forked from one that has loaded it."""

import os
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from signal import SIGINT, SIGKILL, default_int_handler, signal
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = [  # what the commands on books and essays, and the server, load
    "chapterverse.cli.app", "chapterverse.settings", "chapterverse.accounts.setup", "chapterverse.accounts.store",
    "chapterverse.composition", "chapterverse.essays.batch.service", "chapterverse.essays.service", "chapterverse.essays.store",
    "chapterverse.essays.writing.writer", "chapterverse.essays.render", "chapterverse.infrastructure.embedding.remote",
    "chapterverse.infrastructure.mail", "chapterverse.infrastructure.sealing", "chapterverse.infrastructure.storage.folder",
    "chapterverse.infrastructure.vectors.bucket", "chapterverse.library.versions", "chapterverse.library.intake",
    "bookreader.reading", "chapterverse.library.store", "chapterverse.operations.batch_app",
    "chapterverse.operations.retention", "chapterverse.web.app", "chapterverse.web.server", "tests.support.word_embedder",
]  # fmt: skip


@cache
def _forks() -> ForkServerContext:
    """Forks from a process that has loaded the commands; it ends with this one."""
    context = get_context("forkserver")
    context.set_forkserver_preload([*COMMANDS, __name__])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *sys.path]))
        ensure_running()
    return context


class Running:
    """`python -m program arguments` in the project's folder, with what a Popen has that reads nothing."""

    def __init__(self, program: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        self.args, self._folder = [program, *arguments], TemporaryDirectory()
        self._said = [Path(self._folder.name, name) for name in ("out", "err")]
        self._process = _forks().Process(target=_run, args=(self.args, dict(environment), self._said))
        self._process.start()
        self.pid = int(self._process.pid or 0)

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        self._folder.cleanup()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        """How it ended, if it has."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, once it has. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it has written, once it has ended. Raises TimeoutExpired."""
        self.wait(timeout)
        out, err = (file.read_text("utf-8") for file in self._said)
        return out, err

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(SIGKILL)


def _run(arguments: list[str], environment: dict[str, str], said: list[Path]) -> None:
    """In the copy. It hears Ctrl-C, to which a shell's background job is deaf with all that it starts (POSIX, 2.11): the tests
    may be one."""
    signal(SIGINT, default_int_handler)
    for number, file in enumerate([Path(os.devnull), *said]):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115  # to the end
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = arguments
    runpy.run_module(arguments[0], run_name="__main__")
