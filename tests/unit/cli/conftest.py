"""The command line, run in this process with a home of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chapterverse.cli.app import app
from chapterverse.cli.session import services, services_of, settings
from chapterverse.composition.stores import database_at
from chapterverse.questions.helpdesk_cli import desk

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """CHAPTERVERSE_HOME, empty."""
    monkeypatch.setenv("CHAPTERVERSE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    """Run `chapterverse` with these arguments, as if for the first time."""

    def chapterverse(*arguments: object, stdin: str | None = None) -> Result:
        settings.cache_clear()
        services.cache_clear()
        services_of.cache_clear()
        desk.cache_clear()
        database_at.cache_clear()
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)

    return chapterverse
