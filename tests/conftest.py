"""Servers that many tests share: started once a run, at the first test that needs one. And how properties are tried.

The gate tries the same examples each time, so that what passed passes again; `make fuzz` looks for new ones."""

from __future__ import annotations

import gc
import os
import shutil
import ssl
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from sqlalchemy import Engine
from werkzeug.test import TestResponse

collect_ignore = [] if os.environ.get("CHAPTERVERSE_CHROMIUM") else ["browser"]  # make web-test

if TYPE_CHECKING:
    from tests.support.cloud import Cloud
    from tests.support.servers import Postgres
    from tests.support.target import Target

MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30  # bytes; a whole run writes about 2 GiB

if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # where tmp_path is
    for lock in MEMORY.glob("pytest-of-*/pytest-*/.lock"):  # names its process; of a killed one, pytest leaves all for days
        with suppress(OSError, ValueError):
            if not Path(f"/proc/{int(lock.read_text())}").exists():
                shutil.rmtree(lock.parent)

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

    class ByServers(LoadFileScheduling):
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
    """Mark as slow what uses the cloud or Terraform, and what is killed. Begin with what starts programs, then with the largest
    files: no process is alone with one of them at the end. Skip the tests marked torch where sentence-transformers is missing:
    `make eval-torch` runs them."""
    for item in items:
        if "chaos" in item.path.parts or not {"cloud", "terraform"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: ({"integration", "e2e"}.isdisjoint(item.path.parts), -tests[item.path]))
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
def _databases_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new SQLite database of this process is a copy of one with all tables, and what is asked of it is compiled once for all,
    as certificates are loaded once: each takes longer than most tests."""
    from chapterverse.infrastructure import sql as engine

    connect = engine._sqlite

    @cache
    def first() -> tuple[Engine, bytes]:
        made = connect(f"sqlite:///{tmp_path_factory.mktemp('tables') / 'new.db'}")
        engine._upgrade(made)
        made.dispose()
        return made, Path(made.url.database or "").read_bytes()

    def copied(url: str) -> Engine:
        made, (shared, tables) = connect(url), first()
        made.dialect = made.pool._dialect = shared.dialect
        made._compiled_cache = shared._compiled_cache
        file = Path(made.url.database or "")
        if not file.exists():
            whole = file.with_name(token_hex(8))
            whole.write_bytes(tables)
            with suppress(FileExistsError):  # another thread or process may have come first
                file.hardlink_to(whole)
            whole.unlink()
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_sqlite", copied)
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


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


@pytest.fixture
def target() -> Iterator[Target]:
    """A service that keeps what it is sent."""
    from tests.support.target import target

    with target() as service:
        yield service


@pytest.fixture(scope="session")
def cloud() -> Iterator[Cloud]:
    """All of the cloud; a test takes a school, or a book, of its own."""
    pytest.importorskip("pgserver")
    from tests.support.cloud import running_cloud

    with running_cloud() as running:
        yield running
