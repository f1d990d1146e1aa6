"""What all environments come to, read from their plans: who may do what, what is open, what the application is told.

Needs a Terraform that needs no cloud (scripts/infra/terraform.py); without one it is skipped."""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.tasks import RECEIVE_SECONDS, TASK_SECONDS
from chapterverse.settings import Settings
from scripts.infra.terraform import Terraform, find_terraform, plan_environment

PREFIX = "CHAPTERVERSE_"
EVERYBODY = {"allUsers", "allAuthenticatedUsers"}
OF_THE_PROJECT = {  # grants that have no narrower place, and why
    "roles/artifactregistry.reader": "the release looks at all there is",
    "roles/cloudfunctions.developer": "the release changes functions",
    "roles/cloudscheduler.viewer": "the release looks at all there is",
    "roles/cloudsql.viewer": "the release looks at all there is",
    "roles/cloudtasks.viewer": "the release looks at all there is",
    "roles/compute.viewer": "the release looks at all there is",
    "roles/dns.reader": "the release looks at all there is",
    "roles/eventarc.eventReceiver": "Eventarc has no narrower place",
    "roles/iam.securityReviewer": "the release looks at all there is",
    "roles/logging.logWriter": "logs have no narrower place",
    "roles/logging.viewer": "the release looks at all there is",
    "roles/monitoring.metricWriter": "figures have no narrower place",
    "roles/monitoring.viewer": "the release looks at all there is",
    "roles/pubsub.publisher": "Eventarc makes the topic",
    "roles/run.developer": "the release changes services",
    "roles/secretmanager.viewer": "the release looks at names, never at values",
    "roles/serviceusage.serviceUsageConsumer": "the release calls interfaces",
}

REGION = re.compile(r"\b(?:africa|asia|australia|europe|me|northamerica|southamerica|us)-[a-z]+\d\b")
IMAGE = re.compile(r"[\w-]+-docker\.pkg\.dev\S+")  # an operator says where these come from

Resources = list[dict[str, Any]]


@pytest.fixture(scope="module")
def terraform() -> Terraform:
    found = find_terraform()
    if found is None or not found.offline:
        pytest.skip("there is no Terraform that needs no cloud: terraform-offline of the shared folder")
    return found


@pytest.fixture(scope="module", params=["dev", "prod", "small"])
def plan(request: pytest.FixtureRequest, terraform: Terraform, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return plan_environment(terraform, request.param, tmp_path_factory.mktemp("plan"))


@pytest.fixture
def resources(plan: dict[str, Any]) -> Resources:
    return planned(plan)


def planned(plan: dict[str, Any]) -> Resources:
    """Type, address and planned values of each."""
    changes = [change for change in plan["resource_changes"] if change["mode"] == "managed"]
    return [{**change["change"]["after"], "type": change["type"], "address": change["address"]} for change in changes]


def of(kind: str, resources: Resources) -> Resources:
    return [each for each in resources if each["type"] == kind]


def grants(resources: Resources) -> Resources:
    return [each for each in resources if each["type"].endswith(("_iam_member", "_iam_binding"))]


def environment_of(plan: dict[str, Any]) -> str:
    end = plan["variables"]["project_id"]["value"].rpartition("-")[2]
    return end if end in {"dev", "small"} else "prod"


def told(resources: Resources) -> Iterator[tuple[str, dict[str, str]]]:
    """The environment of each program of ours, by its address."""
    for each in of("google_cloudfunctions2_function", resources):
        yield each["address"], each["service_config"][0]["environment_variables"]
    for each in of("google_cloud_run_v2_service", resources):
        yield each["address"], environment_in(each["template"][0])
    for each in of("google_cloud_run_v2_job", resources):
        yield each["address"], environment_in(each["template"][0]["template"][0])


def environment_in(template: dict[str, Any]) -> dict[str, str]:
    """What a container is told that is no secret."""
    said = template["containers"][0]["env"]
    return {one["name"]: one["value"] for one in said if one.get("value") is not None}


def test_no_role_is_a_primitive_one(resources: Resources) -> None:
    primitive = {"roles/owner", "roles/editor", "roles/viewer"}

    assert [each["address"] for each in grants(resources) if each["role"] in primitive] == []


def test_the_api_alone_is_for_everybody(resources: Resources) -> None:
    open_to_all = [each for each in grants(resources) if each.get("member") in EVERYBODY]

    assert [each["role"] for each in open_to_all] == ["roles/run.invoker"]
    assert open_to_all[0]["address"].startswith("module.deployment.module.api_function.")


def test_a_grant_in_the_project_is_one_that_has_no_narrower_place(resources: Resources) -> None:
    given = {each["role"] for each in of("google_project_iam_member", resources)}

    assert {role for role in given if not role.startswith("projects/")} <= set(OF_THE_PROJECT)
    assert not of("google_project_iam_binding", resources)


def test_every_workload_has_an_account_of_its_own(resources: Resources) -> None:
    functions = [
        each["service_config"][0]["service_account_email"] for each in of("google_cloudfunctions2_function", resources)
    ]
    services = [each["template"][0]["service_account"] for each in of("google_cloud_run_v2_service", resources)]
    jobs = [each["template"][0]["template"][0]["service_account"] for each in of("google_cloud_run_v2_job", resources)]
    accounts = [*functions, *services, *jobs]

    assert len(set(accounts)) == len(accounts) - 1  # both events are one workload
    assert not any("compute@developer" in account for account in accounts)


def test_no_bucket_is_public(resources: Resources) -> None:
    for bucket in of("google_storage_bucket", resources):
        assert bucket["public_access_prevention"] == "enforced", bucket["address"]
        assert bucket["uniform_bucket_level_access"] is True, bucket["address"]


def test_no_machine_or_database_has_a_public_address(resources: Resources) -> None:
    for machine in of("google_compute_instance", resources):
        assert not any(card.get("access_config") for card in machine["network_interface"])
    for database in of("google_sql_database_instance", resources):
        assert database["settings"][0]["ip_configuration"][0]["ipv4_enabled"] is False
    for wall in of("google_compute_firewall", resources):
        assert "0.0.0.0/0" not in wall["source_ranges"]


def test_the_only_public_address_is_the_balancers(resources: Resources) -> None:
    public = [each for each in of("google_compute_global_address", resources) if each["address_type"] != "INTERNAL"]

    assert all(each["address"].startswith("module.deployment.module.edge[0].") for each in public)
    assert all(each["address_type"] == "INTERNAL" for each in of("google_compute_address", resources))


def test_what_programs_are_told_fits_together(resources: Resources) -> None:
    programs = dict(told(resources))

    assert len(programs) == 6
    for environment in programs.values():
        ours = {name.removeprefix(PREFIX).lower(): value for name, value in environment.items() if name.startswith(PREFIX)}
        Settings.model_validate(ours)  # raises where they do not


def test_programs_are_told_the_same_of_what_they_share(resources: Resources) -> None:
    shared = (
        "ARTEFACTS",
        "UPLOADS",
        "CATALOG",
        "INDEX",
        "QUEUE",
        "TASKS_URL",
        "TASKS_ACCOUNT",
        "EMBEDDING_MODEL",
    )

    for name in shared:
        assert len({environment[PREFIX + name] for _, environment in told(resources)}) == 1, name


def test_no_secret_is_in_the_plan(plan: dict[str, Any]) -> None:
    assert "for-plans-in-tests-only" not in str(plan)


def test_a_function_ends_before_a_task_and_a_task_before_the_embedder(resources: Resources) -> None:
    ingest = [each for each in of("google_cloudfunctions2_function", resources) if each["event_trigger"]]
    [embedder] = [each for each in of("google_cloud_run_v2_service", resources) if each["name"].endswith("-embedder")]

    assert all(each["service_config"][0]["timeout_seconds"] < TASK_SECONDS for each in ingest)
    assert int(embedder["template"][0]["timeout"].removesuffix("s")) > RECEIVE_SECONDS > TASK_SECONDS


def test_the_programs_that_read_files_may_see_the_uploads(plan: dict[str, Any], resources: Resources) -> None:
    prefix = f"cv-{environment_of(plan)}"
    grants_on_uploads = [
        (each["member"], each["role"])
        for each in of("google_storage_bucket_iam_member", resources)
        if each["bucket"].endswith("uploads") and each["role"] == "roles/storage.objectViewer"
    ]

    for program in ("ingest", "embedder"):
        assert any(f":{prefix}-{program}@" in member for member, _ in grants_on_uploads), program


def test_everything_that_can_have_labels_says_whose_it_is(plan: dict[str, Any], resources: Resources) -> None:
    labelled = [each["effective_labels"] for each in resources if each.get("effective_labels")]

    assert len(labelled) > 10
    assert {labels["environment"] for labels in labelled} == {environment_of(plan)}


def test_everything_is_in_one_region(plan: dict[str, Any], resources: Resources) -> None:
    region = plan["variables"]["region"]["value"]
    places = {each.get("location") or each.get("region") for each in resources} - {None, "global"}

    assert {place.lower() for place in places} == {region}


def test_the_one_variable_moves_everything_to_another_region(terraform: Terraform, tmp_path: Path) -> None:
    moved = planned(plan_environment(terraform, "prod", tmp_path, "-var=region=us-central1"))
    places = {each["address"]: set(REGION.findall(IMAGE.sub("", str(each)))) for each in moved}

    assert {address: regions for address, regions in places.items() if regions - {"us-central1"}} == {}
    assert sum(map(bool, places.values())) > 40


def test_functions_are_called_from_inside_but_for_the_api(plan: dict[str, Any], resources: Resources) -> None:
    functions = of("google_cloudfunctions2_function", resources)
    open_ones = {each["name"]: each["service_config"][0]["ingress_settings"] for each in functions}
    api = open_ones.pop(f"cv-{environment_of(plan)}-api")

    assert api == {"dev": "ALLOW_ALL", "small": "ALLOW_ALL", "prod": "ALLOW_INTERNAL_AND_GCLB"}[environment_of(plan)]
    assert set(open_ones.values()) == {"ALLOW_INTERNAL_ONLY"}


def test_schools_data_is_kept_and_dev_may_be_thrown_away(plan: dict[str, Any], resources: Resources) -> None:
    kept = environment_of(plan) != "dev"
    [database] = of("google_sql_database_instance", resources)

    assert database["deletion_protection"] is kept
    assert database["settings"][0]["backup_configuration"][0]["point_in_time_recovery_enabled"] is kept
    assert {bucket["force_destroy"] for bucket in of("google_storage_bucket", resources)} == {not kept}
    assert {secret["deletion_protection"] for secret in of("google_secret_manager_secret", resources)} == {kept}


def test_nothing_of_a_lone_school_runs_at_night_but_its_catalog(terraform: Terraform, tmp_path: Path) -> None:
    resources = planned(plan_environment(terraform, "small", tmp_path))
    functions = [each["service_config"][0]["min_instance_count"] for each in of("google_cloudfunctions2_function", resources)]
    services = [each["template"][0]["scaling"][0] for each in of("google_cloud_run_v2_service", resources)]
    [catalog] = of("google_sql_database_instance", resources)

    assert not of("google_compute_instance", resources)
    assert not of("google_compute_global_forwarding_rule", resources)
    assert {*functions, *(each["min_instance_count"] for each in services)} <= {0, None}
    assert catalog["settings"][0]["availability_type"] == "ZONAL"
    assert {environment[PREFIX + "INDEX"] for _, environment in told(resources)} == {""}  # files in the bucket


def test_every_minimum_that_the_timetable_raises_it_lowers_again(terraform: Terraform, tmp_path: Path) -> None:
    resources = planned(plan_environment(terraform, "small", tmp_path))
    warm = [each for each in of("google_cloud_scheduler_job", resources) if each["http_target"][0]["http_method"] == "PATCH"]
    asked = [(each["http_target"][0]["uri"], b64decode(each["http_target"][0]["body"])) for each in warm]
    raised = Counter(uri for uri, body in asked if b'"minInstanceCount":0' not in body)

    assert raised
    assert raised == Counter(uri for uri, body in asked if b'"minInstanceCount":0' in body)
