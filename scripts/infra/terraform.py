"""Terraform as the checks call it: with the offline provider of the shared folder, else with the plain program in CI."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("CHAPTERVERSE_TERRAFORM", ROOT / "terraform"))
DEPLOYMENTS = ("small", "school", "district")  # each a file of variables
PASSWORD = {"TF_VAR_catalogue_password": "for-plans-in-tests-only"}  # in no plan: it is ephemeral


def beside(*parts: str) -> Path | None:
    """A file of $CHAPTERVERSE_SHARED, else of the folder beside the project; None where it is not there."""
    path = Path(os.environ.get("CHAPTERVERSE_SHARED", ROOT.parent / "shared")).joinpath(*parts)
    return path.resolve() if path.exists() else None


class Failed(Exception):
    """Terraform ended with an error; the message is what it said."""


@dataclass(frozen=True, slots=True)
class Terraform:
    """program: the command before its arguments. offline: whether the provider is a stand-in, so that plans need no cloud."""

    program: Sequence[str]
    offline: bool

    def __call__(self, folder: Path, *arguments: object) -> str:
        """What it says on standard output. Raises Failed."""
        command = [*self.program, f"-chdir={folder}", *map(str, arguments)]
        with (folder / "versions.tf").open() as lock:  # tf-offline writes into the folder while it runs
            flock(lock, LOCK_EX)
            done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(done.stdout + done.stderr)
        return done.stdout

    def plan(self, folder: Path, out: Path, *arguments: object) -> dict[str, Any]:
        """The plan of a root module, as `terraform show -json` gives it, which is kept at out.json."""
        self(folder, "init", "-no-color")
        self(folder, "plan", "-no-color", "-input=false", "-lock=false", f"-out={out}.plan", *arguments)
        text = self(folder, "show", "-json", f"{out}.plan")
        out.with_suffix(".json").write_text(text, "utf-8")
        plan: dict[str, Any] = json.loads(text)
        return plan


def find_terraform() -> Terraform | None:
    """The offline one, else the plain one where $CI says that the provider can be fetched; else none."""
    offline = beside("terraform-offline", "tf-offline")
    if offline and shutil.which("terraform"):
        return Terraform([str(offline)], offline=True)
    return Terraform(["terraform"], offline=False) if os.environ.get("CI") and shutil.which("terraform") else None


def environment() -> dict[str, str]:
    """Ours, without a configuration file that is not there, which Terraform would complain of; the offline provider knows all
    types of resources."""
    kept = dict(os.environ)
    if not Path(kept.get("TF_CLI_CONFIG_FILE", "")).is_file():
        kept.pop("TF_CLI_CONFIG_FILE", None)
    offline = beside("terraform-offline", "full")
    return {**({"TF_OFFLINE_DATA": str(offline)} if offline else {}), **kept, **PASSWORD}


def plan_deployment(terraform: Terraform, name: str, folder: Path, *more: str, root: Path = FOLDER) -> dict[str, Any]:
    """The plan of terraform/ with the figures of NAME.tfvars; more: arguments, such as -var=region=…"""
    return terraform.plan(root, folder / name, f"-var-file={name}.tfvars", *more)


def copied(folder: Path) -> Path:
    """A copy of terraform/ that may be changed."""
    return Path(shutil.copytree(FOLDER, folder / "terraform", ignore=shutil.ignore_patterns(".terraform")))
