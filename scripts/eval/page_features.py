"""What a style may ask for that only finished pages can have; each feature changes PREFIX.pdf and its gold together."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf

PageFeature = Callable[[Path, str, dict[str, str]], None]


def pdf_of(prefix: Path) -> Path:
    return prefix.with_name(prefix.name + ".pdf")


def rewrite(prefix: Path, document: pymupdf.Document) -> None:
    """Store the changed document under its own name."""
    finished = document.tobytes(garbage=3, deflate=True)
    document.close()
    pdf_of(prefix).write_bytes(finished)


def impose(prefix: Path, columns: str, options: dict[str, str]) -> None:
    """Set logical pages side by side: each sheet has a running head and one folio, each column its own footnotes."""
    across, source = int(columns), pymupdf.open(pdf_of(prefix))
    width, height, sheets = source[0].rect.width, source[0].rect.height, pymupdf.open()
    for first in range(0, len(source), across):
        sheet = sheets.new_page(width=width * across, height=height)
        for column in range(min(across, len(source) - first)):
            sheet.show_pdf_page(pymupdf.Rect(column * width, 0, (column + 1) * width, height), source, first + column)
        if options.get("sheet-folio") == "yes":
            sheet.insert_text((width * across / 2 - 6, height - 24), str(first // across + 1), fontsize=9, fontname="tiro")
            sheet.insert_text((40, 26), (source.metadata or {}).get("title") or "", fontsize=8, fontname="tiit")
    sheets.set_metadata(source.metadata or {})
    change_gold(prefix, lambda box: on_sheet(box, across, width, options.get("sheet-folio") == "yes"))
    rewrite(prefix, sheets)


def on_sheet(box: dict[str, Any], across: int, width: float, numbered: bool) -> None:
    sheet, column = divmod(box["page"], across)
    box["page"], box["label"] = sheet, str(sheet + 1) if numbered else box["label"]
    box["x0"], box["x1"] = round(box["x0"] + column * width, 1), round(box["x1"] + column * width, 1)


def change_gold(prefix: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = prefix.with_name(prefix.name + ".gold.jsonl.gz")
    with gzip.open(path, "rt") as lines:
        sentences = [json.loads(line) for line in lines]
    for sentence in sentences:
        for box in sentence["boxes"]:
            change(box)
    with gzip.open(path, "wt") as out:
        out.writelines(json.dumps(sentence, ensure_ascii=False) + "\n" for sentence in sentences)


def number_lines(prefix: Path, step: str, options: dict[str, str]) -> None:
    """Print the number of every `step`-th line of a page in its outer margin."""
    document = pymupdf.open(pdf_of(prefix))
    for page in document.pages():
        bottoms = sorted({round(line["bbox"][3]) for line in body_lines(page)})
        for y in bottoms[int(step) - 1 :: int(step)]:
            number = str(bottoms.index(y) + 1)
            page.insert_text((float(options.get("line-numbers-x", "24")), y - 3), number, fontsize=7, fontname="tiro")
    rewrite(prefix, document)


def body_lines(page: pymupdf.Page) -> list[dict[str, Any]]:
    """The lines between the running head and the foot."""
    lines = [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", ())]
    return [line for line in lines if line["bbox"][1] > 50 and line["bbox"][3] < page.rect.height - 50]


def soften_hyphens(prefix: Path, _: str, __: dict[str, str]) -> None:
    """Let the file say U+00AD for the hyphens at line ends, as many composing systems do."""
    document = pymupdf.open(pdf_of(prefix))
    for xref in range(1, document.xref_length()):
        if document.xref_is_stream(xref) and b"beginbfchar" in (content := document.xref_stream(xref)):
            document.update_stream(xref, re.sub(rb"(?i)<2010>(\s*\n)", rb"<00ad>\1", content))
    rewrite(prefix, document)


PAGE_FEATURES: dict[str, PageFeature] = {"imposed": impose, "line-numbers": number_lines, "hyphen": soften_hyphens}
