"""Takes each mend of the cloud back, one at a time in a copy of the project, and runs the test that finds it.

    python -m scripts.infra.faults [WORD…]

WORD: of the names of faults in faults.toml; without one, all of them (half an hour). Prints a row for each, and ends with an
error where a test did not fail. A test that reads plans needs a Terraform that needs no cloud (scripts/infra/terraform.py)."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.infra.terraform import ROOT, environment

LEFT_OUT = ("scripts/eval/data/", "scripts/train/data/", "evaluations/")  # large, and of no use to these tests


@dataclass(frozen=True, slots=True)
class Fault:
    """In `file`, `right` becomes `wrong`; test: arguments of pytest."""

    what: str
    file: str
    right: str
    wrong: str
    test: str


def read_faults() -> list[Fault]:
    return [Fault(**each) for each in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["fault"]]


def copy_project(to: Path) -> None:
    """The files that git knows."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        if not name.startswith(LEFT_OUT) and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)


def is_found(fault: Fault, copy: Path) -> bool:
    """Whether the test fails, and would not for want of something."""
    file = copy / fault.file
    text = file.read_text("utf-8")
    file.write_text(text.replace(fault.right, fault.wrong), "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *shlex.split(fault.test)]
    told = {**environment(), "PYTHONPATH": str(copy / "src"), "CHAPTERVERSE_SHARED": os.environ.get("CHAPTERVERSE_SHARED", "")}
    told.setdefault("TSC_MODULES", str(ROOT / "build" / "tsc" / "node_modules"))
    done = subprocess.run(command, cwd=copy, env=told, capture_output=True, text=True, check=False)
    file.write_text(text, "utf-8")
    return done.returncode == 1 and re.search(r"^(FAILED|ERROR) tests/", done.stdout, re.MULTILINE) is not None


def main(words: Sequence[str]) -> None:
    with TemporaryDirectory() as folder:
        copy_project(Path(folder))
        missed = list[str]()
        for fault in read_faults():
            if words and not any(word in fault.what for word in words):
                continue
            found = is_found(fault, Path(folder))
            missed += [] if found else [fault.what]
            print(f"{'found' if found else 'NOT found':10}{fault.what}  ({fault.test})", flush=True)
    sys.exit("\n".join(missed) or None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="of the faults' names")
    main(parser.parse_args().words)
