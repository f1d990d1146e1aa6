"""Every figure that was measured is a row of LEDGER.csv, which is only appended to; docs/quality.md's tables are made of it.

    python -m evaluations.ledger check [--shared FOLDER]    # print what is wrong, a line each; exit code 1 if anything is
    python -m evaluations.ledger write                      # write the tables of docs/quality.md
    python -m evaluations.ledger digest PATH … [--at COMMIT] [--shared FOLDER]
    python -m evaluations.ledger draw NUMBER [--seed N]     # figures of the page drawn at random, for a reader who checks them

A figure that is measured again gets a new row with the same id: the page shows the newest result, and those before it. One that
nobody can rely on gets a row with the result "withdrawn" and the reason as its note, and leaves the page.
The digest of data is that of the lines that `sha256sum` prints of its files, as they were at the row's commit:
`git ls-files PATH … | LC_ALL=C sort | xargs sha256sum | sha256sum`. Data that is not in the repository stands in SHARED/.

HOLDOUTS has a line as of `sha256sum` for each file that nobody may open who changes the code. The line of a new one, HELD/NAME,
is committed before the code that is measured on it; its file stays with the judge, and is published once it was judged."""

import argparse
import csv
import hashlib
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEDGER, HOLDOUTS, PAGE = "evaluations/LEDGER.csv", "evaluations/HOLDOUTS", "docs/quality.md"
SHARED, HELD = "SHARED/", "HELD/"
NOT_STORED, WITHDRAWN, NEVER = "not stored", "withdrawn", "never opened"
SEEN = (NEVER, "scores only", "seen once", "seen", "tuned on")  # docs/quality.md says what each means
EARLIER = 1  # older results that a table shows; the ledger has all
BLOCK = re.compile(r"(<!-- ledger: (.+?) -->\n).*?(?=<!-- end -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A figure. result: one number, or several, parted by "; " as in `figure`. interval: 95 %, of the first. data: paths. made:
    how, by whom. judge: who said what is right. commit: the state of code and data that was measured."""

    id: str
    application: str
    figure: str
    result: str
    interval: str
    goal: str
    command: str
    data: str
    sha256: str
    made: str
    seen: str
    judge: str
    commit: str
    date: str
    note: str


def read_rows(text: str) -> list[Row]:
    """The rows of a ledger. Raises ValueError where the columns are others."""
    header, *lines = csv.reader(text.splitlines())
    names = [field.name for field in fields(Row)]
    if header != names or (odd := [number for number, line in enumerate(lines, 2) if len(line) != len(names)]):
        raise ValueError(f"{LEDGER}: not the columns {', '.join(names)}" + (f" in lines {odd}" if header == names else ""))
    return [Row(*line) for line in lines]


@dataclass(frozen=True)
class Repository:
    """Files and history that a ledger is checked against. shared: folder of the data that is not in it."""

    root: Path
    shared: Path | None = None

    def git(self, *arguments: str) -> bytes:
        """What git prints; nothing where it fails."""
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)
        return b"" if done.returncode else done.stdout

    def text(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def comes_before(self, first: str, second: str) -> bool:
        """Whether the second commit was made on the first one, and is another one."""
        both = self.git("rev-parse", first, second).split()
        return len(set(both)) == 2 and self.git("merge-base", first, second).strip() == both[0]

    @cache  # noqa: B019  # one repository a run
    def hash_of(self, blob: str) -> str:
        return hashlib.sha256(self.git("cat-file", "blob", blob)).hexdigest()

    def files(self, path: str, commit: str) -> dict[str, str]:
        """The files at or below a path at a commit, with git's names of their content."""
        listed = self.git("ls-tree", "-r", "-z", commit, "--", path).decode().split("\0")
        return {name: entry.split()[2] for entry, _, name in (line.partition("\t") for line in listed if line)}

    def hashes(self, path: str, commit: str) -> dict[str, str]:
        """The same with their SHA-256; empty if there is none, or no folder of shared data."""
        if path.startswith(HELD):
            return {name: value for value, name in self.held_out() if name == path}
        if not path.startswith(SHARED):
            return {name: self.hash_of(blob) for name, blob in self.files(path, commit).items()}
        if not self.shared:
            return {}
        start = self.shared / path.removeprefix(SHARED)
        found = [start] if start.is_file() else [each for each in start.rglob("*") if each.is_file()]
        return {f"{SHARED}{each.relative_to(self.shared)}": hashlib.sha256(each.read_bytes()).hexdigest() for each in found}

    def digest(self, data: str, commit: str) -> str | None:
        """The digest of the data; None if one of its paths has no files."""
        parts = [self.hashes(path, commit) for path in data.split()]
        every = sorted((name, value) for part in parts for name, value in part.items())
        lines = "".join(f"{value}  {name}\n" for name, value in every)
        return hashlib.sha256(lines.encode()).hexdigest() if all(parts) else None

    def held_out(self) -> list[tuple[str, str]]:
        """SHA-256 and name of each file that nobody may open."""
        lines = self.text(HOLDOUTS).splitlines()
        return [(line[:64], line[66:]) for line in lines if line and not line.startswith("#")]

    def introduced(self, path: str, commit: str) -> Iterator[str]:
        """For each held-out file at the path, the commit with which its content, or its line in HOLDOUTS, came."""
        for value, name in self.held_out():
            blob = self.files(path, commit).get(name)
            is_it = name == path if path.startswith(HELD) else blob and self.hash_of(blob) == value
            about = (f"--find-object={blob}", "--", name) if blob else (f"-S{value}", "--", HOLDOUTS)
            yield from self.git("log", "--reverse", "--format=%H", *about).decode().split()[:1] if is_it else ()

    def has_command(self, command: str, commit: str) -> bool:
        """Whether the target or the module of a command was there."""
        if target := re.search(r"\bmake ([a-z-]+)", command):
            return f"\n{target[1]}:" in "\n" + self.git("show", f"{commit}:Makefile").decode()
        module = re.search(r"python -m ((?:scripts|evaluations)[\w.]+)", command)
        return bool(module and self.files(f"{module[1].replace('.', '/')}.py", commit))


def wrong_in(row: Row, there: Repository) -> Iterator[str]:
    """What is wrong in a row."""
    yield from (
        f"no {name}" for name, value in asdict(row).items() if not value.strip() and name not in {"interval", "goal", "note"}
    )
    if row.seen not in SEEN:
        yield f"seen is none of {', '.join(SEEN)}"
    if row.result == WITHDRAWN and not row.note:
        yield "withdrawn without a reason in its note"
    if there.git("merge-base", row.commit, "HEAD") != (there.git("rev-parse", f"{row.commit}^{{commit}}") or b"none"):
        yield f"commit {row.commit} is not in the history"
        return
    if not there.has_command(row.command, row.commit):
        yield f"`{row.command}` was not there at {row.commit}"
    found = there.digest(row.data, row.commit)
    if row.data != NOT_STORED and found != row.sha256 and (found or SHARED not in row.data or there.shared):
        yield f"the data has the digest {found}"
    for path in row.data.split() if row.seen == NEVER else ():
        came = list(there.introduced(path, row.commit))
        if len(came) < max(1, len(there.files(path, row.commit))):
            yield f"{path} is called never opened, and is not in {HOLDOUTS}"
        if not all(there.comes_before(each, row.commit) for each in came):
            yield f"{path} is no older than the code"


def deleted(there: Repository) -> Iterator[str]:
    """Lines of the ledger that some commit had and that are gone or changed."""
    now = set(there.text(LEDGER).splitlines())
    seen = dict[str, str]()
    for commit in there.git("log", "--full-history", "--reverse", "--format=%h", "--", LEDGER).decode().split():
        for line in there.git("show", f"{commit}:{LEDGER}").decode().splitlines():
            seen.setdefault(line, commit)
    yield from (f"line of {commit} is gone: {line[:60]}" for line, commit in seen.items() if line not in now)


def wrong(there: Repository) -> Iterator[str]:
    """All that is wrong with the ledger and the page."""
    rows, page = read_rows(there.text(LEDGER)), there.text(PAGE)
    if there.git("rev-parse", "--is-shallow-repository").strip() != b"false":
        yield "the whole history is needed: git fetch --unshallow"
        return
    yield from (f"{row.id}: {what}" for row in rows for what in wrong_in(row, there))
    shown = [row for row, _ in newest(rows) if row.result != WITHDRAWN]
    yield from (f"{row.id}: the data is {NOT_STORED}" for row in shown if row.data == NOT_STORED)
    yield from deleted(there)
    if page != written(page, rows):
        yield f"{PAGE} is not what the ledger says: python -m evaluations.ledger write"
    if "\n|" in BLOCK.sub("", page):
        yield f"{PAGE} has a table that is not written from the ledger"
    missing = {row.application for row in shown} - {name for _, name in BLOCK.findall(page)}
    yield from (f"{PAGE} has no table of {name}" for name in sorted(missing))


def newest(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """Each figure's newest row, with those before it, in the order in which the figures came."""
    by_id = dict[str, list[Row]]()
    for row in rows:
        by_id.setdefault(row.id, []).append(row)
    return [(its[-1], its[:-1]) for its in by_id.values()]


def cells_of(row: Row, before: Sequence[Row]) -> list[str]:
    first, mark, others = row.result.partition("; ")
    result = (f"{first} ({row.interval})" if row.interval else first) + mark + others
    if earlier := [*dict.fromkeys(each.result for each in before if each.result != row.result)][-EARLIER:]:
        result += f"; earlier: {'→'.join(earlier)}"
    data, commit = (f"`{name[:8]}`" for name in (row.sha256, row.commit))
    measured = f"{commit} {row.date}" + (f"; {row.note}" if row.note else "")
    return [row.figure, result, row.goal, f"`{row.command}`", data, row.seen, row.judge, measured]


def table_of(name: str, rows: Sequence[Row]) -> str:
    """The table of an application, or that of all data. From the third column on, a cell like that above is a ditto mark."""
    live = [each for each in newest(rows) if each[0].result != WITHDRAWN]
    if name == "data":
        lines = {row.sha256: [f"`{row.sha256[:8]}`", f"`{row.data}`", row.made] for row, _ in live}
        table = [["Digest", "Where", "How made, by whom"], ["---"] * 3, *lines.values()]
    else:
        shown = [cells_of(*each) for each in live if each[0].application == name]
        table = [["Figure", "Result", "Goal", "Command", "Data", "Looked at", "Judge", "Measured"], ["---"] * 8, *shown]
    pairs = [enumerate(zip(*pair, strict=True)) for pair in pairwise(table[2:])]
    below = [["″" if at > 1 and cell == last and cell else cell for at, (last, cell) in pair] for pair in pairs]
    return "".join(f"|{'|'.join(cells)}|\n" for cells in table[:3] + below)


def written(page: str, rows: Sequence[Row]) -> str:
    """The page with its tables as the ledger has them."""
    return BLOCK.sub(lambda block: block[1] + table_of(block[2], rows), page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "write", "digest", "draw"])
    parser.add_argument("names", nargs="*", help="paths of data; how many rows")
    parser.add_argument("--at", default="HEAD", help="commit")
    parser.add_argument("--shared", type=Path, help="folder of data that is not in the repository")
    parser.add_argument("--seed", type=int)
    there = Repository(ROOT, (asked := parser.parse_args()).shared)
    rows = read_rows(there.text(LEDGER))
    if asked.what == "check":
        sys.exit("\n".join(wrong(there)) or 0)
    if asked.what == "write":
        (ROOT / PAGE).write_text(written(there.text(PAGE), rows), "utf-8")
    elif asked.what == "digest":
        print(there.digest(" ".join(asked.names), asked.at) or "no such data")
    else:
        shown = [row for row, _ in newest(rows) if row.result != WITHDRAWN]
        for row in random.Random(asked.seed).sample(shown, int(asked.names[0])):
            print("\n".join(f"{name:12} {value}" for name, value in asdict(row).items()), end="\n\n")


if __name__ == "__main__":
    main()
