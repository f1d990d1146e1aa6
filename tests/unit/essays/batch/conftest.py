"""A night of one's own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.essays.batch.context import BatchContext
from tests.support.nights import a_night


@pytest.fixture
def context(tmp_path: Path) -> Iterator[BatchContext]:
    with a_night(tmp_path) as made:
        yield made
