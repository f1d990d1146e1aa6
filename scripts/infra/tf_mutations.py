"""Deliberate mistakes in a copy of terraform/, one at a time: does anything catch them?

    python -m scripts.infra.tf_mutations --checkov build/infra-venv/bin/checkov

Each is shown to `terraform validate`, then to the tests of its folder, then to checkov over the plan of production, until one
complains. It ends with an error where a mistake passes, or is caught by another one than is written here and in
terraform/README.md."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.infra.terraform import FOLDER, Failed, Terraform, archive, copied, find_terraform
from scripts.infra.tf_check import MISSING, scan

PRODUCTION = "environments/prod"


@dataclass(frozen=True, slots=True)
class Mistake:
    """In `file`, `right` becomes `wrong`; tried_in: the folder whose tests are asked, the file's own if empty."""

    what: str
    file: str
    right: str
    wrong: str
    caught_by: str
    tried_in: str = ""

    @property
    def folder(self) -> str:
        return self.tried_in or str(Path(self.file).parent)


MISTAKES = (
    Mistake(
        "a misspelt argument: the function would take one request at a time",
        "modules/function/main.tf",
        "max_instance_request_concurrency =",
        "max_instance_request_concurency =",
        "validate",
    ),
    Mistake(
        "a value that Google does not know: events would not be delivered again",
        "modules/function/main.tf",
        '"RETRY_POLICY_RETRY"',
        '"RETRY"',
        "test",
    ),
    Mistake(
        "the catalog's password in the state",
        "modules/catalog/main.tf",
        "  password_wo         = var.password\n  password_wo_version = var.password_version\n",
        "  password            = var.password\n",
        "validate",
    ),
    Mistake(
        "anybody may call the embedder",
        "modules/embedder/iam.tf",
        "  member   = each.value\n",
        '  member   = "allUsers"\n',
        "test",
    ),
    Mistake(
        "the index is open to the whole internet",
        "modules/deployment/main.tf",
        "= module.network.run_range",
        '= "0.0.0.0/0"',
        "validate",
    ),
    Mistake(
        "the embedder ends before the queue stops waiting",
        "modules/sizing/outputs.tf",
        "var.scale.embedder_max\n    timeout_seconds = local.application.receive_seconds + 60",
        "var.scale.embedder_max\n    timeout_seconds = local.application.receive_seconds - 60",
        "test",
    ),
    Mistake(
        "a GPU with two CPUs, which Cloud Run refuses",
        "environments/prod/main.tf",
        'accelerator = "nvidia-l4", cpu = 4',
        'accelerator = "nvidia-l4", cpu = 2',
        "test",
    ),
    Mistake(
        "a bucket that can be made public",
        "modules/storage/main.tf",
        'public_access_prevention    = "enforced"',
        'public_access_prevention    = "inherited"',
        "test",
    ),
    Mistake(
        "the queue gives up before the application can say so on the book",
        "modules/sizing/outputs.tf",
        "local.application.task_attempts + 5",
        "local.application.task_attempts - 5",
        "test",
    ),
    Mistake(
        "releases may do everything: a primitive role",
        "modules/delivery/iam.tf",
        '"roles/run.developer"',
        '"roles/editor"',
        "test",
    ),
    Mistake(
        "whoever has a key of the project's gets into the VM with the index",
        "modules/chroma/main.tf",
        'block-project-ssh-keys    = "TRUE"',
        'block-project-ssh-keys    = "FALSE"',
        "checkov",
        PRODUCTION,
    ),
    Mistake(
        "a network of which nobody knows who talked to whom",
        "modules/network/main.tf",
        '  log_config {\n    aggregation_interval = "INTERVAL_10_MIN"\n    flow_sampling        = 0.1\n'
        '    metadata             = "INCLUDE_ALL_METADATA"\n  }\n',
        "",
        "checkov",
        PRODUCTION,
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
    caught_by = what_catches(mistake, terraform, checkov, root)
    file.write_text(text, "utf-8")
    print(f"{caught_by or 'NOTHING':8}  {mistake.what}", flush=True)
    if caught_by != mistake.caught_by:
        yield f"{mistake.what}: caught by {caught_by or 'nothing'}, not by {mistake.caught_by}"


def what_catches(mistake: Mistake, terraform: Terraform, checkov: str, root: Path) -> str | None:
    folder = root / mistake.folder
    terraform(folder, "init", "-no-color")
    for step in ("validate", "test"):
        try:
            terraform(folder, step, "-no-color")
        except Failed:
            return step
    return "checkov" if checkov_catches(terraform, checkov, root) else None


def checkov_catches(terraform: Terraform, checkov: str, root: Path) -> bool:
    """Over the plan of production."""
    built = archive(root.parent / "functions.zip")
    out = root.parent / "prod"
    terraform.plan(root / PRODUCTION, out, "-var-file=example.tfvars", f"-var=functions_archive={built}")
    try:
        scan(checkov, out.with_suffix(".json"))
    except Failed:
        return True
    return False


if __name__ == "__main__":
    main()
