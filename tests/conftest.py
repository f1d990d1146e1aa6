"""Servers that many tests share: started once a run, at the first test that needs one. And how properties are tried.

The gate tries the same examples each time, so that what passed passes again; `make fuzz` looks for new ones."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from sqlalchemy import Engine, inspect
from werkzeug.test import TestResponse

collect_ignore = [] if os.environ.get("CHAPTERVERSE_CHROMIUM") else ["browser"]  # make web-test

if TYPE_CHECKING:
    from tests.support.cloud import Cloud
    from tests.support.servers import Postgres

MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30  # bytes; a whole run writes about 2 GiB

if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # where tmp_path is

settings.register_profile("gate", max_examples=32, derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=2_000, deadline=None)
settings.load_profile("gate")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave what collecting imports and makes out of garbage collection: it stays to the end, and looking through it again and
    again was a fifth of the time of a run. What tests make is looked through less often than Python would."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000)
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What gives the files to the processes of `--dist loadfile`: those that use the cloud to the same one, which starts it."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByServers(LoadFileScheduling):  # type: ignore[misc]  # it has no types
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "cloud" if uses_cloud(config.rootpath / file) else file

    return ByServers(config, log)


@cache
def uses_cloud(file: Path) -> bool:
    """Whether a test of the file asks for the fixture."""
    return "cloud: Cloud" in file.read_text("utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what uses the cloud or Terraform, and what is killed. Begin with the largest files: no process is alone with
    one of them at the end. Skip the tests marked torch where sentence-transformers is missing: `make eval-torch` runs them."""
    for item in items:
        if "chaos" in item.path.parts or not {"cloud", "terraform"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: -tests[item.path])
    if find_spec("sentence_transformers") is None:
        for item in items:
            if item.get_closest_marker("torch"):
                item.add_marker(pytest.mark.skip(reason="needs torch: make eval-torch"))


class ClosingClient(FlaskClient):
    """Takes an answer to its end and closes it, as servers do; buffered=False: the test closes it.

    Left open, it is closed by the garbage collector, in the midst of whatever another test is doing."""

    def open(self, *args: Any, buffered: bool = True, **more: Any) -> TestResponse:
        return super().open(*args, buffered=buffered, **more)


Flask.test_client_class = ClosingClient


@pytest.fixture(scope="session", autouse=True)
def _tables_are_made_once() -> Iterator[None]:
    """A new SQLite database of this process gets its tables as they were made once, in a tenth of the time."""
    from chapterverse.infrastructure.sql import engine

    usual, dump = engine._upgrade, list[str]()

    def upgrade(database: Engine) -> None:
        if database.dialect.name != "sqlite" or engine._revision(database):
            usual(database)
            return
        if not dump:
            dump.extend(statements_of_new_tables(usual))
        with engine.writing(database).begin() as connection:
            if not inspect(connection).has_table("alembic_version"):  # another thread or process may have come first
                for statement in dump:
                    connection.exec_driver_sql(statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_upgrade", upgrade)
        yield


def statements_of_new_tables(upgrade: Callable[[Engine], None]) -> list[str]:
    """SQL for what is made of an empty SQLite database."""
    from chapterverse.infrastructure.sql.engine import _sqlite

    with TemporaryDirectory() as folder:
        made = _sqlite(f"sqlite:///{folder}/new.db")
        upgrade(made)
        made.dispose()
        with closing(sqlite3.connect(f"{folder}/new.db")) as connection:
            return [each for each in connection.iterdump() if each not in ("BEGIN TRANSACTION;", "COMMIT;")]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server; a test takes a new database of it. Skips where Python is newer than its wheel."""
    pytest.importorskip("pgserver")
    from tests.support.servers import postgres

    with postgres() as server:
        yield server


@pytest.fixture
def postgres_catalog(postgres: Postgres) -> Iterator[str]:
    """The address of a database of that server with every table and no row."""
    with postgres.catalog() as address:
        yield address


@pytest.fixture(scope="session")
def cloud() -> Iterator[Cloud]:
    """All of the cloud; a test takes a school, or a book, of its own."""
    pytest.importorskip("pgserver")
    from tests.support.cloud import running_cloud

    with running_cloud() as running:
        yield running
