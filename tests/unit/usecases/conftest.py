"""What tests of several use cases stand on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.library.services import Services
from tests.support.intake import Town
from tests.support.shelved import empty_library


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A school's files and what becomes of them, none there yet."""
    made = Town(tmp_path)
    with made.closing:
        yield made


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Of a school without a book."""
    with empty_library(tmp_path) as services:
        yield services
