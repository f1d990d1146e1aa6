"""What every SqlSchoolSettings must do."""

from datetime import timedelta

from chapterverse.accounts.model import SchoolSettings, StoredSetting
from chapterverse.accounts.store import SqlSchoolSettings
from tests.contract.conftest import NOON, opens

LATER = NOON + timedelta(hours=1)
settings = opens(SqlSchoolSettings)


def test_what_a_school_has_set_comes_back_with_who_changed_it_and_when(settings: SqlSchoolSettings) -> None:
    settings.change("school", {"grade": 3, "tone": "plain", "least_books": 0.4}, "anna", NOON)

    assert settings.of_school("school") == {
        "grade": StoredSetting(3, "anna", NOON),
        "tone": StoredSetting("plain", "anna", NOON),
        "least_books": StoredSetting(0.4, "anna", NOON),
    }
    assert settings.of_school("another") == {}

    settings.change("school", {"grade": 3, "tone": "kind", "codes": None, "least_books": None}, "ben", LATER)

    assert settings.of_school("school") == {
        "grade": StoredSetting(3, "anna", NOON),
        "tone": StoredSetting("kind", "ben", LATER),
        "least_books": StoredSetting(None, "ben", LATER),  # went back to the default
    }


def test_what_is_kept_under_a_name_that_nobody_knows_is_left_out() -> None:
    assert SchoolSettings.of(
        {"grade": StoredSetting(9, "anna", NOON), "colour": StoredSetting("red", "anna", NOON)}
    ) == SchoolSettings(grade=9)
