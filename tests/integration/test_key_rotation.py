"""Keys made, rotated and closed by the commands of docs/operations.md, before the real app."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chapterverse.web.app import create_app
from tests.support.home import Home
from tests.support.web import Caller, web_parts

SCHOOL = "oak-street"
WEEK = timedelta(days=7)


@dataclass
class Clock:
    """What the app takes for now."""

    ahead: timedelta = field(default=timedelta())

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass(frozen=True)
class Deployment:
    """An app, and the operator's commands on what it stands on."""

    home: Home
    app: Any
    clock: Clock

    def keys(self, *arguments: str) -> dict[str, str]:
        """What a command of `chapterverse keys` says."""
        done = self.home.run("keys", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        said: dict[str, str] = json.loads(done.stdout)
        return said

    def opens(self, secret: str) -> bool:
        """Whether the key is good now."""
        return Caller(self.app, secret)("GET", "/api/v1/collections/books/sources").status_code == 200


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    clock = Clock()
    with web_parts(tmp_path) as parts:
        yield Deployment(Home(tmp_path), create_app(replace(parts, now=clock)), clock)


def test_both_keys_are_good_for_a_week_and_then_only_the_new_one(deployment: Deployment) -> None:
    old = deployment.keys("create", "--secret-only")
    made = deployment.keys("create", "--scope", "teacher", "--school", SCHOOL, "--drawn", old["drawn"])
    assert deployment.opens(old["secret"])

    new = deployment.keys("create", "--secret-only")
    assert not deployment.opens(new["secret"])
    said = deployment.keys("create", "--rotate", made["id"], "--school", SCHOOL, "--drawn", new["drawn"])

    assert "secret" not in made | said  # the log of a job has nothing to tell
    assert deployment.opens(old["secret"])
    assert deployment.opens(new["secret"])

    deployment.clock.ahead = WEEK + timedelta(minutes=1)

    assert not deployment.opens(old["secret"])
    assert deployment.opens(new["secret"])


def test_a_key_that_got_out_is_closed_at_once(deployment: Deployment) -> None:
    leaked = deployment.keys("create", "--scope", "teacher", "--school", SCHOOL)
    assert deployment.opens(leaked["secret"])

    deployment.keys("revoke", leaked["id"], "--school", SCHOOL)

    assert not deployment.opens(leaked["secret"])
