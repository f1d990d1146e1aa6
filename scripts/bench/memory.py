"""The most memory that `chapterverse sources add` takes for one long book.

    python -m scripts.bench.memory [--books FOLDER] [--pages N]

The book: the pages of the folder's books one after the other, N of them, as one PDF. Resident memory of the process and of its
parsing child, looked at ten times a second, and the largest single process as the system counts it."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pymupdf

from scripts.bench.corpus import BUILD, books_in, model_folders
from scripts.bench.report import settings, show


def main() -> None:
    given = arguments()
    rows = []
    for pages in given.pages:
        with TemporaryDirectory(dir=BUILD) as folder:
            home, pdf = Path(folder) / "home", Path(folder) / "long.pdf"
            join(books_in(given.books), pages, pdf)
            home.mkdir()
            (home / "models").symlink_to(model_folders()[0].absolute())
            rows.append({"pages": pages, **watched(pdf, home)})
    show("memory of sources add", rows, settings())


def join(books: list[Path], pages: int, target: Path) -> None:
    """Over and over, where the books have fewer pages: it is memory that is measured."""
    with pymupdf.open() as joined:
        while len(joined) < pages:
            for path in books:
                with pymupdf.open(path) as book:
                    joined.insert_pdf(book, to_page=min(len(book), pages - len(joined)) - 1)
                if len(joined) >= pages:
                    break
        joined.save(target)


WITHOUT_LIMITS = """
from dataclasses import replace
from chapterverse.cli.app import main
from chapterverse.library import limits
limits.USUAL = replace(limits.USUAL, words=10_000_000, seconds=3600)
main()
"""


def watched(pdf: Path, home: Path) -> dict[str, float]:
    """MiB and seconds."""
    command = [sys.executable, "-c", WITHOUT_LIMITS, "sources", "add", str(pdf), "--json"]
    began, together = time.perf_counter(), 0.0
    process = subprocess.Popen(command, env={**os.environ, "CHAPTERVERSE_HOME": str(home)}, stdout=subprocess.DEVNULL)
    while True:
        ended, code, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        together = max(together, sum(resident(pid) for pid in family(process.pid)))
        time.sleep(0.1)
    process.returncode = code
    if code:
        raise SystemExit("The book could not be added: what was said of it is above.")
    return {
        "together_mib": together,
        "largest_process_mib": used.ru_maxrss / 1024,
        "seconds": time.perf_counter() - began,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "file_mib": pdf.stat().st_size / 2**20,
    }


def family(pid: int) -> Iterator[int]:
    """The process and its children (Linux)."""
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = path.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from family(int(child))


def resident(pid: int) -> float:
    """MiB; 0 for one that has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return 0.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", type=Path, default=Path("../shared/goldbooks/pdf"))
    parser.add_argument("--pages", type=int, nargs="+", default=[1500])
    BUILD.mkdir(parents=True, exist_ok=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
