"""How a bench says what it found: lines of JSON, the settings first."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from statistics import median
from typing import Any

MODEL = "all-MiniLM-L6-v2"
Row = Mapping[str, Any]


def settings(**more: Any) -> dict[str, Any]:
    """What the figures depend on."""
    libraries = ("chapterverse", "chromadb", "onnxruntime", "pymupdf", "numpy")
    return {
        "model": MODEL,
        "precision": "fp32",
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "load": [round(load, 1) for load in os.getloadavg()],
        "versions": {name: version(name) for name in libraries},
        **more,
    }


def show(title: str, rows: Sequence[Row], what: Mapping[str, Any]) -> None:
    """rows: alike in their keys, of which the first names the row."""
    for line in ({"bench": title, "settings": what}, *rows):
        print(json.dumps(rounded(line), ensure_ascii=False), flush=True)


def rounded(value: Any) -> Any:
    """Figures to four digits that mean something, however deep they stand."""
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def spread(values: Sequence[float]) -> list[float]:
    """Lowest, median, highest."""
    return [min(values), median(values), max(values)]


def verdict(figure: float, goal: float, least: bool) -> str:
    """Whether a ratio is where it should be."""
    met = figure >= goal if least else figure <= goal
    return f"{'≥' if least else '≤'} {goal:g}: {'met' if met else 'missed'}"
