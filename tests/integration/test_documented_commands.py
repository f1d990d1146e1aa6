"""Every gcloud and Terraform command that a page gives an operator: gcloud's parsed as the real program does, Terraform's run.

Terraform's need one that needs no cloud (scripts/infra/terraform.py); without it they are skipped."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from scripts.infra.terraform import ROOT, Terraform, copied

PAGES = [*sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("terraform/*.md")), ROOT / "infra" / "deploy.sh"]
FIRST = (ROOT / "docs" / "first-deployment.md").read_text("utf-8")
KNOWN = json.loads((ROOT / "tests" / "fixtures" / "gcloud_commands.json").read_text("utf-8"))["commands"]
SUBSTITUTED = re.compile(r"\$\((gcloud (?:[^()]|\([^)]*\))*)\)")
GCLOUD = sorted(
    {
        part.removeprefix("gcloud ").strip()
        for page in PAGES
        for line in re.findall(r"\bgcloud [a-z][^`\n]*", SUBSTITUTED.sub(r"`\1`", page.read_text("utf-8").replace("\\\n", " ")))
        for part in re.split(r" && | \| |;", line)
        if part.startswith("gcloud ")
    }
)
COMMAND = re.compile(r"\bterraform -chdir=terraform ((?:apply|output|destroy)[^&)`\n]*)")
TERRAFORM = [shlex.split(each) for each in COMMAND.findall(FIRST)]


def complaint(command: str) -> str:
    """What the real program would refuse; empty where it takes the command."""
    words = shlex.split(command)
    known = sorted(KNOWN, key=len, reverse=True)
    name = next((each for each in known if f"{command} ".startswith(f"{each} ")), "")
    if not name:
        return "no command that the real program is known to have (tests/fixtures/gcloud_commands.json)"
    known, given, positional = KNOWN[name], set[str](), 0
    rest = iter(words[len(name.split()) :])
    for word in rest:
        flag, has_value, _ = word.partition("=") if word.startswith("--") else ("", "", "")
        if not flag:
            positional += 1
            continue
        if not has_value and f"{flag}=" in (*known["required"], *known["flags"]):
            next(rest, None)
            has_value = "="
        given.add(f"{flag}{has_value}")
    if unknown := given - {*known["required"], *known["flags"]}:
        return f"it has no {sorted(unknown)}"
    if missing := set(known["required"]) - given:
        return f"it needs {sorted(missing)}"
    return "" if positional == known["positional"] else f"it takes {known['positional']} arguments, not {positional}"


@pytest.mark.parametrize("command", GCLOUD)
def test_gcloud_takes_every_command_that_a_page_gives(command: str) -> None:
    assert complaint(command) == ""


def test_what_gcloud_is_known_to_take_is_what_the_pages_give() -> None:
    assert [name for name in KNOWN if not any(command.startswith(name) for command in GCLOUD)] == []


def managed(terraform: Terraform, root: Path) -> list[str]:
    """Addresses of what the state holds."""
    state: dict[str, Any] = json.loads(terraform(root, "show", "-json")).get("values", {})

    def within(module: dict[str, Any]) -> list[str]:
        found = [each["address"] for each in module.get("resources", []) if each["mode"] == "managed"]
        return found + [address for child in module.get("child_modules", []) for address in within(child)]

    return within(state.get("root_module", {}))


def test_the_first_evening_goes_as_the_page_says(terraform: Terraform, tmp_path: Path) -> None:
    """In its order and one folder: the place for images alone, all the rest, what is asked of it, and away with it."""
    assert not re.search(r"^ +(?:cd |.*(?<!=)\bterraform (?:init|apply|output|destroy))", FIRST, re.MULTILINE)
    root = copied(tmp_path)
    shutil.copy(root / "small.tfvars", root / "terraform.tfvars")
    terraform(root, "init", "-no-color")
    held, added = list[list[str]](), list[str]()
    for command, *options in TERRAFORM:
        unasked = ["-auto-approve", "-input=false", "-lock=false"] if command != "output" else []
        said = terraform(root, command, "-no-color", *unasked, *options)
        if command != "output":
            held.append(managed(terraform, root))
            added += re.findall(r"Apply complete! Resources: (\d+) added", said)
        elif "-raw" in options:
            assert said.startswith("https://")

    images, *_, nothing = held
    assert {".".join(address.split(".")[:2]) for address in images} == {"module.delivery", "module.project"}
    assert f"Resources: {added[1]} added" in FIRST
    assert nothing == []


def test_another_image_of_chroma_makes_another_machine_and_keeps_its_disk(terraform: Terraform, tmp_path: Path) -> None:
    """A machine reads its image at its start: without a new one, an upgrade would wait for a reboot."""
    root = copied(tmp_path)
    options = ("-no-color", "-input=false", "-lock=false", "-var-file=school.tfvars")
    terraform(root, "init", "-no-color")
    terraform(root, "apply", "-auto-approve", *options)
    text = (root / "school.tfvars").read_text("utf-8")
    (root / "school.tfvars").write_text(re.sub(r"(chroma@sha256:)\w{4}", r"\1ffff", text), "utf-8")

    terraform(root, "plan", *options, f"-out={tmp_path}/plan")

    changes = json.loads(terraform(root, "show", "-json", f"{tmp_path}/plan"))["resource_changes"]
    actions = {each["address"]: each["change"]["actions"] for each in changes}
    assert "create" in actions["module.chroma[0].google_compute_instance.this"]
    assert actions["module.chroma[0].google_compute_disk.data"] == ["no-op"]
