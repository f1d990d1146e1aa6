"""A help desk with nothing to look in yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.core.book import Collection
from chapterverse.questions.helpdesk import HelpdeskContext
from tests.support.desk import desk_of
from tests.support.shelved import empty_library
from tests.support.web import shelves_beside


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[HelpdeskContext]:
    database = f"sqlite:///{tmp_path}/catalog.db"
    with empty_library(tmp_path) as services, shelves_beside(services, database) as shelves:
        yield desk_of(shelves[Collection.HELPDESK], database)
