"""infra/compose.yaml as docker-compose itself reads it: Debian's, or the one of PyPI in an environment of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "infra" / "compose.yaml"
PROGRAMS = (["docker", "compose"], ["docker-compose"], [str(ROOT / "build" / "compose-venv" / "bin" / "docker-compose")])


def compose() -> list[str]:
    """A program that answers; skips the test where there is none."""
    for program in PROGRAMS:
        if shutil.which(program[0]) and not subprocess.run([*program, "version"], capture_output=True, check=False).returncode:
            return program
    pytest.skip("there is no docker-compose here: apt-get install docker-compose, or one of PyPI in build/compose-venv")


def config(folder: Path, file: Path, **told: str) -> subprocess.CompletedProcess[str]:
    """What the program makes of the file with these variables."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **told}
    command = [*compose(), "-f", str(file), "config"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_program_understands_all_of_it(tmp_path: Path) -> None:
    done = config(tmp_path, FILE, POSTGRES_PASSWORD="secret")

    assert done.returncode == 0, done.stderr
    assert set(yaml.safe_load(done.stdout)["services"]) == {"proxy", "app", "embedder", "chroma", "postgres"}


def test_without_a_password_it_says_where_one_is_asked_for(tmp_path: Path) -> None:
    done = config(tmp_path, FILE)

    assert done.returncode != 0
    assert "infra/example.env" in done.stderr


def test_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text(FILE.read_text("utf-8").replace("  mem_limit:", "  mem_limmit:", 1), "utf-8")

    assert config(tmp_path, tmp_path / "compose.yaml", POSTGRES_PASSWORD="secret").returncode != 0
