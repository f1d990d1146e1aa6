"""Each image's packages alone, and all that its programs' settings select imported: with the settings that Terraform plans.

Needs a Terraform that needs no cloud (scripts/infra/terraform.py); without one it is skipped."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.infra.terraform import ROOT, Terraform, plan_deployment

SELECTED = ROOT / "tests" / "support" / "selected.py"
FUNCTIONS = ROOT / "functions" / "main.py"
ELSEWHERE = {"torch", "sentence_transformers", "rapidocr"}  # of a GPU's base; what reads scans where Tesseract is not installed
PLANS = [("small",), ("district",), ("school", '-var=vertex_endpoint={image="an-image@sha256:0"}')]
SECRET = {"CHAPTERVERSE_MAIL_SERVER": "smtps://u:p@mail.example", "CHAPTERVERSE_MAIL_FROM": "a@b.example"}
ACCOUNT = '{"type": "authorized_user", "client_id": "x", "client_secret": "x", "refresh_token": "x"}'  # nobody is asked
Make = Callable[[frozenset[str]], Path]


def extras_of(image: str) -> frozenset[str]:
    """The extras that an image is built with, by the last part of its name."""
    if image == "app":
        text = (ROOT / "containers" / "app" / "Dockerfile").read_text("utf-8")
        [found] = re.findall(r"^ARG EXTRAS=(\S+)", text, re.MULTILINE)
    else:
        release = (ROOT / ".github" / "workflows" / "release.yaml").read_text("utf-8")
        [found] = re.findall(r"^ +EXTRAS=([\w,]+)$", release, re.MULTILINE)
    return frozenset(found.split(","))


def needed(extras: frozenset[str]) -> set[str]:
    """Names of the distributions that installing the project with these extras brings; without those that are not here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    todo = [Requirement(each) for each in project["dependencies"]]
    todo += [Requirement(each) for extra in extras for each in project["optional-dependencies"][extra]]
    done, names = set[tuple[str, frozenset[str]]](), set[str]()
    while todo:
        wanted = todo.pop()
        asked = frozenset(wanted.extras)
        if wanted.name == project["name"]:
            todo += [Requirement(each) for extra in asked for each in project["optional-dependencies"][extra]]
        elif (wanted.name, asked) not in done:
            done.add((wanted.name, asked))
            try:
                found = distribution(wanted.name)
            except PackageNotFoundError:  # torch, which the image's base has
                continue
            names.add(canonicalize_name(wanted.name))
            todo += [each for each in map(Requirement, found.requires or []) if applies(each, asked)]
    return names


def applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""})


def link_packages(extras: frozenset[str], folder: Path) -> Path:
    """The folder with links to all files that these extras bring."""
    wanted = needed(extras)
    for each in distributions():
        for file in each.files or [] if canonicalize_name(each.name) in wanted else []:
            place = folder / file
            if ".." not in file.parts and "__pycache__" not in file.parts:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(str(file.locate()))
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Make:
    return cache(lambda extras: link_packages(extras, tmp_path_factory.mktemp("packages")))


@pytest.fixture(scope="module", params=PLANS, ids=" ".join)
def programs(
    request: pytest.FixtureRequest, terraform: Terraform, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """By name the container of each program of ours."""
    (name, *options), found = request.param, dict[str, dict[str, Any]]()
    for change in plan_deployment(terraform, name, tmp_path_factory.mktemp("plan"), *options)["resource_changes"]:
        if change["type"] in {"google_cloud_run_v2_service", "google_cloud_run_v2_job"}:
            after = change["change"]["after"]
            template = after["template"][0].get("template") or after["template"]
            found[after["name"].rpartition("-")[2]] = template[0]["containers"][0]
    return found


def lacking(program: str, container: dict[str, Any], extras: frozenset[str], folder: Path, home: Path) -> list[str]:
    """What the program selects and its image does not have."""
    told = {one["name"]: one["value"] or SECRET.get(one["name"], "secret") for one in container["env"]}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "CHAPTERVERSE_HOME": str(home), **told}
    (home / "account.json").write_text(ACCOUNT, "utf-8")
    environment |= {"PYTHONPATH": f"{ROOT / 'src'}:{folder}", "GOOGLE_APPLICATION_CREDENTIALS": str(home / "account.json")}
    command = [sys.executable, "-S", "-P", "-W", "ignore", str(SELECTED), program, str(FUNCTIONS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [line for line in done.stdout.splitlines() if line and line.split()[0].partition(".")[0] not in ELSEWHERE]


def test_each_program_has_all_its_settings_select(programs: dict[str, dict[str, Any]], packages: Make, tmp_path: Path) -> None:
    wrong, vertex = dict[str, list[str]](), {each["name"]: each["value"] for each in programs["api"]["env"]}
    for program, container in programs.items():
        extras = extras_of(container["image"].partition("@")[0].rpartition("/")[2])
        if vertex["CHAPTERVERSE_EMBEDDER"] == "vertex":
            extras = frozenset(re.findall(r"EXTRAS=([\w,]+)", (ROOT / "docs" / "cloud.md").read_text("utf-8"))[0].split(","))
        wrong[program] = lacking(program, container, extras, packages(extras), tmp_path)

    assert {program: missing for program, missing in wrong.items() if missing} == {}
