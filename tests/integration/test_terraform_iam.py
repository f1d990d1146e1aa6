"""Who may do what, read from each plan and from a public dump of Google's roles: all that is needed is granted, and no grant is
there that nothing needs.

Needs a Terraform that needs no cloud (scripts/infra/terraform.py); without one it is skipped."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scripts.infra.terraform import ROOT

FIXTURE = Path(__file__).parents[1] / "fixtures" / "google_roles.json"
ROLES: dict[str, list[str]] = json.loads(FIXTURE.read_text("utf-8"))["roles"]
WHERE = {  # type of a grant, and what its resource is called
    "google_storage_bucket_iam_member": "bucket",
    "google_cloud_tasks_queue_iam_member": "queue",
    "google_cloud_run_v2_service_iam_member": "service",
    "google_cloud_run_v2_job_iam_member": "job",
    "google_secret_manager_secret_iam_member": "secret",
    "google_artifact_registry_repository_iam_member": "images",
    "google_service_account_iam_member": "account",
    "google_project_iam_member": "project",
}
GRANTS = re.compile(r"_(?:iam_(?:member|binding|policy)|access_control|acl)$")  # types of resources
READ, CHANGE = ("get", "list"), ("get", "list", "create", "delete")
PROGRAMS = ("api", "uploaded", "deleted", "nightly", "embedder", "admin")
SECRETS = {"mail-server": ("CHAPTERVERSE_MAIL_SERVER", "api", "admin")}  # the variable that holds it, and who reads it
NEVER = ("setIamPolicy", "buckets.delete", "serviceAccountKeys.create", "cloudsql.instances.delete")
BATCH = (ROOT / "src" / "chapterverse" / "infrastructure" / "llm" / "gemini.py").read_text("utf-8")
VERBS = set(re.findall(r"client\.batches\.(\w+)", BATCH))  # what is asked of batch prediction
UNSAID = {"publishes_events": "storage", "repository_is_deployer": "github"}  # members that are known after the apply


@dataclass(frozen=True, slots=True)
class Grant:
    """member: without its kind, project and prefix."""

    member: str
    role: str
    permissions: frozenset[str]
    on: str


Need = tuple[str, str, str]
"""Member, permission, and the resource that it is needed on."""


@pytest.fixture
def grants(plan: dict[str, Any]) -> list[Grant]:
    return list(granted(plan, str(plan["variables"]["name"]["value"])))


def granted(plan: dict[str, Any], name: str) -> Iterator[Grant]:
    made = {
        each["name"]: each["change"]["after"]["permissions"]
        for each in plan["resource_changes"]
        if each["type"] == "google_project_iam_custom_role"
    }
    for each in plan["resource_changes"]:
        if each["type"] in WHERE:
            role = each["change"]["after"].get("role") or ("warms" if each["name"] == "warms" else "asks_gemini")
            permissions = ROLES[role] if role.startswith("roles/") else made[role]
            yield Grant(member_of(each, name), role, frozenset(permissions), resource_of(each, name))


def member_of(grant: dict[str, Any], name: str) -> str:
    member = grant["change"]["after"].get("member") or UNSAID[grant["name"]]
    return str(member).rpartition(":")[2].partition("@")[0].removeprefix(f"cv-{name}-")


def resource_of(grant: dict[str, Any], name: str) -> str:
    after, kind = grant["change"]["after"], WHERE[grant["type"]]
    if kind == "bucket":
        return str(after["bucket"]).rpartition("-")[2]
    if kind in {"service", "job"}:
        return str(after["name"]).removeprefix(f"cv-{name}-")
    if kind == "secret":
        return f"secret {grant['index']}"
    if kind == "account":  # its id is known after the apply only; where the grant stands says whose it is
        owner = grant["address"].partition('module.service["')[2].partition('"')[0]
        elsewhere = {"names_tasks": "tasks", "repository_is_deployer": "deployer", "warms": grant.get("index")}
        return f"account {elsewhere.get(grant['name'], owner)}"
    return kind


def needs(plan: dict[str, Any]) -> Iterator[Need]:
    """What programs, events, clock, release and operators need."""
    for program in PROGRAMS:
        yield program, "secretmanager.versions.access", "secret PGPASSWORD"
        yield program, "cloudtasks.tasks.create", "queue"
        yield program, "iam.serviceAccounts.actAs", "account tasks"
        yield "deployer", "iam.serviceAccounts.actAs", f"account {program}"
        yield from ((program, f"storage.objects.{verb}", "artefacts") for verb in (READ if program == "nightly" else CHANGE))
    for program in ("uploaded", "deleted", "embedder"):
        yield from ((program, f"storage.objects.{verb}", "uploads") for verb in READ)
    for program in ("api", "admin"):
        yield from ((program, f"storage.objects.{verb}", "uploads") for verb in CHANGE)
    for program in ("api", "admin", "nightly"):
        yield from ((program, f"storage.objects.{verb}", "results") for verb in CHANGE)
    for program in ("api", "admin"):  # doctor tries what the api does
        yield program, "iam.serviceAccounts.signBlob", f"account {program}"
    for caller in ("tasks", "api", "nightly", "admin", "uploaded", "deleted"):
        yield caller, "run.routes.invoke", "embedder"
    for caller, service in (("tasks", "nightly"), ("clock", "nightly"), ("events", "uploaded"), ("events", "deleted")):
        yield caller, "run.routes.invoke", service
    yield "events", "eventarc.events.receiveEvent", "project"
    yield "storage", "pubsub.topics.publish", "project"
    yield f"service-{plan['variables']['project_number']['value']}", "pubsub.topics.create", "project"
    for verb in ("services.get", "services.update", "revisions.list", "operations.get", "jobs.get", "jobs.update"):
        yield "deployer", f"run.{verb}", "project"
    yield "deployer", "artifactregistry.repositories.uploadArtifacts", "images"
    yield "github", "iam.serviceAccounts.getAccessToken", "account deployer"
    for permission in ("run.jobs.run", "run.jobs.runWithOverrides"):
        yield "operators", permission, "admin"
    for permission in ("run.executions.get", "run.operations.get", "logging.logEntries.list"):
        yield "operators", permission, "project"
    yield from needs_of_options({key: value.get("value") for key, value in plan["variables"].items()})


def needs_of_options(variables: dict[str, Any]) -> Iterator[Need]:
    """What a language model, an index, metrics and a timetable need."""
    model = variables.get("language_model") or {"kind": "none"}
    for program in ("api", "nightly", "admin") if model["kind"] == "gemini" else ():
        yield program, "aiplatform.endpoints.predict", "project"
        for verb in VERBS if model.get("batch") else ():
            yield program, f"aiplatform.batchPredictionJobs.{verb}", "project"
    for secret in variables["secrets"]:
        yield from ((each, "secretmanager.versions.access", f"secret {SECRETS[secret][0]}") for each in SECRETS[secret][1:])
    if variables["index"] == "chroma":
        yield "chroma", "artifactregistry.repositories.downloadArtifacts", "images"
        yield "chroma", "logging.logEntries.create", "project"
        yield "chroma", "monitoring.timeSeries.create", "project"
    if variables["images"].get("metrics"):
        yield "embedder", "monitoring.timeSeries.create", "project"
    for service in ("api", "embedder") if variables.get("timetable") else ():
        yield "warmer", "iam.serviceAccounts.actAs", f"account {service}"
        yield "warmer", "run.services.update", service


def covers(grant: Grant, need: Need) -> bool:
    member, permission, on = need
    return grant.member == member and grant.on == on and permission in grant.permissions


def test_all_that_is_needed_is_granted(plan: dict[str, Any], grants: list[Grant]) -> None:
    assert [need for need in needs(plan) if not any(covers(grant, need) for grant in grants)] == []


def test_nothing_is_granted_that_nothing_needs(plan: dict[str, Any], grants: list[Grant]) -> None:
    """A grant is needed for something that no other grant covers."""
    by_need = [[grant for grant in grants if covers(grant, need)] for need in needs(plan)]
    alone = [covering[0] for covering in by_need if len(covering) == 1]

    assert [(grant.member, grant.role, grant.on) for grant in grants if not any(each is grant for each in alone)] == []
    assert {each["type"] for each in plan["resource_changes"] if GRANTS.search(each["type"])} - {*WHERE} == set()


def test_nobody_may_grant_delete_data_or_make_keys(grants: list[Grant]) -> None:
    assert {(grant.member, each) for grant in grants for each in grant.permissions if each.endswith(NEVER)} == set()


def test_only_its_own_programs_read_secrets_and_the_release_reads_none(grants: list[Grant]) -> None:
    readers = {grant.member for grant in grants if "secretmanager.versions.access" in grant.permissions}

    assert readers - {*PROGRAMS, "llm"} == set()
