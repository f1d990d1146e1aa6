"""What every SqlKeys must do."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from chapterverse.accounts.model import ApiKey, KeyScope
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.errors import NotFound
from tests.contract.conftest import opens

NOON = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
KEY = ApiKey("abc123", "school", KeyScope.TEACHER, "Ms Mill's laptop", NOON)
keys = opens(SqlKeys)


@pytest.mark.parametrize("id", ["", "abc12", "ABC123", "abc123 ", "a\0b", "\ud800", "é" * 200])
def test_a_key_that_is_not_there_is_not_found(keys: SqlKeys, id: str) -> None:
    keys.add(KEY, "digest")

    with pytest.raises(NotFound):
        keys.find(id)
    with pytest.raises(NotFound):
        keys.revoke("school", id, NOON)


def test_a_key_comes_back_as_it_was_and_a_revoked_one_alone_is_revoked(keys: SqlKeys) -> None:
    other = replace(KEY, id="other", expires=NOON + timedelta(days=1), revoked=NOON)
    keys.add(KEY, "digest")
    keys.add(other, "digest 2")

    assert keys.revoke("school", "abc123", NOON) == replace(KEY, revoked=NOON)

    assert keys.find("abc123") == (replace(KEY, revoked=NOON), "digest")
    assert keys.find("other") == (other, "digest 2")


def test_a_schools_keys_are_listed_oldest_first(keys: SqlKeys) -> None:
    newer, theirs = replace(KEY, id="aaa", created=NOON + timedelta(seconds=1)), replace(KEY, id="t", school="other")
    for key in (newer, theirs, KEY):
        keys.add(key, "digest")

    assert keys.of_school("school") == [KEY, newer]
    assert keys.of_school("nobody") == []
