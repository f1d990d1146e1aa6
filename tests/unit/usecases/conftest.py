"""What tests of several use cases stand on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.intake import Town


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A school's files and what becomes of them, none there yet."""
    made = Town(tmp_path)
    with made.closing:
        yield made
