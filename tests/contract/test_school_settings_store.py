"""What every SqlSchoolSettings must do."""

from datetime import UTC, datetime, timedelta

from chapterverse.accounts.model import SchoolSettings, StoredSetting
from chapterverse.accounts.store import SqlSchoolSettings
from tests.contract.conftest import opens

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
settings = opens(SqlSchoolSettings)


def test_what_a_school_has_set_comes_back_with_who_did_and_when(settings: SqlSchoolSettings) -> None:
    settings.change("school", {"evidences": 3, "tone": "plain", "least_books": 0.4}, "anna", NOON)

    assert settings.of_school("school") == {
        "evidences": StoredSetting(3, "anna", NOON),
        "tone": StoredSetting("plain", "anna", NOON),
        "least_books": StoredSetting(0.4, "anna", NOON),
    }
    assert settings.of_school("another") == {}


def test_what_stays_as_it_is_keeps_who_set_it(settings: SqlSchoolSettings) -> None:
    settings.change("school", {"evidences": 3, "tone": "plain"}, "anna", NOON)

    settings.change("school", {"evidences": 3, "tone": "kind", "grade": None}, "ben", LATER)

    assert settings.of_school("school") == {
        "evidences": StoredSetting(3, "anna", NOON),
        "tone": StoredSetting("kind", "ben", LATER),
    }


def test_who_went_back_to_the_default_is_told_too(settings: SqlSchoolSettings) -> None:
    settings.change("school", {"grade": 9}, "anna", NOON)
    settings.change("school", {"grade": None}, "ben", LATER)

    assert settings.of_school("school") == {"grade": StoredSetting(None, "ben", LATER)}


def test_what_is_kept_under_a_name_that_nobody_knows_is_left_out() -> None:
    assert SchoolSettings.of(
        {"grade": StoredSetting(9, "anna", NOON), "colour": StoredSetting("red", "anna", NOON)}
    ) == SchoolSettings(grade=9)
