"""docs/operations.md and its pages name what there is: alerts, commands, variables, outputs, build arguments, tests."""

import re
from pathlib import Path

from chapterverse.infrastructure.sql import all_tables

ROOT = Path(__file__).parents[2]
TERRAFORM, DOCS = ROOT / "terraform", ROOT / "docs"
OPERATIONS = (DOCS / "operations.md").read_text("utf-8") + (DOCS / "first-deployment.md").read_text("utf-8")
INCIDENTS = (DOCS / "operations" / "incidents.md").read_text("utf-8")
PROTECTION = (DOCS / "data-protection.md").read_text("utf-8")


def blocks(kind: str, *folder: str) -> set[str]:
    """Names of the variables or outputs of a folder."""
    text = "".join(path.read_text("utf-8") for path in TERRAFORM.joinpath(*folder).glob("*.tf"))
    return set(re.findall(rf'^{kind} "(\w+)"', text, re.MULTILINE))


def test_there_is_a_page_for_each_alert_and_no_other() -> None:
    main = (TERRAFORM / "modules" / "watching" / "main.tf").read_text("utf-8")
    listed = re.findall(r"^    (\w+) += \{ says", main, re.MULTILINE)
    alone = re.findall(r'"google_monitoring_alert_policy" "(\w+)"', main)

    assert sorted(re.findall(r"^## (\w+)$", INCIDENTS, re.MULTILINE)) == sorted({*listed, *alone} - {"this"})


def test_the_variables_named_are_those_of_production() -> None:
    named = set(re.findall(r"`(\w+)` of `terraform\.tfvars`|`(\w+)` in `terraform\.tfvars`", OPERATIONS + INCIDENTS))
    given = re.findall(r"TF_VAR_(\w+)", OPERATIONS)

    assert {name for pair in named for name in pair if name} | set(given) <= blocks("variable")


def test_images_are_built_with_arguments_that_they_take() -> None:
    builds = re.compile(r"docker buildx build .*? containers/(\w+)/Dockerfile (.*?) \.$", re.MULTILINE | re.DOTALL)
    for name, arguments in builds.findall(OPERATIONS):
        taken = re.findall(r"^ARG (\w+)", (ROOT / "containers" / name / "Dockerfile").read_text("utf-8"), re.MULTILINE)

        assert set(re.findall(r"--build-arg (\w+)=", arguments)) <= set(taken)


def test_every_bucket_and_every_table_of_peoples_is_in_the_data_protection_page() -> None:
    text = (TERRAFORM / "modules" / "data" / "buckets.tf").read_text("utf-8")
    buckets = re.findall(r"^    (\w+) += \{ versions", text, re.MULTILINE)
    told = PROTECTION.lower()

    assert len(buckets) == 3
    assert all(f"bucket `{name}`" in told for name in buckets)
    for table in all_tables():  # of api_keys, keys are told; of batch_essays, essays
        assert table.name.rpartition("_")[2] in told, table.name
