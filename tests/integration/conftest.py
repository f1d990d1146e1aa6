"""What tests of several parts share."""

from typing import Any

import pytest

from scripts.infra.terraform import DEPLOYMENTS, Terraform, find_terraform, plan_deployment


@pytest.fixture(scope="session")
def terraform() -> Terraform:
    """A Terraform that needs no cloud; without one the test is skipped."""
    found = find_terraform()
    if found is None or not found.offline:
        pytest.skip("there is no Terraform that needs no cloud: terraform-offline of the shared folder")
    return found


@pytest.fixture(scope="module", params=DEPLOYMENTS)
def plan(request: pytest.FixtureRequest, terraform: Terraform, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return plan_deployment(terraform, request.param, tmp_path_factory.mktemp("plan"))
