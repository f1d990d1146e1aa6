"""Fixtures of several components: an empty library, a site, commands, a help desk, lectures, a batch."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from secrets import token_hex
from shutil import copytree
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.cli import session
from chapterverse.cli.app import app
from chapterverse.composition.ports import database_at
from chapterverse.core.book import Collection
from chapterverse.essays.batch.context import BatchContext
from chapterverse.infrastructure.embedding.bert_onnx import graph_file
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.services import CollectionServices
from chapterverse.lti import messages as keys
from chapterverse.questions.helpdesk import HelpdeskContext
from tests.support.batches import a_batch_context
from tests.support.desk import desk_of
from tests.support.few import one_of_a_few
from tests.support.intake import Town
from tests.support.lectures import Campus
from tests.support.lti import Course, course
from tests.support.lti_platform import model
from tests.support.shelved import empty_library, key_of, shelve
from tests.support.web import Caller, Site, all_collections, site


@pytest.fixture(scope="session", autouse=True)
def _few_keys_are_made() -> Iterator[None]:
    """The tool's keys and those of learning platforms."""
    of_platform = one_of_a_few(model.new_key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "new_key", one_of_a_few(keys.new_key))
        patch.setattr(model, "new_key", lambda: replace(of_platform(), kid=token_hex(4)))
        yield


@pytest.fixture
def bucket(tmp_path: Path) -> FolderBucket:
    return FolderBucket(tmp_path)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A school's files and what becomes of them, none there yet."""
    made = Town(tmp_path)
    with made.closing:
        yield made


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    """Of a school without a book."""
    with empty_library(tmp_path) as services:
        yield services


ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "So much is certain.")


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[Site]:
    """Nobody has a book."""
    with site(tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is kept of a school with one book, to be copied: adding the book takes longer than most tests."""
    folder = tmp_path_factory.mktemp("shelf")
    with empty_library(folder) as services:
        shelve(services, "On Liberty", ON_SPEECH)
    return folder


@pytest.fixture
def library(shelf: Path, tmp_path: Path) -> Iterator[Site]:
    """The school has one book."""
    copytree(shelf, tmp_path, dirs_exist_ok=True)
    with site(tmp_path) as running:
        yield running


@pytest.fixture
def english(library: Site) -> Iterator[Course]:
    """A course at a learning platform that the school knows."""
    with course(library) as running:
        yield running


@pytest.fixture
def student(library: Site) -> Caller:
    return library.caller()


@pytest.fixture
def teacher(library: Site) -> Caller:
    return library.caller(KeyScope.TEACHER)


@pytest.fixture
def admin(library: Site) -> Caller:
    return library.caller(KeyScope.ADMIN)


@pytest.fixture
def sentence(library: Site) -> str:
    """The id of the sentence on silencing."""
    [book] = library.services.catalog.books("school")
    return f"{key_of(book).version}-0-1"


Run = Callable[..., Result]
command_of, found_once = cache(get_command), cache(find_model)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """CHAPTERVERSE_HOME, empty."""
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the graphs of embedding models are, once one of these commands has made them."""
    return tmp_path_factory.mktemp("graphs")


@pytest.fixture(scope="session")
def load_model() -> Callable[[OnnxEmbedder], Any]:
    """What loads the model of an embedder, each once."""
    load, loaded = OnnxEmbedder._load, dict[str, Any]()

    def once(embedder: OnnxEmbedder) -> Any:
        if embedder.name not in loaded:
            loaded[embedder.name] = load(embedder)
        return loaded[embedder.name]

    return once


@pytest.fixture
def run(home: Path, graphs: Path, load_model: Callable[[OnnxEmbedder], Any], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `chapterverse` with these arguments, as if for the first time; but options and embedding model are loaded once."""
    monkeypatch.setattr("chapterverse.infrastructure.embedding.local.graph_file", lambda files, _: graph_file(files, graphs))
    monkeypatch.setattr("chapterverse.infrastructure.embedding.local.find_model", found_once)
    monkeypatch.setattr(OnnxEmbedder, "_load", load_model)
    monkeypatch.setattr("bookreader.reading.parse_in_sandbox", read_source)  # not behind its wall, which takes half a second
    monkeypatch.setattr("typer.testing._get_command", command_of)

    def chapterverse(*arguments: object, stdin: str | None = None) -> Result:
        session.settings.cache_clear()
        session.services.cache_clear()
        session.services_of.cache_clear()
        database_at.cache_clear()
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)

    return chapterverse


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[HelpdeskContext]:
    database = Database(f"sqlite:///{tmp_path}/catalog.db")
    with empty_library(tmp_path, database) as services:
        yield desk_of(all_collections(services, database)[Collection.HELPDESK], database)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    """Nothing is spent yet."""
    with closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as opened:
        yield opened


@pytest.fixture
def campus(tmp_path: Path) -> Iterator[Campus]:
    made = Campus.of(Town(tmp_path))
    with made.town.closing:
        yield made


@pytest.fixture
def context(tmp_path: Path) -> Iterator[BatchContext]:
    """A batch's context with a library of its own."""
    with a_batch_context(tmp_path) as made:
        yield made
