"""Servers that several contracts are run against."""

from collections.abc import Iterator

import pytest

from tests.support import object_stores


@pytest.fixture(scope="session")
def gcs_server() -> Iterator[str]:
    with object_stores.gcs_server() as address:
        yield address
