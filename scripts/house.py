"""Sizes of the code and its documents, each with its budget and its goal; exit status 1 if one is above its budget.

    python -m scripts.house

A budget is what the last change left: a change that makes a size smaller lowers it, and none raises it. A goal is where a size
is to go."""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = """
import typer, chapterverse.cli.app as cli
def leaves(group):
    for each in getattr(group, "commands", {}).values():
        if not each.hidden:
            yield from leaves(each) if getattr(each, "commands", None) else [each]
print(len(list(leaves(typer.main.get_command(cli.app)))))
"""
SETTINGS = "from chapterverse.settings import Settings; print(len(Settings.model_fields))"
BUDGETS: Mapping[str, tuple[int, int]] = {  # size: (budget, goal)
    "lines in src": (48_000, 48_000),
    "Python files in src": (239, 240),
    "lines of the longest file in src": (598, 700),
    "lines of the longest function in src": (51, 68),
    "lines in tests": (39_169, 38_000),
    "lines in scripts and evaluations": (10_866, 11_000),
    "MB of data of evaluations and training": (25, 25),
    "lines of JavaScript": (5_904, 6_000),
    "lines of Terraform": (2_572, 2_598),
    "words in documents": (25_000, 25_000),
    "targets of make": (20, 20),
    "commands": (21, 25),
    "settings": (34, 35),
}


def lines(*patterns: str) -> Iterator[int]:
    """Lines of each file, by patterns below the root."""
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            yield len(path.read_text("utf-8").splitlines())


def functions() -> Iterator[int]:
    """Lines of each function in src, its docstring included."""
    for path in ROOT.glob("src/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1


def asked(program: str) -> int:
    """The number that the program prints."""
    command = [sys.executable, "-W", "ignore", "-c", program]
    return int(subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "src"}, capture_output=True, text=True, check=True).stdout)


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]


def sizes() -> dict[str, int]:
    """The size by its name in BUDGETS."""
    folders = ("scripts/eval/data", "scripts/train/data", "evaluations")
    data = [path for folder in folders for path in ROOT.glob(f"{folder}/**/*") if path.is_file() and path.suffix != ".pyc"]
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return {
        "lines in src": sum(lines("src/**/*.py")),
        "Python files in src": len([*lines("src/**/*.py")]),
        "lines of the longest file in src": max(lines("src/**/*.py")),
        "lines of the longest function in src": max(functions()),
        "lines in tests": sum(lines("tests/**/*.py")),
        "lines in scripts and evaluations": sum(lines("scripts/**/*.py", "evaluations/**/*.py")),
        "MB of data of evaluations and training": sum(path.stat().st_size for path in data) // 2**20,
        "lines of JavaScript": sum(lines("src/**/*.js")),
        "lines of Terraform": sum(lines("terraform/**/*.tf")),
        "words in documents": sum(len(path.read_text("utf-8").split()) for path in documents()),
        "targets of make": len(targets),
        "commands": asked(COMMANDS),
        "settings": asked(SETTINGS),
    }


def main() -> int:
    """Print the sizes."""
    found = sizes()
    print(f"{'':44}{'now':>8}{'budget':>8}{'goal':>8}")
    for name, (budget, goal) in BUDGETS.items():
        print(f"{name:44}{found[name]:>8}{budget:>8}{goal:>8}{'  above its budget' if found[name] > budget else ''}")
    print(f"{'median lines of a function in src':44}{statistics.median(functions()):>8g}")
    return int(any(found[name] > budget for name, (budget, _) in BUDGETS.items()))


if __name__ == "__main__":
    sys.exit(main())
