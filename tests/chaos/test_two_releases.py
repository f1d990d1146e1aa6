"""The release before and this one on the same tables at once, and the release before alone after a way back.

The release before: the commit before the last one that changed the program."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM

import httpx
import pytest

from scripts.smoke import Smoke
from tests.e2e.test_serve import ESSAY, PATIENCE, answers
from tests.support.home import ROOT
from tests.support.pdfs import a_pdf
from tests.support.servers import Postgres, free_port
from tests.support.serving import eventually


@dataclass(frozen=True)
class Release:
    """A program by its sources, on tables and files that others may use, too."""

    sources: Path
    told: dict[str, str]

    def command(self, *arguments: object) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "tests.support.word_program", *map(str, arguments)]
        told = {**os.environ, **self.told, "PYTHONPATH": f"{self.sources / 'src'}:{self.sources}"}
        return subprocess.Popen(command, cwd=self.sources, env=told, text=True, stdout=subprocess.PIPE)

    @contextmanager
    def teacher(self) -> Iterator[Smoke]:
        """One who asks the program while it serves."""
        secret = json.loads(self.command("keys", "create", "--scope", "teacher", "--json").communicate()[0])["secret"]
        port = free_port()
        with self.command("serve", "--port", port) as program:
            try:
                eventually(lambda: answers(port))
                at, headers = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {secret}"}
                with httpx.Client(base_url=at, headers=headers, timeout=PATIENCE) as client:
                    yield Smoke(client, a_pdf(), ESSAY["essay"], minutes=PATIENCE / 60)
            finally:
                program.send_signal(SIGTERM)


def git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)


@pytest.fixture
def releases(tmp_path: Path, postgres: Postgres) -> tuple[Release, Release]:
    """The one before and this one."""
    told = {"CHAPTERVERSE_HOME": str(tmp_path / "home"), "CHAPTERVERSE_CATALOG": str(postgres.new_database())}
    newest = git("rev-list", "-1", "HEAD", "--", "src").stdout.decode().strip()
    before = git("archive", f"{newest}~1", "src", "tests", "scripts", "samples")
    if before.returncode:
        pytest.skip("the commit before is not in this checkout")
    (tmp_path / "before").mkdir()
    subprocess.run(["tar", "--extract", "--directory", tmp_path / "before"], input=before.stdout, check=True)
    return Release(tmp_path / "before", told), Release(ROOT, told)


def test_two_releases_work_on_one_catalogue_at_once_and_after_a_way_back(releases: tuple[Release, Release]) -> None:
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
