"""Keys that open what they should, for as long as they should."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chapterverse.accounts.keys import check_key, keep_key
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.errors import BadRequest, NotFound, Unauthenticated
from chapterverse.web.app import create_app
from tests.support.made import make_key
from tests.support.refusals import refused
from tests.support.web import Caller, web_parts
from tests.unit.conftest import Run

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[SqlKeys]:
    opened = SqlKeys(f"sqlite:///{tmp_path / 'catalog.db'}")
    yield opened
    opened.close()


def refusal(token: str, keys: SqlKeys, now: datetime = NOON) -> str:
    with pytest.raises(Unauthenticated) as refused:
        check_key(token, keys, now)
    return str(refused.value)


@pytest.mark.parametrize("school", ["", "a/b", "..", "a\\b", "a\0"])
def test_a_school_that_is_no_folders_name_has_no_keys(keys: SqlKeys, school: str) -> None:
    with refused(BadRequest, "school_name_invalid"):
        make_key(school, KeyScope.TEACHER, "laptop", keys, NOON)


@pytest.mark.parametrize("text", ["", "abc", "cv_0123456789ab_secret", "0123456789ab.SECRET"])
def test_what_was_not_drawn_is_refused(keys: SqlKeys, text: str) -> None:
    with refused(BadRequest, "key_print_invalid"):
        keep_key(text, "school", KeyScope.TEACHER, "", keys=keys, now=NOON, expires=None)


def test_the_secret_is_long_and_not_kept(keys: SqlKeys, tmp_path: Path) -> None:
    tokens = [make_key("school", KeyScope.STUDENT, "", keys, NOON)[1] for _ in range(20)]
    keys.close()

    secrets = {token.split("_")[2] for token in tokens}
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert {len(secret) for secret in secrets} == {43}
    assert len(secrets) == 20
    assert not [secret for secret in secrets if secret.encode() in kept]


def test_whatever_is_wrong_with_a_token_the_answer_is_the_same(keys: SqlKeys) -> None:
    key, token = make_key("school", KeyScope.ADMIN, "", keys, NOON, expires=NOON + DAY)
    _, other = make_key("school", KeyScope.ADMIN, "", keys, NOON)
    revoked, of_revoked = make_key("school", KeyScope.ADMIN, "", keys, NOON)
    keys.revoke("school", revoked.id, NOON)
    secret, others_secret = token.split("_")[2], other.split("_")[2]
    wrong = ["", "cv_", "cv__", f"cv_{key.id}", f"cv_{key.id}_", f"cv_{key.id}_{others_secret}", f"cv_unknown_{secret}"]

    said = {refusal(each, keys) for each in [*wrong, token[:-1], f"{token}x", token.removeprefix("cv_"), of_revoked]}

    assert len(said | {refusal(token, keys, NOON + DAY)}) == 1
    assert check_key(token, keys, NOON + DAY - timedelta(seconds=1)) == key


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(token=st.text(st.characters(codec=None)) | st.from_regex(r"cv_[\w\x00]*_\w*", fullmatch=True))
def test_no_text_that_is_made_up_opens_anything(keys: SqlKeys, token: str) -> None:
    assert refusal(token, keys)


def test_no_school_revokes_the_key_of_another_and_one_revoked_stays_so_from_the_first_time(keys: SqlKeys) -> None:
    key, token = make_key("school", KeyScope.ADMIN, "", keys, NOON)

    with pytest.raises(NotFound):
        keys.revoke("other", key.id, NOON)

    assert check_key(token, keys, NOON) == key
    for day in range(2):
        keys.revoke("school", key.id, NOON + day * DAY)
    assert refusal(token, keys)
    assert [each.revoked for each in keys.of_school("school")] == [NOON]


def made(run: Run, *more: str) -> dict[str, str]:
    """A new key as --json tells it."""
    return json.loads(run("keys", "create", "--json", *more).stdout)


def listed(run: Run, *more: str) -> list[dict[str, str]]:
    return json.loads(run("keys", "list", "--json", *more).stdout)


def test_a_key_is_made_and_its_secret_shown_once_to_people_in_the_first_line(run: Run) -> None:
    key = made(run, "--scope", "teacher", "--note", "for the LMS")

    [known] = listed(run)
    assert key["secret"].startswith(f"cv_{key['id']}_")
    assert known == {name: value for name, value in key.items() if name != "secret"}
    assert (known["scope"], known["note"], known["expires"]) == ("teacher", "for the LMS", None)
    secret, told = run("keys", "create", "--days", "30").stdout.splitlines()
    assert secret.startswith("cv_")
    assert "scope student for the school local" in told
    assert "good until" in run("keys", "list").stdout


def test_each_school_has_its_own_keys_and_a_new_one_is_told_of(run: Run) -> None:
    told = [run("keys", "create", "--school", "elsewhere").stderr for _ in range(2)]

    assert ["elsewhere" in each for each in told] == [True, False]
    assert listed(run) == []
    assert len(listed(run, "--school", "elsewhere")) == 2


def test_a_key_is_made_without_its_secret_and_is_good_until_it_is_revoked(run: Run, home: Path) -> None:
    """As docs/operations.md says: the log of a job has no secret."""
    with web_parts(home) as parts:
        drawn = made(run, "--secret-only")
        caller = Caller(create_app(parts), drawn["secret"])

        def opens() -> bool:
            return caller("GET", "/api/v1/collections/books/sources").status_code == 200

        before = opens()
        key = made(run, "--scope", "teacher", "--school", "oak-street", "--drawn", drawn["drawn"])

        assert "secret" not in key
        assert (before, opens()) == (False, True)
        run("keys", "revoke", key["id"], "--school", "oak-street")
        assert not opens()
