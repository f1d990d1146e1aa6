"""No hosted model is named that Google is about to switch off."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chapterverse.core.hosted_models import HOSTED_MODELS

ROOT = Path(__file__).parents[3]
NAMED = re.compile(r"gemini-\d[a-z0-9.-]*[a-z0-9]")
FOLDERS = ("terraform", "infra", "docs", "src", "functions", ".github")


def test_no_model_is_gone_within_60_days() -> None:
    soon = datetime.now(UTC).date() + timedelta(days=60)

    gone = {name: model.retires for name, model in HOSTED_MODELS.items() if model.retires <= soon}

    assert not gone, "put the successor into core/hosted_models.py, and say in docs/operations.md how to change over"


def test_only_models_of_that_file_are_named() -> None:
    files = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".tf", ".tfvars", ".hcl", ".md", ".py", ".yaml"}
    ]

    named = {(str(path.relative_to(ROOT)), name) for path in files for name in NAMED.findall(path.read_text("utf-8"))}

    assert {(path, name) for path, name in named if name not in HOSTED_MODELS} == set()
    assert any(path.startswith("terraform") for path, _ in named)
