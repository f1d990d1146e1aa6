"""What a first apply on a fresh project makes before what: Google refuses what comes too early.

Needs a Terraform that needs no cloud (scripts/infra/terraform.py); without one it is skipped."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from scripts.infra.terraform import Terraform, copied

EDGE = re.compile(r'^ *"([^"\s]+)" -> "([^"\s]+)"', re.MULTILINE)
NODE = re.compile(r'^ *"([^"\s]+)" \[', re.MULTILINE)
BEFORE = {  # what is made, and what it waits for
    "module.events.google_eventarc_trigger.this": [
        "module.project.time_sleep.grants",  # Eventarc's own account, and Cloud Storage's
        "module.events.google_project_iam_member.receives",
    ],
    "module.watching.google_monitoring_alert_policy.this": [
        "module.watching.time_sleep.metrics"
    ],  # made of the log a moment ago
    "module.watching.google_monitoring_alert_policy.spend": ["module.watching.time_sleep.metrics"],
    "module.watching.time_sleep.metrics": ["module.watching.google_logging_metric.this"],
    "module.project.time_sleep.grants": [
        "module.project.google_project_iam_member.eventarc",
        "module.project.google_project_iam_member.publishes_events",
    ],
    "module.service.google_cloud_run_v2_service.this": [  # Cloud Run looks whether its secrets and its bucket may be read
        "module.service.google_secret_manager_secret_iam_member.reads",
        "module.service.google_storage_bucket_iam_member.this",
        "module.data.google_secret_manager_secret_version.password",
        "module.data.google_sql_user.catalogue",
    ],
    "module.data.google_sql_database_instance.catalogue": [
        "module.network.google_service_networking_connection.google_services"
    ],
}


@pytest.fixture(scope="module")
def waits_for(terraform: Terraform, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What each resource waits for, through others, too."""
    root: Path = copied(tmp_path_factory.mktemp("order"))
    terraform(root, "init", "-no-color")
    direct = defaultdict[str, set[str]](set)
    graph = terraform(root, "graph")
    for made, before in EDGE.findall(graph):
        direct[made].add(before)
    direct.update({name: direct[name] for name in NODE.findall(graph)})
    return {made: reached(made, direct) for made in list(direct)}


def reached(made: str, direct: dict[str, set[str]]) -> set[str]:
    found, todo = set[str](), [made]
    while todo:
        for each in direct[todo.pop()] - found:
            found.add(each)
            todo.append(each)
    return found


@pytest.mark.parametrize("made", BEFORE)
def test_what_google_would_refuse_as_too_early_waits(made: str, waits_for: dict[str, set[str]]) -> None:
    assert set(BEFORE[made]) <= waits_for[made]


def test_nothing_is_made_before_its_interface_is_switched_on(waits_for: dict[str, set[str]]) -> None:
    service = "module.project.google_project_service.this"
    ours = {name for name in waits_for if re.search(r"(^|\.)google_", name) and name != service}

    assert {name for name in ours if service not in waits_for[name]} == set()
