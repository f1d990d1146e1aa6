"""A library that is missing is named with the extra that brings it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chapterverse.cli import terminal
from chapterverse.cli.terminal import how_to_install, pip_command


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, 'pip install "chapterverse[llm]"'),
        ({"url": "file:///srv/my%20code", "dir_info": {"editable": True}}, 'pip install --editable "/srv/my code[llm]"'),
        ({"url": "file:///dist/c.whl", "archive_info": {}}, 'pip install "chapterverse[llm] @ file:///dist/c.whl"'),
    ],
    ids=["from an index", "from a checkout", "from a wheel"],
)
def test_the_command_installs_from_where_the_program_came(
    origin: dict[str, Any] | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, _: str) -> str | None:
            return json.dumps(origin) if origin else None

    monkeypatch.setattr(terminal, "distribution", lambda _: Installed())

    assert pip_command("llm") == command


def test_the_base_opens_its_catalogue_without_the_libraries_of_the_server(tmp_path: Path) -> None:
    blocked = ("jwt", "requests", "pylti1p3", "flask", "openai", "chromadb", "spacy")
    code = f"""
import sys
sys.modules.update(dict.fromkeys({blocked}))
from chapterverse import composition
from chapterverse.settings import Settings
composition.compose(Settings(home={str(tmp_path)!r})).catalog.books("local")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["numpy", "opentelemetry", "chapterverse.nothing", None])
def test_a_library_of_no_extra_is_a_defect(name: str | None) -> None:
    assert how_to_install(ModuleNotFoundError(name=name)) is None
