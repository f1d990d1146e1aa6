"""Servers that several contracts are run against."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import object_stores


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database in which nobody has written."""
    return f"sqlite:///{tmp_path}/catalog.db" if request.param == "sqlite" else request.getfixturevalue("postgres_catalog")


@pytest.fixture(scope="session")
def gcs_server() -> Iterator[str]:
    with object_stores.gcs_server() as address:
        yield address
