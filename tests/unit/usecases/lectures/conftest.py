from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.lectures import Campus, campus_in


@pytest.fixture
def campus(tmp_path: Path) -> Iterator[Campus]:
    made = campus_in(tmp_path)
    with made.town.closing:
        yield made
