"""What scripts and functions take from the package is there: they run by hand, so nothing else would tell."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scripts.attack import ATTACKS, MUTANTS

ROOT = Path(__file__).parents[2]
OURS = {"chapterverse", "evaluations", "scripts", "tests"}
FOLDERS = ("scripts/**/*.py", "evaluations/*.py", "functions/*.py", "containers/**/*.py")
PROGRAMS = sorted(path for folder in FOLDERS for path in ROOT.glob(folder))


def taken(program: Path) -> Iterator[tuple[str, str]]:
    """Module and name of each import from our own packages."""
    for node in ast.walk(ast.parse(program.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            yield from ((node.module or "", alias.name) for alias in node.names)


@cache
def bound_in(module: str) -> set[str]:
    """Names that its code binds anywhere."""
    spec = find_spec(module)
    nodes = list(ast.walk(ast.parse(Path(spec.origin).read_text("utf-8")))) if spec and spec.origin else []
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imported = {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    whole = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    return (defined | stored | imported).union(*map(bound_in, whole))


def is_module(name: str) -> bool:
    with suppress(ModuleNotFoundError):
        return find_spec(name) is not None
    return False


def test_all_that_a_program_takes_from_our_modules_is_there() -> None:
    every = [(program, module, name) for program in PROGRAMS for module, name in taken(program)]
    gone = [(program, f"{module}.{name}") for program, module, name in every if name not in bound_in(module)]

    assert [(str(program), name) for program, name in gone if not is_module(name)] == []


def test_the_table_of_attacks_has_the_rows_that_the_command_prints() -> None:
    table = (ROOT / "docs" / "security.md").read_text("utf-8").partition("## Attacks")[2]

    assert [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")][2:] == [
        *(attack.name for attack in ATTACKS),
        MUTANTS,
    ]


def test_a_module_that_code_or_a_comment_names_is_there() -> None:
    roots = [ROOT, ROOT / "src" / "chapterverse", ROOT / "src" / "bookreader"]
    gone = [
        (str(path.relative_to(ROOT)), named)
        for folder in ("src", "scripts", "evaluations", "functions")
        for path in (ROOT / folder).rglob("*.py")
        for named in re.findall(r"(?<![\w./:{}<*-])(?:[a-z_]+/)+[a-z_0-9]+\.py\b", path.read_text("utf-8"))
        if any((root / named.partition("/")[0]).is_dir() for root in roots)
        and not any((root / named).exists() for root in (*roots, ROOT / "src"))
    ]

    assert not gone
