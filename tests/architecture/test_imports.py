"""The tree is the architecture: imports point inward, and heavy libraries stay at the edge."""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import chapterverse
from chapterverse.cli.terminal import how_to_install

ROOT = Path(chapterverse.__file__).parent
PROJECT = ROOT.parents[1] / "pyproject.toml"
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")

LIBRARY = ROOT.parent / "lti_assets"  # of its own: others may use it without the rest
READER = ROOT.parent / "bookreader"  # likewise
READERS = sorted(READER.rglob("*.py"))

ORDER = (  # a file may import its own step and the steps before it
    {"core", "messages", "prompts", "texts", "templates", "assets"},
    {"infrastructure"},
    {"accounts"},
    {"library"},
    {"search"},
    {"citations"},
    {"essays"},
    {"assignments"},
    {"questions"},
    {"lectures"},
    {"lti"},
    {"operations"},
    {"web"},
    {"routes"},  # api.py, schemas.py and pages.py of every component
    {"app"},  # web/app.py, which collects the routes
    {"settings"},
    {"composition"},
    {"worker"},
    {"cli"},
    {"commands"},  # cli.py of every component
    {"program"},  # cli/app.py, which collects the commands
)
ROUTES = re.compile(r"(\w+_)?(api|schemas|pages|batch_app)\.py")
COMMANDS = re.compile(r"(\w+_)?cli\.py")
COLLECTORS = {"web/app.py": "app", "cli/app.py": "program", "__main__.py": "program"}
EDGE_ONLY = {
    "boto3", "chromadb", "flask", "google", "gunicorn", "httpx", "httpx2", "huggingface_hub", "onnx", "onnxruntime", "openai",
    "pgvector", "prometheus_client", "psycopg", "requests", "rich", "sentence_transformers", "sqlalchemy",
    "tenacity", "tokenizers", "typer", "waitress", "werkzeug",
}  # fmt: skip
LONGEST = 700  # lines of a file
LARGEST = 25  # files of a folder
MOST = 260  # files of chapterverse; `make house` has the goal
EDGE = {"infrastructure", "web", "routes", "app", "composition", "worker", "cli", "commands", "program"}
ADAPTERS = {  # files of a component that speak to the outside world
    "store.py", "oidc.py", "messages.py", "services.py", "keys.py", "retention.py", "archive.py",
}  # fmt: skip


def step_of(path: Path) -> str:
    """Name in ORDER: "core", "essays", "routes"."""
    relative = path.relative_to(ROOT)
    if collector := COLLECTORS.get(relative.as_posix()):
        return collector
    component = relative.parts[0].removesuffix(".py")
    if component not in {"web", "cli", "core"} and ROUTES.fullmatch(path.name):
        return "routes"
    if component != "cli" and COMMANDS.fullmatch(path.name):
        return "commands"
    return component


@cache
def rank_of(path: Path) -> int:
    return next(number for number, steps in enumerate(ORDER) if step_of(path) in steps)


def file_of(module: str) -> Path | None:
    """The file of a module of ours; None for a name inside a module."""
    path = ROOT.parent.joinpath(*module.split("."))
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.exists()), None)


@cache
def imports_of(path: Path) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Statements that import, anywhere in the file and in its body."""
    tree = ast.parse(path.read_text("utf-8"))
    anywhere: list[ast.stmt] = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return anywhere, [node for node in anywhere if node in tree.body]


def imported_by(path: Path) -> Iterator[str]:
    """Full names of the modules imported anywhere in the file, inside functions too."""
    for node in imports_of(path)[0]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide what they point at"
            yield node.module or ""


def files_imported_by(path: Path, *, at_import: bool = False) -> set[Path]:
    """Files of its package that the file imports; at_import: without imports inside functions and for type checkers alone."""
    package = path.relative_to(ROOT.parent).parts[0]
    found: set[Path | None] = set()
    for node in imports_of(path)[at_import]:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == package:
            found |= {file_of(f"{node.module}.{alias.name}") or file_of(node.module) for alias in node.names}
    return {each for each in found if each is not None} - {path, ROOT.parent / package / "__init__.py"}


def libraries_imported_by(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported_by(path)} - ours_or_pythons()


def ours_or_pythons() -> set[str]:
    """Names of packages that no library brings; _typeshed is for type checkers alone."""
    return {"chapterverse", READER.name, LIBRARY.name, "_typeshed", *sys.stdlib_module_names}


def test_imports_follow_the_order_of_components() -> None:
    imported = ((path, each) for path in MODULES for each in files_imported_by(path))

    assert [f"{path} imports {each}" for path, each in imported if rank_of(each) > rank_of(path)] == []


def test_files_do_not_import_each_other_in_a_circle() -> None:
    files = [path for path in (*MODULES, *READERS) if path.name != "__init__.py"]
    graph = {path: files_imported_by(path, at_import=path in READERS) for path in files}  # ours inside functions, too

    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_only_the_composition_root_and_the_entry_points_read_the_settings() -> None:
    settings = file_of("chapterverse.settings")
    readers = {step_of(path) for path in MODULES if settings in files_imported_by(path)} - {"settings"}

    assert readers <= {"composition", "worker", "cli", "commands", "program"}


def test_libraries_that_touch_the_world_stay_at_the_edge() -> None:
    inner = [path for path in MODULES if step_of(path) not in EDGE and path.name not in ADAPTERS]

    assert [path for path in inner if libraries_imported_by(path) & EDGE_ONLY] == []


def test_a_file_can_be_read_in_one_sitting() -> None:
    assert [path for path in (*MODULES, *READERS) if len(path.read_text("utf-8").splitlines()) > LONGEST] == []


def test_a_folder_can_be_seen_at_a_glance() -> None:
    folders = Counter(path.parent for path in MODULES if path.parent.name != "versions")

    assert {str(folder.relative_to(ROOT)): files for folder, files in folders.items() if files > LARGEST} == {}


def test_the_tree_does_not_grow_without_end() -> None:
    assert len([*ROOT.rglob("*.py")]) <= MOST


def normal(requirement: str) -> str:
    """The distribution's name, as the index compares names: "SQLAlchemy>=2" is "sqlalchemy"."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def test_every_library_imported_is_a_declared_dependency() -> None:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    declared = {normal(each) for some in [project["dependencies"], *extras] for each in some}
    makers = packages_distributions()
    imported = {library for path in (*MODULES, *READERS) for library in libraries_imported_by(path)}

    undeclared = {name for name in imported if not {normal(each) for each in makers.get(name, [name])} & declared}
    assert not undeclared


def test_the_library_for_learning_platforms_needs_nothing_of_ours() -> None:
    imported = {name.split(".")[0] for path in LIBRARY.glob("*.py") for name in imported_by(path)}

    assert imported - set(sys.stdlib_module_names) == {"lti_assets", "jwt", "pydantic", "pylti1p3", "requests"}


def test_the_reader_of_books_needs_nothing_of_ours() -> None:
    imported = {name.split(".")[0] for path in READERS for name in imported_by(path)} - set(sys.stdlib_module_names)

    assert imported == {
        *("bookreader", "markdown_it", "mdit_py_plugins", "nh3", "numpy", "pydantic", "pydantic_core", "pymupdf"),
        *("rapidocr", "selectolax", "spellchecker", "yaml"),
    }


def test_a_missing_library_is_named_with_the_extra_that_brings_it() -> None:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    brings = {extra: set(map(normal, some)) for extra, some in project["optional-dependencies"].items()}
    brings[""] = set(map(normal, project["dependencies"]))
    makers = packages_distributions()
    wrong = []
    for name in {name for path in (*MODULES, *READERS) for name in imported_by(path)}:
        top = name.split(".")[0]
        told = how_to_install(ModuleNotFoundError(name=name)) or ""
        extra = told.partition("[")[2].partition("]")[0]
        if top not in ours_or_pythons() and not brings[extra] & set(map(normal, makers.get(top, [top]))):
            wrong.append((name, told))

    assert not wrong


def test_onnx_runtime_is_loaded_in_one_place_which_keeps_it_from_reporting_to_its_maker() -> None:
    loaders = {path.name for path in MODULES if "onnxruntime" in libraries_imported_by(path)}

    assert loaders == {"local.py"}
