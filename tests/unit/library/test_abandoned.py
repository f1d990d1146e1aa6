from pathlib import Path

import pytest

from chapterverse.core.book import BookId
from chapterverse.infrastructure.sql import open_database, writing
from chapterverse.library.model import VersionKey, VersionState
from chapterverse.library.services import CollectionServices
from chapterverse.library.versions import give_up_abandoned, interruption_recorded
from tests.support.books import report

LEFT = VersionKey("school", BookId("left"), "v1", "words")


def states(services: CollectionServices) -> list[tuple[VersionState, str | None]]:
    newest = [book.newest for book in services.catalog.books("school")]
    return [(version.state, version.reason) for version in newest if version]


@pytest.mark.parametrize("is_parsed", [False, True])
def test_a_book_left_by_a_killed_program_is_given_up_unless_claimed(services: CollectionServices, is_parsed: bool) -> None:
    services.catalog.begin(LEFT, "left.pdf")
    services.catalog.parsing(LEFT)
    with services.catalog.claim("school", LEFT.book):
        give_up_abandoned("school", services)
    assert states(services) == [(VersionState.PARSING, None)]
    if is_parsed:
        services.catalog.parsed(LEFT, report(), sentences=3)

    give_up_abandoned("school", services)

    assert states(services) == [(VersionState.FAILED, "interrupted")]


def test_ctrl_c_in_the_middle_of_a_transaction_is_recorded(services: CollectionServices, tmp_path: Path) -> None:
    services.catalog.begin(LEFT, "left.pdf")

    with pytest.raises(KeyboardInterrupt), interruption_recorded(LEFT, services):
        break_off_a_transaction(tmp_path / "catalog.db")

    assert states(services) == [(VersionState.FAILED, "interrupted")]


def break_off_a_transaction(database: Path) -> None:
    """As Ctrl-C does: the lock lasts as long as the traceback keeps the connection."""
    connection = writing(open_database(f"sqlite:///{database}")).connect()
    connection.begin()
    raise KeyboardInterrupt
