"""Everything that is checked of terraform/ without a cloud: format, validate, test, the READMEs' examples, checkov.

    python -m scripts.infra.tf_check [--only MODULE …] [--checkov PROGRAM]     (make tf-check)

Each step says how long it took; the first that fails ends it. The plain Terraform of a CI plans nothing without a cloud: there
format and syntax are all. Without any it says so and checks nothing."""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.infra.terraform import (
    ENVIRONMENTS,
    FOLDER,
    MODULES,
    Failed,
    Terraform,
    examples,
    find_terraform,
    plan_environment,
)

MISSING = "there is no Terraform that needs no cloud; set CHAPTERVERSE_SHARED to the folder of terraform-offline"
Step = tuple[str, Callable[[], object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="*", help="names of modules")
    parser.add_argument("--checkov", help="the program checkov")
    asked = parser.parse_args()
    terraform = find_terraform()
    if terraform is None:
        print(f"skipped: {MISSING}")
        return
    with TemporaryDirectory() as folder:
        chosen = [module for module in MODULES if asked.only is None or module.name in asked.only]
        steps = [*of_modules(terraform, chosen)]
        if asked.only is None and terraform.offline:
            steps += of_the_whole(terraform, Path(folder), asked.checkov)
        run(steps)


def run(steps: list[Step]) -> None:
    """Each in turn, with its time."""
    began = time.monotonic()
    for name, step in steps:
        at = time.monotonic()
        try:
            step()
        except Failed as error:
            sys.exit(f"{name}: failed\n{error}")
        print(f"{name}: {time.monotonic() - at:.0f} s", flush=True)
    print(f"all of it: {time.monotonic() - began:.0f} s")


def of_modules(terraform: Terraform, modules: list[Path]) -> Iterator[Step]:
    yield "format", lambda: terraform(FOLDER, "fmt", "-check", "-recursive")
    for module in modules if terraform.offline else [*modules, *ENVIRONMENTS]:
        yield f"module {module.name}", partial(try_module, terraform, module)


def try_module(terraform: Terraform, module: Path) -> None:
    """Raises Failed."""
    terraform(module, "init", "-no-color", *([] if terraform.offline else ["-backend=false"]))
    terraform(module, "validate", "-no-color")
    if terraform.offline:
        terraform(module, "test", "-no-color")


def of_the_whole(terraform: Terraform, folder: Path, checkov: str | None) -> Iterator[Step]:
    """All environments, tested, planned and scanned, and the examples of the READMEs."""
    yield "examples", lambda: terraform.plan(examples(folder), folder / "examples-plan")
    for root in ENVIRONMENTS:
        yield f"environment {root.name}: tests", partial(try_module, terraform, root)
        yield f"environment {root.name}: plan", partial(count, terraform, root.name, folder)
        if checkov:
            yield f"environment {root.name}: checkov", partial(scan, checkov, folder / f"{root.name}.json")


def count(terraform: Terraform, name: str, folder: Path) -> None:
    plan = plan_environment(terraform, name, folder)
    planned = [change for change in plan["resource_changes"] if change["mode"] == "managed"]
    print(f"environment {name}: {len(planned)} resources")


def scan(checkov: str, plan: Path) -> None:
    """Raises Failed with what it found."""
    command = [checkov, "--config-file", FOLDER / ".checkov.yaml", "--file", plan]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
