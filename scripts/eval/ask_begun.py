"""How the measurements of questions begin: the shared folder, and vectors that are computed once."""

import argparse
from pathlib import Path

import ask_retriever
from shared import shared_folder


def begun(doc: str | None, needed: str) -> Path:
    """The shared folder, where it has the folder `needed`; doc: of the script. Vectors are kept where --cache says."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--cache", default="build/ask-vectors.db")
    given = parser.parse_args()
    Path(given.cache).parent.mkdir(parents=True, exist_ok=True)
    ask_retriever.configure(cache=given.cache)
    return shared_folder(given.shared, needed).parent
