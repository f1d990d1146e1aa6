"""The real documents of `make eval-real`, read by what a school would use instead.

    python -m venv PEERS && PEERS/bin/pip install pymupdf4llm==0.0.27 opendataloader-pdf
    PYTHONPATH=src:. python -m scripts.eval.real_peers PEERS/bin/python

These tools give paragraphs below headings, with the number of the page. A paragraph is divided into sentences by our rules; the
heading of the first level above it is its chapter. They know no printed page labels, so the label is the page's number.
opendataloader-pdf needs Java and reads no EPUB. Seconds include a process for each
document; the pages are those of the PDF, of an EPUB those that it is set on."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pymupdf
import typer

from bookreader.text.sentences import split_sentences
from scripts.eval.real import COLUMNS, DATA, LIMIT_SECONDS, Document, figures, parsed, print_row, read_gold
from scripts.eval.real_score import Found, Score, normalised, score

READ = {  # programs for the peers' own Python: print lines of JSON, [page index, level of a heading or 0, text]
    "pymupdf4llm": """
import json, re, sys, pymupdf4llm
for n, page in enumerate(pymupdf4llm.to_markdown(sys.argv[1], page_chunks=True, show_progress=False)):
    for block in re.split(r"\\n\\s*\\n", re.sub(r"(?s)```.*?```|^\\|.*?$", "", page["text"], flags=re.M)):
        head = re.match(r"(#+)\\s", block)
        text = re.sub(r"[*_`]|^#+\\s|<br>", "", block.replace("\\n", " "))
        print(json.dumps([n, len(head[1]) if head else 0, text]))
""",
    "opendataloader": """
import json, pathlib, sys, tempfile, opendataloader_pdf
def walk(node):
    kind = node.get("type")
    if kind in ("heading", "paragraph", "list item") and node.get("content"):
        level = node.get("heading level", 1) if kind == "heading" else 0
        print(json.dumps([node["page number"] - 1, level, node["content"]]))
    if kind not in ("table", "caption"):
        for child in [*node.get("kids", []), *node.get("list items", [])]:
            walk(child)
with tempfile.TemporaryDirectory() as folder:
    opendataloader_pdf.convert(input_path=[sys.argv[1]], output_dir=folder, format=["json"], quiet=True)
    walk(json.loads(next(pathlib.Path(folder).glob("*.json")).read_text()))
""",
}


def read_by(peer: str, python: Path, file: Path) -> list[Found] | str:
    """The sentences that a peer gives; the last line of its error where it fails."""
    command = [str(python), "-c", READ[peer], str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_SECONDS)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if done.returncode or not lines:
        return next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no text")
    return list(sentences_of([json.loads(line) for line in lines]))


def sentences_of(blocks: list[tuple[int, int, str]]) -> Iterator[Found]:
    """The sentences of the paragraphs, with the headings above each."""
    above: list[tuple[int, str]] = []
    for page, level, text in blocks:
        words = " ".join(text.split())
        if level:
            above = [*(each for each in above if each[0] < level), (level, words)]
            continue
        number, title = numbered(above[0][1]) if above else (None, None)
        sections = tuple(name for _, name in above[1:])
        for start, end in split_sentences(words):
            yield Found(words[start:end], "sentence", True, (page,), str(page + 1), number, title, sections, None)


def numbered(heading: str) -> tuple[str | None, str]:
    """A chapter's number and title: "Chapter 2. Of Liberty" gives "2" and "Of Liberty"."""
    found = re.match(r"(?:chapter\s+)?([\dIVXLC]+)[.:]?\s+(.*)", heading, re.IGNORECASE)
    return (found[1], found[2]) if found else (None, heading)


def measure(name: str, documents: list[Document], python: Path | None) -> None:
    """Print one row for a contestant, and how many pages it reads in a second; None: the product."""
    total, seconds, pages, failed = Score(), 0.0, 0, []
    for document in documents:
        start = time.monotonic()
        found = read_by(name, python, document.file) if python else parsed(document.file)
        seconds += time.monotonic() - start
        pages += pymupdf.open(document.file).page_count
        failed += [document.name] if isinstance(found, str) else []
        sentences = [] if isinstance(found, str) else found
        total.add(score(document.pages, sentences, partial(normalised, scanned=document.scanned)))
    print_row(name, figures(total, seconds))
    print(f"{'':26} {pages / seconds:.1f} pages a second", flush=True)
    if failed:
        print(f"{'':26} read nothing of: {', '.join(failed)}")


def main(python: Path) -> None:
    """Print a row for each contestant. python: of an environment with the peers."""
    documents = [read_gold(path) for path in sorted(DATA.glob("*.json"))]
    print(f"{len(documents)} documents")
    print(f"{'':26}", *(f"{name:>9} " for name in COLUMNS))
    measure("chapterverse", documents, None)
    for peer in READ:
        measure(peer, documents, python)


if __name__ == "__main__":
    typer.run(main)
