"""The stack for a school's own server, the images and the workflows, read as text: they name what there is."""

import os
import re
import shutil
import subprocess
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "infra" / "compose.yaml").read_text("utf-8")
STACK: dict[str, Any] = yaml.safe_load(COMPOSE)
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yaml"))
RELEASE = (ROOT / ".github" / "workflows" / "release.yaml").read_text("utf-8")
IMAGES = sorted((ROOT / "containers").glob("*/Dockerfile"))
MODULES = Path(os.environ.get("TSC_MODULES", ROOT / "build" / "tsc" / "node_modules"))


def test_what_the_stack_asks_the_operator_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+)", COMPOSE)) - {"VERSION"}
    assert asked == set(re.findall(r"^(\w+)=", (ROOT / "infra" / "example.env").read_text("utf-8"), re.MULTILINE))


def test_only_the_proxy_is_reached_from_outside_and_only_the_app_reaches_out() -> None:
    assert STACK["networks"]["inside"] == {"internal": True}
    assert [name for name, service in STACK["services"].items() if "ports" in service] == ["proxy"]
    assert [name for name, service in STACK["services"].items() if "outside" in service["networks"]] == ["proxy", "app"]


@pytest.mark.parametrize("name", STACK["services"])
def test_a_service_has_limits_and_a_root_that_cannot_be_written_to(name: str) -> None:
    service = STACK["services"][name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["mem_limit"]
    assert service["cpus"]


@pytest.mark.parametrize("file", IMAGES, ids=lambda file: file.parent.name)
def test_an_image_runs_as_nobody_special_on_a_base_that_can_be_pinned_and_says_whether_it_is_well(file: Path) -> None:
    text = file.read_text("utf-8")

    assert re.findall(r"^USER (\d+)$", text, re.MULTILINE)[-1] == "10001"
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE}"}
    assert re.search(r"^HEALTHCHECK ", text, re.MULTILINE)
    assert (file.parent / "README.md").exists()


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_calls_what_there_is_and_may_do_little(file: Path) -> None:
    text = file.read_text("utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)

    assert yaml.safe_load(text)["permissions"]["contents"] == "read"
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= set(targets)
    assert all((ROOT / name).exists() for name in re.findall(r"\binfra/[\w.]+", text))


def test_a_release_builds_images_that_there_are_for_programs_that_terraform_makes() -> None:
    programs = (ROOT / "terraform" / "programs.tf").read_text("utf-8")
    deployed = (ROOT / "infra" / "deploy.sh").read_text("utf-8") + RELEASE

    for name in re.findall(r"- name: (\w+)\n\s+arguments", RELEASE):
        assert (ROOT / "containers" / {"gpu": "embedder"}.get(name, name) / "Dockerfile").exists(), name
    for name in ("api", "uploaded", "deleted", "nightly", "embedder", "admin"):
        assert re.search(rf"^      {name} = \{{$", programs, re.MULTILINE), name
        assert re.search(rf"\b{name}\b", deployed), name


@pytest.mark.skipif(not (MODULES / "@actions").exists(), reason="make check brings GitHub's language service")
def test_github_takes_every_workflow_and_refuses_one_that_names_what_is_not_there(tmp_path: Path) -> None:
    def told(*files: Path) -> tuple[int, str]:
        command = ["node", str(ROOT / "scripts" / "infra" / "workflows.mjs"), str(MODULES), *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    assert told(*WORKFLOWS) == (0, "")
    for right, wrong in {"needs: image": "needs: imagee", "steps.build": "steps.bild", "timeout-min": "timeout-mim"}.items():
        (tmp_path / "broken.yaml").write_text(RELEASE.replace(right, wrong, 1), "utf-8")
        code, said = told(tmp_path / "broken.yaml")
        assert (code, re.split(r"[ .]", wrong)[-1] in said) == (1, True)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_by_hash(file: Path) -> None:
    """A tag can be moved to other code, or withdrawn, as that of a scanner was in 2026."""
    used = re.findall(r"uses: (\S+)", file.read_text("utf-8"))

    assert used
    assert [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each)] == []


def test_a_release_deploys_only_images_whose_signature_it_has_checked() -> None:
    before, _, deploying = RELEASE.partition("New revisions")
    checked = before.partition("Nothing is deployed")[2]

    assert "cosign verify" in checked
    assert set(re.findall(r"cat (\w+\.image)", deploying)) <= set(re.findall(r"cat (\w+\.image)", checked))


def test_what_images_import_while_they_are_built_is_there() -> None:
    told = re.findall(r"from (chapterverse[\w.]*) import (\w+)", "".join(file.read_text("utf-8") for file in IMAGES))

    assert told
    assert [f"{module}.{name}" for module, name in told if not hasattr(import_module(module), name)] == []


def test_base_images_are_pinned_by_digest_and_those_that_are_not_are_named(tmp_path: Path) -> None:
    folder, digest = tmp_path / "infra", "sha256:" + 64 * "a"
    programs = folder / "programs"
    programs.mkdir(parents=True)
    for name in ("compose.yaml", "pin.sh"):
        shutil.copy(ROOT / "infra" / name, folder)
    example = (ROOT / "infra" / "example.env").read_text("utf-8")
    (folder / ".env").write_text(example.replace("CADDY_IMAGE=", "CADDY_IMAGE=caddy:2.9@sha256:old"), "utf-8")
    (programs / "docker").write_text(f"#!/bin/sh\necho {digest}\n", "utf-8")
    (programs / "docker").chmod(0o755)

    def pin(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{programs}:{os.environ['PATH']}"}
        command = [str(folder / "pin.sh"), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    before, pinned, after = pin("--check"), pin(), pin("--check")

    assert (before.returncode, pinned.returncode, after.returncode) == (1, 0, 0), pinned.stderr
    assert re.findall(r"^\w+", before.stderr, re.MULTILINE) == ["POSTGRES_IMAGE", "PYTHON_IMAGE"]
    lines = (folder / ".env").read_text("utf-8").splitlines()
    told = dict(line.split("=", 1) for line in lines if line.startswith(("P", "C", "S")))
    assert told["CADDY_IMAGE"] == f"caddy:2.9@{digest}"
    assert told["PYTHON_IMAGE"] == f"python:3.11-slim@{digest}"
    assert told["SCHOOL"] == "local"


@pytest.mark.parametrize("image", ["app", "embedder"])
def test_an_image_that_builds_the_package_has_all_files_of_it(image: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = {Path(file).parts[0] for file in project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]}
    wanted = included | {"src", "pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    build = (ROOT / "containers" / image / "Dockerfile").read_text("utf-8")
    copied = {name for line in re.findall(r"^COPY (?!--)(.+) \S+$", build, re.MULTILINE) for name in line.split()}
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}

    assert wanted <= copied
    assert wanted <= sent


def test_a_release_that_is_tried_again_sets_no_tag_twice() -> None:
    """The repository refuses to move a tag (terraform/modules/delivery), and an artefact of a name is there once a run."""
    assert all("github.run_attempt" in each for each in re.findall(r"^ +tags: (.*)", RELEASE, re.MULTILINE))
    assert RELEASE.count("upload-artifact@") == RELEASE.count("overwrite: true")


def test_a_release_reads_variables_of_the_repository_that_the_page_names() -> None:
    """Those of an environment are unknown where the environment itself is chosen, and in what all jobs share."""
    page = (ROOT / "docs" / "first-deployment.md").read_text("utf-8")
    [told] = re.findall(r"variables of the repository(.*?)\n\n", page, re.DOTALL)

    assert set(re.findall(r"vars\.(\w+)", RELEASE)) == set(re.findall(r"`([A-Z_]+)(?:=[\w,]+)?`", told))


def test_every_page_builds_images_for_a_gpu_and_for_vertex_with_the_same_extras() -> None:
    """Without the index's client an embedder is ready, and gives up every book."""
    pages = [*WORKFLOWS, *ROOT.glob("docs/**/*.md"), *ROOT.glob("containers/*/README.md")]
    told = {each for page in pages for each in re.findall(r"EXTRAS=(\w[\w,]*)", page.read_text("utf-8"))}

    assert told == {"server,cloud,chroma,gpu", "all,vertex"}
