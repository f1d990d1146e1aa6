"""What every SqlChoices must do."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chapterverse.accounts.model import Chosen, SchoolChoices
from chapterverse.accounts.store import SqlChoices

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


@pytest.fixture(params=["sqlite", "postgresql"])
def choices(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlChoices]:
    sqlite = request.param == "sqlite"
    address = f"sqlite:///{tmp_path / 'catalog.db'}" if sqlite else request.getfixturevalue("postgres").new_database()
    opened = SqlChoices(address)
    yield opened
    opened.close()


def test_what_a_school_has_set_comes_back_with_who_did_and_when(choices: SqlChoices) -> None:
    choices.change("school", {"evidences": 3, "tone": "plain", "least_books": 0.4}, "anna", NOON)

    assert choices.of_school("school") == {
        "evidences": Chosen(3, "anna", NOON),
        "tone": Chosen("plain", "anna", NOON),
        "least_books": Chosen(0.4, "anna", NOON),
    }
    assert choices.of_school("another") == {}


def test_what_stays_as_it_is_keeps_who_set_it(choices: SqlChoices) -> None:
    choices.change("school", {"evidences": 3, "tone": "plain"}, "anna", NOON)

    choices.change("school", {"evidences": 3, "tone": "kind", "grade": None}, "ben", LATER)

    assert choices.of_school("school") == {"evidences": Chosen(3, "anna", NOON), "tone": Chosen("kind", "ben", LATER)}


def test_who_went_back_to_the_default_is_told_too(choices: SqlChoices) -> None:
    choices.change("school", {"grade": 9}, "anna", NOON)
    choices.change("school", {"grade": None}, "ben", LATER)

    assert choices.of_school("school") == {"grade": Chosen(None, "ben", LATER)}


def test_what_is_kept_under_a_name_that_nobody_knows_is_left_out() -> None:
    assert SchoolChoices.of({"grade": Chosen(9, "anna", NOON), "colour": Chosen("red", "anna", NOON)}) == SchoolChoices(grade=9)
