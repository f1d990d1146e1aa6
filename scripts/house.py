"""Counts of the code and its documents: files, lines, functions, settings, commands, words, class names used twice.

usage: python -m scripts.house [CHECKOUT ...]: one column for each checkout, this one if none is named."""

import ast
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

COMMANDS = """
import typer, chapterverse.cli.app as cli
def leaves(group):
    for each in getattr(group, "commands", {}).values():
        if not each.hidden:
            yield from leaves(each) if getattr(each, "commands", None) else [each]
print(len(list(leaves(typer.main.get_command(cli.app)))))
"""
SETTINGS = "from chapterverse.settings import Settings; print(len(Settings.model_fields))"


def lines_of(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def functions_in(path: Path) -> Iterator[int]:
    """Length of each function in lines, its docstring included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def classes_in(path: Path) -> Iterator[str]:
    return (node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.ClassDef))


def spread(numbers: Sequence[int]) -> str:
    """Median / 95th percentile / largest."""
    ordered = sorted(numbers)
    return f"{statistics.median(ordered):g} / {ordered[int(len(ordered) * 0.95)]} / {ordered[-1]}"


def asked(root: Path, program: str) -> str:
    """What the program prints with that checkout's code."""
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, cwd=root, env={"PYTHONPATH": str(root / "src")}, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "?"


def words_of(files: Sequence[Path]) -> int:
    return sum(len(file.read_text("utf-8").split()) for file in files if file.exists())


def counts(root: Path) -> dict[str, str]:
    files = sorted((root / "src").rglob("*.py"))
    documents = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    tests = [file.read_text("utf-8") for file in (root / "tests").rglob("*.py")]
    names = Counter(name for file in files for name in classes_in(file))
    return {
        "Python files in src": str(len(files)),
        "lines in src": str(sum(map(lines_of, files))),
        "lines of a file (median / p95 / largest)": spread([lines_of(file) for file in files]),
        "lines of a function (median / p95 / largest)": spread([n for file in files for n in functions_in(file)]),
        "files in the largest folder": str(max(Counter(file.parent for file in files).values())),
        "class names used for more than one thing": str(sum(count > 1 for count in names.values())),
        "settings": asked(root, SETTINGS),
        "commands": asked(root, COMMANDS),
        "words in the README": str(words_of(documents[:1])),
        "words in all documents": str(words_of(documents)),
        "lines in tests": str(sum(text.count("\n") for text in tests)),
        "tests (functions)": str(sum(text.count("\ndef test_") for text in tests)),
    }


def main() -> None:
    columns = [counts(Path(name)) for name in sys.argv[1:] or ["."]]
    print("|  |", " | ".join(sys.argv[1:] or ["now"]), "|")
    print("| --- |", " | ".join("---" for _ in columns), "|")
    for name in columns[0]:
        print("|", name, "|", " | ".join(column[name] for column in columns), "|")


if __name__ == "__main__":
    main()
