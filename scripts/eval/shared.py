"""Where the evaluation data lies, which is no part of the project; scripts beside this one import it by its bare name."""

import importlib
import os
import sys
from pathlib import Path

ADJACENT = Path(__file__).parents[3] / "shared"


def shared_folder(asked: Path | None, needed: str) -> Path:
    """The folder `needed` of the shared one: as asked, else $CHAPTERVERSE_SHARED, else beside the project.

    Ends the program with one line where it is not there."""
    folder = (asked or Path(os.environ.get("CHAPTERVERSE_SHARED", ADJACENT))) / needed
    if not folder.is_dir():
        sys.exit(f"skipped: there is no {folder}; name the shared folder, or set CHAPTERVERSE_SHARED")
    return folder


def of(shared: Path, module: str) -> object:
    """A module of ask-lecture/, which imports its neighbours by bare names."""
    if (folder := str(shared / "ask-lecture")) not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(module)
