"""What every SqlLti must do."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import NotFound
from chapterverse.lti.model import Guest, HandIn, Pending, Platform
from chapterverse.lti.store import SqlLti
from lti_assets.notices import AssetFile
from tests.contract.conftest import NOON

LATER = NOON + timedelta(minutes=10)
AT = "https://moodle.school.example"
MOODLE = Platform(AT, f"{AT}/a", f"{AT}/t", f"{AT}/k", (AT,), "p1", "school", "c1", ("1",), NOON)
LOGIN = Pending("d" * 64, "p1", {"nonce": "n"}, LATER)
ANNA = Guest("p1", "u-1", "school", "anna@school.example", KeyScope.STUDENT)


@pytest.fixture
def store(url: str) -> Iterator[SqlLti]:
    opened = SqlLti(url)
    opened.keep(MOODLE)
    yield opened
    opened.close()


def test_a_platform_comes_back_as_kept_last(store: SqlLti) -> None:
    more = replace(MOODLE, deployments=("1", "2"), client_id="another")

    store.keep(more)

    assert store.platform("p1") == more
    assert store.platforms("school") == store.of_issuer(AT) == [more]
    assert store.platforms("another") == store.of_issuer("a\0b") == []


def test_what_was_begun_comes_back_once_and_in_time(store: SqlLti) -> None:
    store.keep(LOGIN)

    with pytest.raises(NotFound):
        store.take(LOGIN.digest, LATER)
    assert store.take(LOGIN.digest, NOON) == LOGIN
    with pytest.raises(NotFound):
        store.take(LOGIN.digest, NOON)
    store.keep(LOGIN)
    assert (store.forget(LATER), store.forget(LATER + timedelta(seconds=1))) == (0, 1)


def test_files_that_were_handed_in_are_forgotten_by_school(store: SqlLti) -> None:
    store.keep(replace(MOODLE, id="p2", school="another", client_id="c2"))
    for platform, school in (("p1", "school"), ("p2", "another")):
        file = AssetFile(asset_id="a-1", url=f"{AT}/a-1")
        store.add_hand_in(HandIn(f"h-{platform}", school, platform, "", "u-1", file, f"{AT}/reports", NOON))

    assert store.forget_hand_ins(NOON, "school") == 0
    assert store.forget_hand_ins(LATER, "school") == 1
    assert [each.school for each in store.waiting_hand_ins()] == ["another"]
    assert store.forget_hand_ins(LATER) == 1


def test_of_many_who_take_it_one_finds_it(store: SqlLti) -> None:
    store.keep(LOGIN)

    def take(_: int) -> bool:
        try:
            return store.take(LOGIN.digest, NOON) == LOGIN
        except NotFound:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(take, range(8))) == 1


def test_a_guest_is_known_by_platform_and_subject_and_with_a_platform_goes_all_that_was_its(store: SqlLti) -> None:
    store.keep(ANNA)
    store.keep(replace(ANNA, role=None))

    assert store.guest("p1", "u-1") == replace(ANNA, role=None)
    assert store.guests("p1") == [replace(ANNA, role=None)]
    with pytest.raises(NotFound):
        store.guest("p1", "u-2")
    store.keep(LOGIN)
    with pytest.raises(NotFound):
        store.remove_platform("another", "p1")

    store.remove_platform("school", "p1")

    assert store.platforms("school") == store.guests("p1") == []
    with pytest.raises(NotFound):
        store.take(LOGIN.digest, NOON)
    with pytest.raises(NotFound):
        store.remove_platform("school", "p1")
