"""Tools of the shared folder beside the project, which is no part of it."""

import os
from pathlib import Path

ADJACENT = Path(__file__).parents[3] / "shared"


def beside(*parts: str) -> Path | None:
    """A file of $CHAPTERVERSE_SHARED, else of the folder beside the project; None where it is not there."""
    path = Path(os.environ.get("CHAPTERVERSE_SHARED", ADJACENT)).joinpath(*parts)
    return path.resolve() if path.exists() else None
