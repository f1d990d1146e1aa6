"""The tree is the architecture: imports point inward, and heavy libraries stay at the edge."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import chapterverse
from chapterverse.cli.terminal import how_to_install

ROOT = Path(chapterverse.__file__).parent
PROJECT = ROOT.parents[1] / "pyproject.toml"
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")

RINGS = (  # innermost first; a room may import its own ring and those before it
    {"model", "errors", "language", "names", "sentence_json"},
    {"ports"},
    {
        "ingestion",
        "retrieval",
        "evidence",
        "essay",
        "evaluation",
        "feedback",
        "lecture",
        "prompts",
        "templates",
        "texts",
        "assets",
    },
    {"usecases"},
    {"adapters", "observability"},
    {"web"},
    {"settings"},
    {"composition"},
    {"worker"},
    {"cli"},
)
EDGE_ONLY = {
    "alembic",
    "boto3",
    "chromadb",
    "flask",
    "google",
    "gunicorn",
    "httpx",
    "httpx2",
    "huggingface_hub",
    "keybert",
    "onnx",
    "onnxruntime",
    "openai",
    "opentelemetry",
    "pgvector",
    "prometheus_client",
    "psycopg",
    "requests",
    "rich",
    "sentence_transformers",
    "sqlalchemy",
    "tenacity",
    "tokenizers",
    "typer",
    "werkzeug",
}
LONGEST = 300  # lines


def room_of(path: Path) -> str:
    """The first name below chapterverse: "retrieval", "ports"."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def ring_of(room: str) -> int:
    return next(number for number, rooms in enumerate(RINGS) if room in rooms)


def imported_by(path: Path) -> Iterator[str]:
    """Full names of the modules imported anywhere in the file, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide what they point at"
            yield node.module or ""


def rooms_imported_by(path: Path) -> set[str]:
    """Rooms of ours that the file imports."""
    names = (name.split(".") for name in imported_by(path))
    return {parts[1] for parts in names if parts[0] == "chapterverse" and len(parts) > 1}


def libraries_imported_by(path: Path) -> set[str]:
    tops = {name.split(".")[0] for name in imported_by(path)}
    return tops - ours_or_pythons()


def ours_or_pythons() -> set[str]:
    """Names of packages that no library brings; _typeshed is for type checkers alone."""
    return {"chapterverse", "_typeshed", *sys.stdlib_module_names}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_inward(path: Path) -> None:
    outward = {room for room in rooms_imported_by(path) if ring_of(room) > ring_of(room_of(path))}

    assert not outward


def test_rooms_do_not_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        graph.setdefault(room_of(path), set()).update(rooms_imported_by(path) - {room_of(path)})

    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_only_the_composition_root_and_the_entry_points_read_the_settings() -> None:
    readers = {room_of(path) for path in MODULES if "settings" in rooms_imported_by(path)} - {"settings"}

    assert readers <= {"composition", "worker", "cli"}


def test_the_model_needs_nothing_but_the_standard_library_and_array_types() -> None:
    assert all(libraries_imported_by(path) <= {"numpy"} for path in (ROOT / "model").iterdir() if path.suffix == ".py")
    assert libraries_imported_by(ROOT / "errors.py") == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_libraries_that_touch_the_world_stay_at_the_edge(path: Path) -> None:
    if room_of(path) not in {"adapters", "observability", "composition", "web", "worker", "cli"}:
        assert not libraries_imported_by(path) & EDGE_ONLY


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < LONGEST


def normal(requirement: str) -> str:
    """The distribution's name, as the index compares names: "SQLAlchemy>=2" is "sqlalchemy"."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def test_every_library_imported_is_a_declared_dependency() -> None:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    declared = {normal(each) for some in [project["dependencies"], *extras] for each in some}
    makers = packages_distributions()
    imported = {library for path in MODULES for library in libraries_imported_by(path)}

    undeclared = {name for name in imported if not {normal(each) for each in makers.get(name, [name])} & declared}
    assert not undeclared


def test_a_missing_library_is_named_with_the_extra_that_brings_it() -> None:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    brings = {extra: set(map(normal, some)) for extra, some in project["optional-dependencies"].items()}
    brings[""] = set(map(normal, project["dependencies"]))
    makers = packages_distributions()
    wrong = []
    for name in {name for path in MODULES for name in imported_by(path)}:
        top = name.split(".")[0]
        told = how_to_install(ModuleNotFoundError(name=name)) or ""
        extra = told.partition("[")[2].partition("]")[0]
        if top not in ours_or_pythons() and not brings[extra] & set(map(normal, makers.get(top, [top]))):
            wrong.append((name, told))

    assert not wrong


def test_onnx_runtime_is_loaded_in_one_place_which_keeps_it_from_reporting_to_its_maker() -> None:
    loaders = {path.name for path in MODULES if "onnxruntime" in libraries_imported_by(path)}

    assert loaders == {"onnx_runtime.py"}
