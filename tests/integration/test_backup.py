"""infra/backup.sh, a real PostgreSQL and real files; a program called docker runs here what is to run in a container."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from scripts.cloud_local.postgres import PROGRAMS
from tests.support.pdfs import a_pdf
from tests.support.servers import Postgres, postgres

ROOT = Path(__file__).parents[2]
DOCKER = """#!/bin/sh
# docker compose -f FILE exec -T SERVICE COMMAND…: COMMAND, here
case $4 in exec) shift 6 ;; *) exit 0 ;; esac
if [ "$1" = chapterverse ]; then shift; exec "{python}" -m tests.support.word_program "$@"; fi
if [ "$1" = tar ]; then shift; exec tar "$@"; fi
exec "$@"
"""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class School:
    """A stack's two volumes: a folder, and a database of this server."""

    folder: Path
    server: Postgres

    def run(self, *command: str | Path) -> str:
        """What it says, once it has succeeded."""
        programs = f"{self.folder.parent}:{PROGRAMS}:{os.environ['PATH']}"
        settings = {"CHAPTERVERSE_CATALOG": f"postgresql+psycopg://chapterverse@127.0.0.1:{self.server.port}/chapterverse"}
        where = {"PGHOST": "127.0.0.1", "PGPORT": str(self.server.port), "CHAPTERVERSE_HOME": str(self.folder)}
        path = {"PATH": programs, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        environment = {**os.environ, **settings, **where, **path}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def program(self, *arguments: str | Path) -> str:
        return self.run(sys.executable, "-m", "tests.support.word_program", *arguments)

    def lose_everything(self) -> None:
        """Disks and database; what is left is an empty stack."""
        self.folder.rename(self.folder.with_name("lost"))
        self.folder.mkdir()
        at = {"host": "127.0.0.1", "port": self.server.port, "user": "postgres", "dbname": "postgres"}
        with psycopg.connect(**at, autocommit=True) as to:
            to.execute("DROP DATABASE chapterverse")
            to.execute("CREATE DATABASE chapterverse OWNER chapterverse")


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    with postgres() as server:
        with psycopg.connect(host="127.0.0.1", port=server.port, user="postgres", dbname="postgres", autocommit=True) as to:
            to.execute("CREATE ROLE chapterverse LOGIN")
            to.execute("CREATE DATABASE chapterverse OWNER chapterverse")
        (tmp_path / "home").mkdir()
        docker = tmp_path / "docker"
        docker.write_text(DOCKER.format(python=sys.executable), "utf-8")
        docker.chmod(0o755)
        yield School(tmp_path / "home", server)


def test_what_was_copied_comes_back_after_everything_was_lost(school: School, tmp_path: Path) -> None:
    (tmp_path / "on-principle.pdf").write_bytes(a_pdf())
    school.program("sources", "add", tmp_path / "on-principle.pdf")
    essay = tmp_path / "essay.md"
    essay.write_text("The object of this essay is to assert one very simple principle.", "utf-8")
    before = school.program("feedback", "--evidence", essay, "--json")

    school.run(ROOT / "infra" / "backup.sh", tmp_path / "copy")
    school.lose_everything()
    school.run(ROOT / "infra" / "backup.sh", "--restore", tmp_path / "copy")

    assert "on-principle" in school.program("sources", "list")
    assert school.program("feedback", "--evidence", essay, "--json") == before
