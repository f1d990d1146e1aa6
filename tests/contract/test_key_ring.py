"""Our keys for learning platforms, in a file and in a setting."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from chapterverse.core.errors import BadRequest
from chapterverse.lti.messages import ToolKeys, as_secret, new_key
from tests.contract.conftest import NOON

DAY = timedelta(days=1)
WEEK = 7 * 86_400.0


@pytest.mark.parametrize("place", ["file", "setting"])
def test_there_is_a_key_that_signs_and_its_public_part_holds_nothing_private(place: str, tmp_path: Path) -> None:
    ring = ToolKeys(tmp_path / "keys.json", as_secret([new_key()]) if place == "setting" else "")

    [key] = ring.all()

    assert ring.all() == [key]
    assert key.retired is None
    assert set(key.public) == {"kty", "kid", "alg", "use", "n", "e"}
    assert {"d", "p", "q"} <= set(key.private)


def test_the_newest_signs_in_every_process_and_the_one_before_is_published_for_a_while(tmp_path: Path) -> None:
    ring, there = ToolKeys(tmp_path / "keys.json"), ToolKeys(tmp_path / "keys.json")
    [first] = ring.all()
    assert there.all() == [first]

    second = ring.rotate(NOON, WEEK)
    third = ring.rotate(NOON + 8 * DAY, WEEK)

    assert [key.public["kid"] for key in second[1:]] == [first.public["kid"]]
    assert [key.public["kid"] for key in third[1:]] == [second[0].public["kid"]]
    assert there.all() == ring.all() == third
    assert len(third) == 2


def test_of_several_who_ask_first_all_get_the_same_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: ToolKeys(path).all(), range(4)))

    assert all(each == found[0] for each in found)
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_no_key_is_said_without_quoting_it(tmp_path: Path) -> None:
    for written in ("my secret", '[{"private": {"kty": "RSA", "n": "my secret"}}]', "[]"):
        (tmp_path / "keys.json").write_text(written)
        for ring in (ToolKeys(tmp_path / "keys.json", written), ToolKeys(tmp_path / "keys.json")):
            with pytest.raises(BadRequest) as refused:
                ring.all()
            assert "my secret" not in str(refused.value)
