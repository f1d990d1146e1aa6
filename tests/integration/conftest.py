"""What tests of several parts share."""

import pytest

from scripts.infra.terraform import Terraform, find_terraform


@pytest.fixture(scope="session")
def terraform() -> Terraform:
    """A Terraform that needs no cloud; without one the test is skipped."""
    found = find_terraform()
    if found is None or not found.offline:
        pytest.skip("there is no Terraform that needs no cloud: terraform-offline of the shared folder")
    return found
