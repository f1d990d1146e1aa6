"""The release before and this one on the same tables at once, and the release before alone after a way back.

The release before: the commit before the last one that changed the program."""

import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.home import ROOT, Home
from tests.support.servers import Postgres


def git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)


@pytest.fixture
def releases(tmp_path: Path, postgres: Postgres) -> tuple[Home, Home]:
    """The one before and this one."""
    home, catalog = tmp_path / "home", {"CHAPTERVERSE_CATALOG": str(postgres.new_database())}
    newest = git("rev-list", "-1", "HEAD", "--", "src").stdout.decode().strip()
    before = git("archive", f"{newest}~1", "src", "tests", "scripts", "samples")
    if before.returncode:
        pytest.skip("the commit before is not in this checkout")
    (tmp_path / "before").mkdir()
    subprocess.run(["tar", "--extract", "--directory", tmp_path / "before"], input=before.stdout, check=True)
    return Home(home, sources=tmp_path / "before", more=catalog), Home(home, more=catalog)


def test_two_releases_work_on_one_catalogue_at_once_and_after_a_way_back(releases: tuple[Home, Home]) -> None:
    with ExitStack() as running:
        old, new = [running.enter_context(release.teacher()) for release in releases]
        for first, second in ((old, new), (new, old)):
            book = first.upload()
            second.wait_for(book)
            first.ask(book)
            second.ask(book)
            second.remove(book)

    with releases[0].teacher() as old:
        old.run()
