"""Everything that is checked of terraform/ without a cloud: format, validate, a plan for each deployment, checkov.

    python -m scripts.infra.tf_check [--checkov PROGRAM]     (make tf-check)

Each step says how long it took; the first that fails ends it. What the plans have to hold is in
tests/integration/test_terraform_plans.py. The plain Terraform of a CI plans nothing without a cloud: there format and syntax
are all. Without any it says so and checks nothing."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from scripts.infra.terraform import DEPLOYMENTS, FOLDER, Failed, Terraform, find_terraform, plan_deployment

MISSING = "there is no Terraform that needs no cloud; set CHAPTERVERSE_SHARED to the folder of terraform-offline"
Step = tuple[str, Callable[[], object]]


def main(checkov: str = "") -> None:
    terraform = find_terraform()
    if terraform is None:
        print(f"skipped: {MISSING}")
        return
    with TemporaryDirectory() as folder:
        run([*of_the_text(terraform), *(of_the_plans(terraform, Path(folder), checkov) if terraform.offline else ())])


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


def of_the_text(terraform: Terraform) -> Iterator[Step]:
    yield "format", lambda: terraform(FOLDER, "fmt", "-check", "-recursive")
    yield "init", lambda: terraform(FOLDER, "init", "-no-color", *([] if terraform.offline else ["-backend=false"]))
    yield "validate", lambda: terraform(FOLDER, "validate", "-no-color")


def of_the_plans(terraform: Terraform, folder: Path, checkov: str) -> Iterator[Step]:
    for name in DEPLOYMENTS:
        yield f"{name}: plan", partial(count, terraform, name, folder)
        if checkov:
            yield f"{name}: checkov", partial(scan, checkov, folder / f"{name}.json")


def count(terraform: Terraform, name: str, folder: Path) -> None:
    plan = plan_deployment(terraform, name, folder)
    planned = [change for change in plan["resource_changes"] if change["mode"] == "managed"]
    print(f"{name}: {len(planned)} resources")


def scan(checkov: str, plan: Path) -> None:
    """Raises Failed with what it found."""
    command = [checkov, "--config-file", FOLDER / ".checkov.yaml", "--file", plan]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)


if __name__ == "__main__":
    typer.run(main)
