from pathlib import Path

import pytest

from chapterverse.cli.files import pdf_at
from chapterverse.core.errors import BadRequest
from tests.support.books import LIMITS
from tests.support.refusals import refused


def test_a_path_is_looked_at_when_it_is_read(tmp_path: Path) -> None:
    missing = pdf_at(str(tmp_path / "missing.pdf"), LIMITS)

    with refused(BadRequest, "cli_file_unusable"):
        missing.read()


@pytest.mark.parametrize("address", ["https://books.example/a.pdf", "gs://books/a.pdf"])
def test_an_address_is_no_path(address: str) -> None:
    with refused(BadRequest, "cli_is_address"):
        pdf_at(address, LIMITS).read()
