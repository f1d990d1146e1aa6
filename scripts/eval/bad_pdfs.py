"""What each damaged, locked, scanned or odd PDF of the shared folder got: a sound book, or the refusal a teacher reads.

    python -m scripts.eval.bad_pdfs [SHARED] [--jobs N]

SHARED holds data/pdf. A Markdown table, then how many got what. Each file is parsed
as `chapterverse sources add` does it: in a child process, within the usual limits."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import typer

from bookreader.book import DEFAULT_LIMITS, BookId
from bookreader.errors import BadFile
from bookreader.reading import parse_in_sandbox
from scripts.eval.shared import ADJACENT, Shared, shared_folder

KINDS = ("encrypted-*", "malformed-*", "scanned-*", "small-specials*")


def verdict(pdf: Path) -> tuple[str, str]:
    """The code of the refusal and its sentence; "sound" and what was found for a book."""
    try:
        report = parse_in_sandbox(pdf.read_bytes(), BookId(pdf.stem), DEFAULT_LIMITS).report
    except BadFile as refusal:
        return refusal.reason, str(refusal)
    found = f"{report.pages} pages, {report.words} words, {report.sentences} sentences"
    return "sound", " ".join([found + ".", *map(str, report.warnings)])


def main(shared: Shared = ADJACENT, jobs: int = 2) -> None:
    folder = shared_folder(shared, "data/pdf")
    pdfs = [pdf for kind in KINDS for pdf in sorted(folder.glob(f"{kind}/*.pdf"))]
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(verdict, pdfs))
    print("| file | got | what was said |\n| --- | --- | --- |")
    for pdf, (code, said) in zip(pdfs, verdicts, strict=True):
        print(f"| {pdf.parent.name}/{pdf.name} | {code} | {said} |")
    print("\n" + ", ".join(f"{code} {n}" for code, n in Counter(code for code, _ in verdicts).most_common()))


if __name__ == "__main__":
    typer.run(main)
