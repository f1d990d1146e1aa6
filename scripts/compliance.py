"""Check that every row of docs/compliance names what holds it: `make docs`. Prints what is open."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evaluations.__main__ import PLANS

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "compliance"
HELD = "Held by"
DUTIES = {"the school", "the operator", "the provider"}
OPEN = "open"


def rows() -> Iterator[tuple[str, str, str]]:
    """File, first cell and last cell of each row of the tables with a column HELD."""
    for path in sorted(FOLDER.glob("*.md")):
        in_table = False
        for line in path.read_text("utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
            if not cells:
                in_table = False
            elif cells[-1] == HELD:
                in_table = True
            elif in_table and not set("".join(cells)) <= set("-: "):
                yield path.name, cells[0], cells[-1]


def wrong(held: str) -> str:
    """What is wrong with a last cell; empty if nothing."""
    if held in DUTIES or held == OPEN:
        return ""
    named = re.findall(r"`([^`]+)`", held)
    return "names nothing" if not named else next(filter(None, map(missing, named)), "")


def missing(named: str) -> str:
    """What of a test or target does not exist; empty if it does."""
    if named.startswith("make "):
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        return "" if named.removeprefix("make ") in {*targets, *PLANS} else f"{named} does not exist"
    file, _, test = named.partition("::")
    path = ROOT / file
    if not file.startswith("tests/") or not path.is_file():
        return f"{file} does not exist"
    functions = {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)}
    return "" if not test or test in functions else f"{test} is not in {file}"


def main() -> int:
    """Print rows that name nothing, and the open ones; 1 if any names nothing."""
    found = list(rows())
    faults = [f"{file}: {first}: {fault}" for file, first, held in found if (fault := wrong(held))]
    for fault in faults:
        print(fault)
    for file, first, _ in (row for row in found if row[2] == OPEN):
        print(f"open: {file}: {first}")
    held = sum("`" in row[2] for row in found)
    print(f"{len(found)} rows, {held} held by tests or commands, {sum(row[2] in DUTIES for row in found)} duties of others")
    return int(bool(faults) or not found)


if __name__ == "__main__":
    sys.exit(main())
