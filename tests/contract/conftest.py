"""Servers that several contracts are run against."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.emulators import emulator

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database in which nobody has written."""
    return f"sqlite:///{tmp_path}/catalog.db" if request.param == "sqlite" else request.getfixturevalue("postgres_catalog")


def opens(make: Callable[[str], Any]) -> Any:
    """A fixture: the store at `url`, open during the test."""

    @pytest.fixture
    def store(url: str) -> Iterator[Any]:
        with closing(make(url)) as opened:
            yield opened

    return store


@pytest.fixture(scope="session")
def gcs_server() -> Iterator[str]:
    """The address of an empty Cloud Storage."""
    with emulator("scripts.cloud_local.storage") as ports:
        yield f"http://127.0.0.1:{ports['port']}"
