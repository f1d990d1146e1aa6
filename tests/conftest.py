"""Servers that many tests share: started once a run, at the first test that needs one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cloud import Cloud
    from tests.support.servers import Postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server; a test takes a new database of it."""
    from tests.support.servers import postgres

    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def cloud() -> Iterator[Cloud]:
    """All of the cloud; a test takes a school, or a book, of its own."""
    from tests.support.cloud import running_cloud

    with running_cloud() as running:
        yield running
