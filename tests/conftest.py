"""Servers that many tests share: started once a run, at the first test that needs one. And how properties are tried.

The gate tries the same examples each time, so that what passed passes again; `make fuzz` looks for new ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from werkzeug.test import TestResponse

collect_ignore = [] if os.environ.get("CHAPTERVERSE_CHROMIUM") else ["browser"]  # make web-test

if TYPE_CHECKING:
    from tests.support.cloud import Cloud
    from tests.support.servers import Postgres

MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30  # bytes; a whole run writes about 2 GiB

if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # where tmp_path is

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=2_000, deadline=None)
settings.load_profile("gate")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests marked torch where sentence-transformers is missing: `make test-torch` runs them."""
    if find_spec("sentence_transformers") is None:
        for item in items:
            if item.get_closest_marker("torch"):
                item.add_marker(pytest.mark.skip(reason="needs torch: make test-torch"))


class ClosingClient(FlaskClient):
    """Takes an answer to its end and closes it, as servers do; buffered=False: the test closes it.

    Left open, it is closed by the garbage collector, in the midst of whatever another test is doing."""

    def open(self, *args: Any, buffered: bool = True, **more: Any) -> TestResponse:
        return super().open(*args, buffered=buffered, **more)


Flask.test_client_class = ClosingClient


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
