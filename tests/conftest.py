"""Servers that many tests share: started once a run, at the first test that needs one."""

from collections.abc import Iterator

import pytest

from tests.support.cloud import Cloud, running_cloud
from tests.support.servers import Postgres
from tests.support.servers import postgres as running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server; a test takes a new database of it."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def cloud() -> Iterator[Cloud]:
    """All of the cloud; a test takes a school, or a book, of its own."""
    with running_cloud() as running:
        yield running
