"""No hosted model is named that Google is about to switch off."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

RETIRES = {"gemini-3.5-flash-lite": date(2027, 7, 21)}
"""The earliest day on which it may be gone, by Google's page, read on 2026-11-24:
https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions"""

ROOT = Path(__file__).parents[3]
NAMED = re.compile(r"gemini-\d[a-z0-9.-]*[a-z0-9]")
FOLDERS = ("terraform", "infra", "docs", "src", "functions", ".github")


def test_no_model_is_gone_within_60_days() -> None:
    soon = datetime.now(UTC).date() + timedelta(days=60)

    gone = {name: day for name, day in RETIRES.items() if day <= soon}

    assert not gone, "put the successor into RETIRES, and say in docs/operations.md how to change over"


def test_only_models_with_a_known_day_are_named() -> None:
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    files = [path for path in paths if path.suffix in {".tf", ".tfvars", ".hcl", ".md", ".py", ".yaml"}]

    named = {(str(path.relative_to(ROOT)), name) for path in files for name in NAMED.findall(path.read_text("utf-8"))}

    assert {(path, name) for path, name in named if name not in RETIRES} == set()
    assert any(path.startswith("terraform") for path, _ in named)
