"""A lock on a file that leaves no file; beside the claims of tests/contract/test_catalog.py."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chapterverse.infrastructure.storage.folder import load_secret, locked


@pytest.mark.parametrize("wrong", [ZeroDivisionError, FileNotFoundError])
def test_what_goes_wrong_within_lets_go_of_it(tmp_path: Path, wrong: type[Exception]) -> None:
    with pytest.raises(wrong), locked(tmp_path / "essay"):
        raise wrong

    assert list(tmp_path.iterdir()) == []


def test_however_many_try_never_two_hold_it(tmp_path: Path) -> None:
    inside: Counter[str] = Counter()
    most = []

    def hold(_: int) -> bool:
        try:
            with locked(tmp_path / "essay"):
                inside["now"] += 1
                most.append(inside["now"])
                inside["now"] -= 1
        except TimeoutError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        held = sum(pool.map(hold, range(200)))

    assert (max(most), len(most)) == (1, held)
    assert list(tmp_path.iterdir()) == []


def test_a_secret_is_made_once_whoever_asks_first_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "home" / "secret"
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: load_secret(path), range(8)))
    assert secrets == {path.read_bytes()}
    assert len(path.read_bytes()) == 32
    assert [file.name for file in path.parent.iterdir()] == ["secret"]

    load_secret(tmp_path / "secret")
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
