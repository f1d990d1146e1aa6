"""docs/reference.md is what the program declares today."""

from pathlib import Path

from scripts.reference import reference

FILE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_the_reference_is_as_generated() -> None:
    assert FILE.read_text("utf-8") == reference(), "make docs"
