"""An app with one school's book, in this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.accounts.model import KeyScope
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, site

ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "So much is certain.")


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[Site]:
    """Nobody has a book."""
    with site(tmp_path) as running:
        yield running


@pytest.fixture
def library(empty_site: Site) -> Site:
    """The school has one book."""
    shelve(empty_site.services, "On Liberty", ON_SPEECH)
    return empty_site


@pytest.fixture
def student(library: Site) -> Caller:
    return library.caller()


@pytest.fixture
def teacher(library: Site) -> Caller:
    return library.caller(KeyScope.TEACHER)


@pytest.fixture
def sentence(library: Site) -> str:
    """The id of the sentence on silencing."""
    [book] = library.services.catalog.books("school")
    assert book.active is not None
    return f"{book.active.key.version}-0-1"
