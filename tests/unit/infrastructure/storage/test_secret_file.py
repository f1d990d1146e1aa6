from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chapterverse.infrastructure.storage.files import load_secret


def test_a_secret_is_made_once_whoever_asks_first(tmp_path: Path) -> None:
    path = tmp_path / "home" / "secret"

    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: load_secret(path), range(8)))

    assert secrets == {path.read_bytes()}
    assert len(path.read_bytes()) == 32
    assert [file.name for file in path.parent.iterdir()] == ["secret"]


def test_nobody_else_reads_it(tmp_path: Path) -> None:
    load_secret(tmp_path / "secret")

    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
