"""infra/canary.sh before a program called gcloud that keeps one service's traffic in a file."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.target import Target

SCRIPT = Path(__file__).parents[2] / "infra" / "canary.sh"
GCLOUD = """#!{python}
import json, sys
from pathlib import Path
state = Path({state!r})
service = json.loads(state.read_text())
if "--to-latest" in sys.argv:
    service["spec"]["traffic"] = [dict(latestRevision=True, percent=100)]
    service["past"].append("latest")
    state.write_text(json.dumps(service))
elif "update-traffic" in sys.argv:
    [to] = [each.split("=", 1)[1] for each in sys.argv if each.startswith("--to-revisions=")]
    parts = [part.split("=") for part in to.split(",")]
    service["spec"]["traffic"] = [dict(revisionName=name, percent=int(share)) for name, share in parts]
    service["past"].append(to)
    state.write_text(json.dumps(service))
elif "--format=json" in sys.argv:
    print(json.dumps(service))
else:
    print(service["status"]["latestReadyRevisionName"])
"""


@dataclass(frozen=True)
class Service:
    """One service: `state` is what gcloud knows of it."""

    state: Path

    def run(self, *step: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": f"{self.state.parent}:{os.environ['PATH']}"}
        command = [str(SCRIPT), "api", "europe-west1", *step]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def deploy(self, revision: str) -> None:
        service = json.loads(self.state.read_text("utf-8"))
        service["status"]["latestReadyRevisionName"] = revision
        self.state.write_text(json.dumps(service), "utf-8")

    @property
    def past(self) -> list[str]:
        """What traffic was sent where, one change after the other."""
        return json.loads(self.state.read_text("utf-8"))["past"]


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """As Terraform makes it: all to the newest, which is api-1."""
    state, gcloud = tmp_path / "state.json", tmp_path / "gcloud"
    new = {"spec": {"traffic": [{"latestRevision": True, "percent": 100}]}, "status": {}, "past": []}
    state.write_text(json.dumps(new), "utf-8")
    gcloud.write_text(GCLOUD.format(python=sys.executable, state=str(state)), "utf-8")
    gcloud.chmod(0o755)
    service = Service(state)
    service.deploy("api-1")
    return service


def test_who_answers_goes_on_answering_when_something_new_is_made(service: Service) -> None:
    service.run("hold")
    service.deploy("api-2")
    service.run("hold")

    assert service.past == ["api-1=100", "api-1=100"]


def test_a_good_revision_gets_a_share_and_then_all(service: Service, target: Target) -> None:
    service.run("hold")
    service.deploy("api-2")

    assert service.run("try", "10", target.url).returncode == 0
    service.run("promote")

    # "latest" is no name: a setting that Terraform changes takes effect
    assert service.past == ["api-1=100", "api-2=10,api-1=90", "latest"]


def test_a_bad_revision_loses_what_it_had(service: Service, target: Target) -> None:
    service.run("hold")
    service.deploy("api-2")
    target.answer = lambda _: (500, None)

    tried = service.run("try", "10", target.url)

    assert tried.returncode == 1
    assert "back to api-1" in tried.stderr
    assert service.past[-1] == "api-1=100"


def test_an_older_revision_can_be_brought_back_and_a_step_that_there_is_not_is_said(service: Service) -> None:
    service.deploy("api-2")
    service.run("back", "api-1")

    assert service.past == ["api-1=100"]
    assert service.run("undo").returncode == 2
