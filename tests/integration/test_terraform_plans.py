"""What all deployments come to, read from their plans: who may do what, what is open, what the application is told.

Needs a Terraform that needs no cloud (scripts/infra/terraform.py); without one it is skipped."""

import ast
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chapterverse.composition import http_limits
from chapterverse.core.tasks import RECEIVE_SECONDS, TASK_SECONDS
from chapterverse.settings import Settings
from scripts.infra.terraform import ROOT, Failed, Terraform, plan_deployment

PREFIX = "CHAPTERVERSE_"
EVERYBODY = {"allUsers", "allAuthenticatedUsers"}
REGION = re.compile(r"\b(?:africa|asia|australia|europe|me|northamerica|southamerica|us)-[a-z]+\d\b")
IMAGE = re.compile(r"[\w-]+-docker\.pkg\.dev\S+")  # an operator says where these come from
Resources = list[dict[str, Any]]


@pytest.fixture
def resources(plan: dict[str, Any]) -> Resources:
    return planned(plan)


def planned(plan: dict[str, Any]) -> Resources:
    """Type, address and planned values of each."""
    changes = [change for change in plan["resource_changes"] if change["mode"] == "managed"]
    return [{**change["change"]["after"], "type": change["type"], "address": change["address"]} for change in changes]


def of(kind: str, resources: Resources) -> Resources:
    return [each for each in resources if each["type"] == kind]


def name_of(plan: dict[str, Any]) -> str:
    return str(plan["variables"]["name"]["value"])


def told(resources: Resources) -> Iterator[tuple[str, dict[str, str]]]:
    """The environment of each program of ours, by its address."""
    for each in of("google_cloud_run_v2_service", resources):
        yield each["address"], environment_in(each["template"][0])
    for each in of("google_cloud_run_v2_job", resources):
        yield each["address"], environment_in(each["template"][0]["template"][0])


def environment_in(template: dict[str, Any]) -> dict[str, str]:
    """What a container is told that is no secret."""
    return {one["name"]: one["value"] for one in template["containers"][0]["env"] if not one["value_source"]}


def test_no_bucket_machine_or_database_is_public_and_the_only_public_address_is_the_balancers(resources: Resources) -> None:
    for bucket in of("google_storage_bucket", resources):
        assert bucket["public_access_prevention"] == "enforced", bucket["address"]
        assert bucket["uniform_bucket_level_access"] is True, bucket["address"]
    for machine in of("google_compute_instance", resources):
        assert not any(card.get("access_config") for card in machine["network_interface"])
    for database in of("google_sql_database_instance", resources):
        assert database["settings"][0]["ip_configuration"][0]["ipv4_enabled"] is False
    for wall in of("google_compute_firewall", resources):
        assert "0.0.0.0/0" not in wall["source_ranges"]
    public = [each for each in of("google_compute_global_address", resources) if each["address_type"] != "INTERNAL"]
    assert all(each["address"].startswith("module.edge[0].") for each in public)
    assert all(each["address_type"] == "INTERNAL" for each in of("google_compute_address", resources))


def test_no_secret_is_in_the_plan(plan: dict[str, Any]) -> None:
    assert "for-plans-in-tests-only" not in str(plan)


def test_everything_that_can_have_labels_says_whose_it_is(plan: dict[str, Any], resources: Resources) -> None:
    labelled = [each["effective_labels"] for each in resources if each.get("effective_labels")]

    assert len(labelled) > 10
    assert {labels["environment"] for labels in labelled} == {name_of(plan)}


def test_the_one_variable_moves_everything_to_another_region(terraform: Terraform, tmp_path: Path) -> None:
    moved = planned(plan_deployment(terraform, "school", tmp_path, "-var=region=us-central1"))
    places = {each["address"]: set(REGION.findall(IMAGE.sub("", str(each)))) for each in moved}

    assert {address: regions for address, regions in places.items() if regions - {"us-central1"}} == {}
    assert sum(map(bool, places.values())) > 40


def test_nothing_of_a_lone_school_runs_at_night_but_its_catalogue(terraform: Terraform, tmp_path: Path) -> None:
    resources = planned(plan_deployment(terraform, "small", tmp_path))
    assert not of("google_compute_instance", resources)
    assert not of("google_compute_global_forwarding_rule", resources)
    assert {each["template"][0]["scaling"][0]["min_instance_count"] for each in services(resources).values()} == {0}

    warm = [each for each in of("google_cloud_scheduler_job", resources) if each["http_target"][0]["http_method"] == "PATCH"]
    asked = [(each["http_target"][0]["uri"], b64decode(each["http_target"][0]["body"])) for each in warm]
    raised = Counter(uri for uri, body in asked if b'"minInstanceCount":0' not in body)

    assert raised  # what the timetable raises it lowers again
    assert raised == Counter(uri for uri, body in asked if b'"minInstanceCount":0' in body)


def services(resources: Resources) -> dict[str, dict[str, Any]]:
    """Services of Cloud Run by name without the prefix."""
    return {each["name"].split("-", 2)[2]: each for each in of("google_cloud_run_v2_service", resources)}


def test_only_the_api_is_open_and_nothing_is_granted_to_everybody(resources: Resources) -> None:
    """New organisations refuse grants to allUsers (iam.allowedPolicyMemberDomains): the check of callers is off instead."""
    assert not {str(each.get("member")) for each in resources if each["type"].endswith("_iam_member")} & EVERYBODY
    assert [name for name, each in services(resources).items() if each.get("invoker_iam_disabled")] == ["api"]


def test_private_services_are_called_from_inside(plan: dict[str, Any], resources: Resources) -> None:
    ingress = {name: each["ingress"] for name, each in services(resources).items()}
    outside = "INGRESS_TRAFFIC_ALL" if name_of(plan) == "small" else "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"

    assert ingress.pop("api") == outside
    assert set(ingress.values()) == {"INGRESS_TRAFFIC_INTERNAL_ONLY"}


def test_every_program_has_an_account_of_its_own(resources: Resources) -> None:
    accounts = [each["template"][0]["service_account"] for each in of("google_cloud_run_v2_service", resources)]
    accounts += [each["template"][0]["template"][0]["service_account"] for each in of("google_cloud_run_v2_job", resources)]

    assert len(set(accounts)) == len(accounts) == 6
    assert not any("compute@developer" in account for account in accounts)


def test_what_programs_are_told_fits_together(resources: Resources) -> None:
    programs = dict(told(resources))

    assert len(programs) == 6
    for environment in programs.values():
        ours = {name.removeprefix(PREFIX).lower(): value for name, value in environment.items() if name.startswith(PREFIX)}
        Settings.model_validate(ours)  # raises where they do not


def test_an_event_ends_before_a_task_and_a_task_before_the_embedder(resources: Resources) -> None:
    seconds = {name: int(each["template"][0]["timeout"].removesuffix("s")) for name, each in services(resources).items()}

    assert max(seconds["uploaded"], seconds["deleted"]) < TASK_SECONDS < RECEIVE_SECONDS < seconds["embedder"] <= 3600


def test_streams_and_requests_have_places_of_their_own_in_an_api(resources: Resources, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a few dozen who follow a lecture take all that Cloud Run lets in."""
    api, environment = services(resources)["api"]["template"][0], dict(told(resources))
    [said] = [each for address, each in environment.items() if address.startswith('module.service["api"]')]
    monkeypatch.setenv("K_SERVICE", "api")
    limits = http_limits(Settings(max_open_requests=int(said[f"{PREFIX}MAX_OPEN_REQUESTS"])))

    assert api["max_instance_request_concurrency"] > limits.open_requests + limits.open_streams
    assert int(said["THREADS"]) == api["max_instance_request_concurrency"]
    assert int(api["timeout"].removesuffix("s")) > limits.stream_seconds + 30


def test_each_program_is_one_that_the_image_has(resources: Resources) -> None:
    """The entry points of functions/main.py, the worker and the command line."""
    main = ast.parse((ROOT / "functions" / "main.py").read_text("utf-8"))
    entry_points = {node.name for node in main.body if isinstance(node, ast.FunctionDef)}
    commands = {name: each["template"][0]["containers"][0]["command"] for name, each in services(resources).items()}

    targets = {name: command[-1] for name, command in commands.items() if command[0] == "functions-framework"}
    assert set(targets) == {"api", "uploaded", "deleted", "nightly"}
    assert set(targets.values()) <= entry_points
    assert {command[0] for command in commands.values()} == {"functions-framework", "gunicorn"}


def test_google_builds_no_image_of_ours(resources: Resources) -> None:
    """What it builds of a function is unsigned, by an account that may not read the function's own bucket (provider, 20571)."""
    assert [each["address"] for each in resources if re.search(r"cloudfunctions|cloudbuild", f"{each['type']} {each}")] == []


def test_a_program_is_ready_once_it_reaches_what_it_will_use(resources: Resources) -> None:
    """A new instance's way into the network may take a minute. Cloud Run keeps some paths that end in z for itself."""
    probes = {name: each["template"][0]["containers"][0]["startup_probe"] for name, each in services(resources).items()}
    paths = {name: probe[0]["http_get"][0]["path"] for name, probe in probes.items() if probe and probe[0]["http_get"]}
    seconds = [probe[0]["period_seconds"] * probe[0]["failure_threshold"] for name, probe in probes.items() if name in paths]

    assert paths == {"api": "/ready", "embedder": "/ready"}
    assert min(seconds) >= 120


def test_gemini_is_asked_in_europe_and_writes_on_classes_in_one_job(plan: dict[str, Any], resources: Resources) -> None:
    model = plan["variables"].get("language_model", {}).get("value") or {"kind": "none"}
    for address, environment in told(resources):
        if "CHAPTERVERSE_LLM_MODEL" in environment:
            assert "/locations/eu/" in environment["CHAPTERVERSE_LLM_MODEL"], address
            assert environment.get("CHAPTERVERSE_LLM_TASKS") == ("batch" if model.get("batch") else None), address
        else:
            assert model["kind"] == "none" or re.search("uploaded|deleted|embedder|admin", address)


def test_a_secret_is_mounted_once_it_has_a_version(plan: dict[str, Any], resources: Resources) -> None:
    """Cloud Run refuses a revision whose secret is empty."""
    filled = {"catalog-password", *(plan["variables"].get("secrets", {}).get("value") or [])}
    env = [one for each in of("google_cloud_run_v2_service", resources) for one in each["template"][0]["containers"][0]["env"]]
    mounted = {one["value_source"][0]["secret_key_ref"][0]["secret"].split("-", 2)[2] for one in env if one["value_source"]}

    assert mounted <= filled


def test_the_event_of_a_removal_is_the_one_that_the_bucket_sends(resources: Resources) -> None:
    [uploads] = [each for each in of("google_storage_bucket", resources) if each["name"].endswith("-uploads")]
    triggers = {each["name"].rpartition("-")[2]: each["matching_criteria"] for each in of("google_eventarc_trigger", resources)}
    types = {name: next(one["value"] for one in found if one["attribute"] == "type") for name, found in triggers.items()}

    keeps = uploads["versioning"][0]["enabled"]
    assert types["uploaded"].endswith(".finalized")
    assert types["deleted"].endswith(".archived" if keeps else ".deleted")


def test_a_persons_login_may_make_a_budget_in_any_currency(plan: dict[str, Any], resources: Resources) -> None:
    """Google asks for the project that a person's login is charged to, and a budget is in its billing account's currency."""
    provider = plan["configuration"]["provider_config"]["google"]["expressions"]
    [budget] = of("google_billing_budget", resources)

    assert provider["user_project_override"]["constant_value"] is True
    assert provider["billing_project"]["references"] == ["var.project_id"]
    assert budget["amount"][0]["specified_amount"][0].get("currency_code") is None


def test_catalogue_connections_fit_its_memory(plan: dict[str, Any], resources: Resources) -> None:
    [catalogue] = of("google_sql_database_instance", resources)
    [settings] = catalogue["settings"]
    [connections] = [int(flag["value"]) for flag in settings["database_flags"] if flag["name"] == "max_connections"]
    mib = {"db-g1-small": 1740}.get(settings["tier"]) or int(settings["tier"].rpartition("-")[2])

    assert connections <= 65 * mib / 1024
    for each in services(resources).values():  # two revisions answer while a release is tried
        assert each["scaling"][0]["max_instance_count"] == each["template"][0]["scaling"][0]["max_instance_count"]


def test_what_prometheus_asks_of_the_log_names_one_type_of_resource(resources: Resources) -> None:
    """Cloud Monitoring refuses a query of a metric that many may have (https://cloud.google.com/monitoring/promql/promql-mapping)."""
    asked = re.findall(r"logging_googleapis_com:user_\w+(.*?)\[", str(resources))

    assert len(asked) >= 4
    assert all("monitored_resource=" in each for each in asked)


def test_only_images_that_a_release_replaces_are_deleted_when_they_are_old(resources: Resources) -> None:
    """Chroma's machine runs an image for as long as nobody puts a new one there."""
    release = (ROOT / ".github" / "workflows" / "release.yaml").read_text("utf-8")
    [images] = of("google_artifact_registry_repository", resources)
    [deletes] = [each["condition"][0] for each in images["cleanup_policies"] if each["action"] == "DELETE"]

    assert set(deletes["package_name_prefixes"] or []) == set(re.findall(r"\$\(cat (\w+)\.image\)", release))


def test_schools_data_is_kept_unless_a_project_is_to_be_thrown_away(terraform: Terraform, tmp_path: Path) -> None:
    for protect in (True, False):
        resources = planned(plan_deployment(terraform, "school", tmp_path, f"-var=protect={str(protect).lower()}"))
        [database] = of("google_sql_database_instance", resources)
        assert database["deletion_protection"] is protect
        assert {bucket["force_destroy"] for bucket in of("google_storage_bucket", resources)} == {not protect}
        assert {secret["deletion_protection"] for secret in of("google_secret_manager_secret", resources)} == {protect}


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ('-var=language_model={kind="gemini",model="gemini-3.5-flash-lite"}', "are what is paid"),
        ('-var=embedder={accelerator="nvidia-l4",cpu=2,memory_gib=8}', "at least 4 and memory_gib at least 16"),
        ("-var=region=europe-west4", "region is one that has Cloud Tasks"),
        ('-var=catalogue={tier="db-g1-small"}', "take a larger tier"),
        ("-var=mail_from=a@b.example", "go together"),
        ("-var=scale={bulk_share=0.9}", "bulk_share is above 0"),
        ('-var=images={app="app:latest"}', "64 hex digits"),
    ],
)
def test_what_would_not_work_is_refused_with_help(terraform: Terraform, tmp_path: Path, argument: str, complaint: str) -> None:
    with pytest.raises(Failed) as refused:
        plan_deployment(terraform, "school", tmp_path, argument)

    assert complaint in " ".join(str(refused.value).replace("│", " ").split())
