"""Deliberate mistakes in a copy of terraform/, one at a time: does anything catch them?

    python -m scripts.infra.tf_mutations --checkov build/infra-venv/bin/checkov

Each is shown to `terraform validate`, then to the tests that read the plans, then to checkov over the plan of a school, until
one complains. It ends with an error where a mistake passes, or is caught by another one than is written here and in
terraform/README.md."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.infra.terraform import FOLDER, ROOT, Failed, Terraform, copied, find_terraform, plan_deployment
from scripts.infra.tf_check import MISSING, scan

TESTS = [ROOT / "tests" / "integration" / f"test_terraform{name}.py" for name in ("_plans", "_iam")]


@dataclass(frozen=True, slots=True)
class Mistake:
    """In `file`, `right` becomes `wrong`."""

    what: str
    file: str
    right: str
    wrong: str
    caught_by: str


MISTAKES = (
    Mistake("a misspelt argument", "modules/service/main.tf", "invoker_iam_disabled =", "invoker_iam_disbled =", "validate"),
    Mistake(
        "the catalogue's password in the state",
        "modules/data/catalogue.tf",
        "  password_wo         = var.password\n  password_wo_version = var.catalogue.password_version\n",
        "  password            = var.password\n",
        "validate",
    ),
    Mistake(
        "anybody may call every program", "programs.tf", 'open          = each.key == "api"', "open          = true", "test"
    ),
    Mistake(
        "the event of a bucket without versions", "modules/events/main.tf", "object.v1.archived", "object.v1.deleted", "test"
    ),
    Mistake(
        "a secret is mounted before it has a version",
        "programs.tf",
        "module.data.secrets[secret] if contains(var.secrets, secret) }",
        "module.data.secrets[secret] }",
        "test",
    ),
    Mistake(
        "the embedder ends before the queue stops waiting",
        "sizing.tf",
        "local.application.receive_seconds + 60",
        "local.application.receive_seconds - 60",
        "validate",
    ),
    Mistake(
        "a bucket that can be made public",
        "modules/data/buckets.tf",
        'public_access_prevention    = "enforced"',
        'public_access_prevention    = "inherited"',
        "test",
    ),
    Mistake("more connections than the catalogue holds", "sizing.tf", "pool             = 5", "pool             = 15", "test"),
    Mistake(
        "releases may do everything: a primitive role",
        "modules/delivery/main.tf",
        '"roles/run.developer"',
        '"roles/editor"',
        "test",
    ),
    Mistake("operators cannot see the job they started", "main.tf", '"roles/run.viewer", ', "", "test"),
    Mistake(
        "a key of the project's opens the VM with the index",
        "modules/chroma/main.tf",
        'block-project-ssh-keys    = "TRUE"',
        'block-project-ssh-keys    = "FALSE"',
        "checkov",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkov", required=True, help="the program checkov")
    checkov = parser.parse_args().checkov
    terraform = find_terraform()
    if terraform is None or not terraform.offline:
        print(f"skipped: {MISSING}")
        return
    with TemporaryDirectory() as folder:
        root = copied(Path(folder))
        wrong = [line for mistake in MISTAKES for line in judge(mistake, terraform, checkov, root)]
    sys.exit("\n".join(wrong) or None)


def judge(mistake: Mistake, terraform: Terraform, checkov: str, root: Path) -> Iterator[str]:
    """Says what caught it; yields a complaint where that is not what is written."""
    file = root / mistake.file
    text = (FOLDER / mistake.file).read_text("utf-8")
    file.write_text(text.replace(mistake.right, mistake.wrong), "utf-8")
    caught_by = what_catches(terraform, checkov, root)
    file.write_text(text, "utf-8")
    print(f"{caught_by or 'NOTHING':8}  {mistake.what}", flush=True)
    if caught_by != mistake.caught_by:
        yield f"{mistake.what}: caught by {caught_by or 'nothing'}, not by {mistake.caught_by}"


def what_catches(terraform: Terraform, checkov: str, root: Path) -> str | None:
    terraform(root, "init", "-no-color")
    try:
        terraform(root, "validate", "-no-color")
    except Failed:
        return "validate"
    told = {**os.environ, "CHAPTERVERSE_TERRAFORM": str(root)}
    if subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", *TESTS], env=told, capture_output=True, check=False
    ).returncode:
        return "test"
    return "checkov" if checkov_catches(terraform, checkov, root) else None


def checkov_catches(terraform: Terraform, checkov: str, root: Path) -> bool:
    """Over the plan of a school."""
    plan_deployment(terraform, "school", root.parent, root=root)
    try:
        scan(checkov, root.parent / "school.json")
    except Failed:
        return True
    return False


if __name__ == "__main__":
    main()
