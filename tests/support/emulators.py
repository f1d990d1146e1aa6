"""The cloud's parts on loopback, as processes of their own that end with the block."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENDS = 10  # seconds until a process that was asked to end is made to


@contextmanager
def emulator(module: str) -> Iterator[dict[str, int]]:
    """The ports it says it listens on, once it does."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    command = [sys.executable, "-W", "ignore", "-m", module]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        said = process.stdout.readline()
        assert said, f"{module} did not start: see what it wrote above"
        yield json.loads(said)
    finally:
        end(process)


def end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(ENDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()
