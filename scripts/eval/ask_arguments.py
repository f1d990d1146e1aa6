"""Command-line arguments of the measurements of questions: the shared folder, and a cache of vectors."""

import argparse
from pathlib import Path

from scripts.eval import ask_retriever
from scripts.eval.shared import shared_folder


def read_arguments(doc: str | None, needed: str) -> Path:
    """Return the shared folder, which must have the folder `needed`; doc: of the script. Vectors are cached in the file
    --cache."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--cache", default="build/ask-vectors.db")
    given = parser.parse_args()
    Path(given.cache).parent.mkdir(parents=True, exist_ok=True)
    ask_retriever.configure(cache=given.cache)
    return shared_folder(given.shared, needed).parent
